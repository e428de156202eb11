package locks_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// The holder leaves after the waiter has listed the queue, and before it sets
// its watch: it does not wait for a znode that is gone, nor leaves a watch
// there.
func TestHolderLeavesBeforeTheWatch(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		var once sync.Once
		trace := &zklock.Trace{Listed: func(zklock.ListedInfo) { once.Do(func() { w.unlock(holder) }) }}
		w.unlock(w.lock(r.make(w.dial(session), w.path, zklock.WithLockTrace(trace))))
		if by := w.server.Watches(w)[holder.Node()]; len(by) > 0 {
			w.Errorf("sessions %x still watch what is gone", by)
		}
	})
}

// Somebody deletes the waiter's znode each time. It gives up at some point.
func TestNodeDeletedAgainAndAgain(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		stood := 0
		trace := &zklock.Trace{Enqueued: func(i zklock.EnqueuedInfo) {
			if i.Err == nil {
				stood++
				w.delete(i.Node)
			}
		}}
		_, err := r.make(w.dial(session), w.path, zklock.WithLockTrace(trace)).Lock(w.within())
		if !errors.Is(err, zk.ErrNoNode) || stood > 20 {
			w.Errorf("Lock = %v after %d attempts, want ErrNoNode after some", err, stood)
		}
		w.empties()
	})
}

// The deadline is a point in time: waking up does not put it off.
func TestDeadlineIsNotRestarted(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(*world) (lock func(context.Context) error){
		"HerdMutex": func(w *world) func(context.Context) error {
			w.lock(newHerdMutex(w.dial(session), w.path))
			m := newHerdMutex(w.dial(session), w.path)
			return func(ctx context.Context) error { _, err := m.Lock(ctx); return err }
		},
		"Semaphore": func(w *world) func(context.Context) error {
			w.lock(w.semaphore(1))
			p := w.semaphore(1)
			return func(ctx context.Context) error { _, err := p.Acquire(ctx); return err }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			lock := begin(w)
			// A machine that is too busy to wake it twice in time has another try.
			for limit := 200 * time.Millisecond; !w.keepsItsDeadline(limit, lock); limit *= 2 {
			}
		})
	}
}

// keepsItsDeadline wakes the caller of lock again and again until it returns,
// and reports whether it woke more than once.
func (w *world) keepsItsDeadline(limit time.Duration, lock func(context.Context) error) bool {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), limit)
	defer cancel()
	woken, failed := newRecorder(), make(chan error, 1)
	go func() { failed <- lock(zklock.WithTrace(ctx, woken.trace())) }()
	eventually(w, "the wait is over", func() bool {
		stray := w.path + "/stray"
		if _, err := w.conn.Create(stray, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
			w.Fatal(err)
		}
		w.delete(stray) // it has woken twice
		return len(failed) > 0
	})
	if err := <-failed; !errors.Is(err, context.DeadlineExceeded) {
		w.Errorf("%v, want the deadline's error", err)
	}
	return woken.count("wait-done") > 2
}

// The session ends at the very moment when the waiter's turn comes: it does
// not hold then, however good the news was.
func TestSessionEndsInTheHandOver(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		s, network := w.dialThrough(mortal)
		ctx := s.Context()
		trace := &zklock.Trace{WaitDone: func(zklock.WaitDoneInfo) {
			network.partition()
			<-ctx.Done()
		}}
		waiter := w.startLock(r.make(s, w.path, zklock.WithLockTrace(trace)))
		w.unlock(holder)
		if err := waiter.failed(w); !errors.Is(err, zklock.ErrSessionLost) {
			w.Errorf("Lock = %v, want ErrSessionLost", err)
		}
		if waiter.count("acquired") > 0 {
			w.Error("it held for a moment")
		}
		network.heal()
		w.empties()
	})
}

// A writer's release lets the readers in without a listing by each.
func TestReadersDoNotListInTheHandOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	writers, _ := w.rw()
	writer := w.lock(writers)
	s, network := w.dialThrough(session)
	var crowd []*attempt
	for range 5 {
		crowd = append(crowd, w.startLock(reader{newRWMutex(s, w.path)}))
	}
	before := network.requests(opGetChildren2)
	w.unlock(writer)
	for _, r := range crowd {
		r.held(t)
	}
	if n := network.requests(opGetChildren2) - before; n > 0 {
		t.Errorf("%d listings in the hand-over, want none", n)
	}
}

// Hooks may use the connection: they do not run where it does its work.
func TestHooksMayUseTheConnection(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		var s atomic.Pointer[zklock.Session]
		ask := func() {
			if s := s.Load(); s != nil {
				s.Client().Exists("/")
			}
		}
		network := newNetwork(w)
		s.Store(w.dial(session, zklock.WithDialer(network.Dial), zklock.WithSessionHook(func(zklock.SessionState) { ask() })))
		trace := &zklock.Trace{
			EnqueueStart: func(zklock.EnqueueStartInfo) { ask() }, Listed: func(zklock.ListedInfo) { ask() },
			WaitStart: func(zklock.WaitStartInfo) { ask() }, WaitDone: func(zklock.WaitDoneInfo) { ask() },
			Acquired: func(zklock.AcquiredInfo) { ask() }, Released: func(zklock.ReleasedInfo) { ask() },
		}
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		waiter := w.startLock(r.make(s.Load(), w.path, zklock.WithLockTrace(trace)))
		network.cut()
		waiter.await(w, "wait-start", 2)
		w.unlock(holder)
		w.unlock(waiter.held(w))
	})
}

// Names without a guid come back when the directory is made anew, as happens
// to a container. A watch that was left on the first znode of a name says
// nothing of the second.
func TestNameThatComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mutex := newMutex(w.dial(session), w.path)
	first := w.makeBare()
	a := w.startLock(mutex)
	a.cancel()
	if a.failed(t) == nil {
		t.Fatal("Lock returns a lease though its context has ended")
	}
	eventually(t, "the waiter has left", func() bool { return len(w.children()) == 1 })
	w.deleteAll(first, w.path)
	if again := w.makeBare(); again != first {
		t.Fatalf("the second znode is %s, want %s", again, first)
	}
	b := w.startLock(mutex)
	eventually(t, "the second znode is watched", func() bool {
		return b.count("acquired") > 0 || len(w.server.Watches(t)[first]) > 0
	})
	if b.count("acquired") > 0 {
		t.Errorf("holds beside %v", w.children())
	}
	w.deleteAll(first)
	b.held(t)
}

// makeBare makes the directory, and in it the first znode of a client whose
// names have no guid.
func (w *world) makeBare() string {
	w.Helper()
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		w.Fatal(err)
	}
	node, err := w.conn.Create(w.path+"/lock-", nil, zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
	if err != nil {
		w.Fatal(err)
	}
	return node
}

func (w *world) deleteAll(nodes ...string) {
	w.Helper()
	for _, node := range nodes {
		if err := w.conn.Delete(node, -1); err != nil {
			w.Fatal(err)
		}
	}
}
