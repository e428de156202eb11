package zklock_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// The difference between the two mutexes: whom a release wakes.
func TestWakeUpsPerRelease(t *testing.T) {
	const waiters = 8
	for _, r := range []struct {
		recipe
		woken int // of the waiters that are left, by one release
	}{{recipes[0], 1}, {recipes[1], waiters}} {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			holder := w.lock(r.make(w.dial(session), w.path))
			queue := w.queueUp(r.recipe, waiters)
			before := wakeUps(queue)
			w.unlock(holder)
			next := queue[0].held(t)
			for _, a := range queue[1:] {
				if r.woken > 1 {
					a.await(t, "wait-start", a.count("wait-done")+1)
				}
			}
			if n := wakeUps(queue) - before; n != r.woken {
				t.Errorf("a release woke %d of %d, want %d", n, waiters, r.woken)
			}
			w.unlock(next)
		})
	}
}

// queueUp has n clients wait in line. In a herd each arrival wakes those who
// wait already; it returns when they all wait again.
func (w *world) queueUp(r recipe, n int) []*attempt {
	queue := make([]*attempt, n)
	for i := range queue {
		queue[i] = w.startLock(r.make(w.dial(session), w.path))
		for j, waiting := range queue[:i] {
			if r.name == "HerdMutex" {
				waiting.await(w, "wait-start", i-j+1)
			}
		}
	}
	return queue
}

func wakeUps(queue []*attempt) (n int) {
	for _, a := range queue {
		n += a.count("wait-done")
	}
	return n
}

// What a quiet acquisition costs is known to the request.
func TestRequestsPerAcquisition(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	lock := zklock.NewMutex(s, w.path)
	w.unlock(w.lock(lock))
	count := func() (creates, lists, watches, deletes int) {
		return network.requests(opCreate), network.requests(opGetChildren2), network.requests(opGetData), network.requests(opDelete)
	}
	creates, lists, watches, deletes := count()
	w.unlock(w.lock(lock))
	c, l, g, d := count()
	if c-creates != 1 || l-lists != 1 || g-watches != 0 || d-deletes != 1 {
		t.Errorf("uncontended: %d creates, %d lists, %d watches, %d deletes; want 1 1 0 1", c-creates, l-lists, g-watches, d-deletes)
	}
	holder := w.lock(zklock.NewMutex(w.dial(session), w.path))
	waiter := w.startLock(lock)
	w.unlock(holder)
	w.unlock(waiter.held(t))
	creates, lists, watches, deletes = count()
	if creates-c != 1 || lists-l != 2 || watches-g != 1 || deletes-d != 1 {
		t.Errorf("contended: %d creates, %d lists, %d watches, %d deletes; want 1 2 1 1", creates-c, lists-l, watches-g, deletes-d)
	}
}
