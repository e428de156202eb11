package zklock_test

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// The difference between the two mutexes: whom a release wakes.
func TestWakeUpsPerRelease(t *testing.T) {
	const waiters = 8
	for _, r := range []struct {
		recipe
		woken int // of the waiters that are left, by one release
	}{{recipeNamed("Mutex"), 1}, {recipeNamed("Mutex-textbook"), 1}, {recipeNamed("HerdMutex"), waiters}} {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			holder := w.lock(r.make(w.dial(session), w.path))
			queue := w.queueUp(r.recipe, waiters)
			before := wakeUps(queue)
			waits := make([]int, waiters)
			for i, a := range queue {
				waits[i] = a.count("wait-start")
			}
			w.unlock(holder)
			next := queue[0].held(t)
			for i, a := range queue[1:r.woken] {
				a.await(t, "wait-start", waits[i+1]+1)
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

// What an acquisition costs is known to the request.
func TestRequestsPerAcquisition(t *testing.T) {
	for _, c := range []struct {
		name       string
		opts       []zklock.Option
		alone      string
		waitsFirst string // behind the holder
	}{
		{"fast", nil, "multi delete", "create list watch watch delete"},
		{"textbook", []zklock.Option{zklock.WithTextbook(), zklock.WithOwnWatch(false)}, "create list delete", "create list list watch delete"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s, network := w.dialThrough(session)
			lock := zklock.NewMutex(s, w.path, c.opts...)
			w.unlock(w.lock(lock)) // makes the directory
			network.sends(t, c.alone, func() { w.unlock(w.lock(zklock.NewMutex(s, w.path, c.opts...))) })
			other := zklock.NewMutex(w.dial(session), w.path)
			behindOne := func() { w.unlock(w.startAndHold(lock, w.lock(other))) }
			behindOne() // the lock is no longer quiet
			network.sends(t, c.waitsFirst, behindOne)
		})
	}
}

// startAndHold waits behind the holder until it has gone.
func (w *world) startAndHold(l zklock.Locker, holder *zklock.Lease) *zklock.Lease {
	waiter := w.startLock(l)
	w.unlock(holder)
	return waiter.held(w)
}

// A place far back looks ahead: it lists while the one before it holds, and
// not when that leaves.
func TestLookAhead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := func() zklock.Locker { return zklock.NewMutex(w.dial(session), w.path) }
	first := w.lock(lock())
	second, third := w.startLock(lock()), w.startLock(lock())
	s, network := w.dialThrough(session)
	count := network.tally()
	last := w.startLock(zklock.NewMutex(s, w.path))
	w.unlock(first)
	lease := second.held(t)
	if n := last.count("looked-ahead"); n != 0 {
		t.Error("looked ahead too early")
	}
	w.unlock(lease)
	last.await(t, "looked-ahead", 1)
	last.await(t, "listed 1 of 2", 1)
	lists := network.requests(opGetChildren2)
	w.unlock(third.held(t))
	w.unlock(last.held(t))
	if n := network.requests(opGetChildren2) - lists; n != 0 {
		t.Errorf("%d listings in the hand-over, want none", n)
	}
	if got := count(); !strings.HasPrefix(got, "create list list watch watch") {
		t.Errorf("%s; want one listing more", got)
	}
}
