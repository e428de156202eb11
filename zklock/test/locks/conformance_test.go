package locks_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// session is the timeout of sessions that nothing happens to. A client takes its
// connection for dead after two thirds of it, which a busy machine must not
// bring about.
const session = 30 * time.Second

// A recipe makes a lock of one kind. All exclusive kinds pass the same suite.
type recipe struct {
	name     string
	textbook bool // it lists the queue in every acquisition
	make     func(*zklock.Session, string, ...zklock.Option) zklock.Locker
}

var recipes = []recipe{
	{"Mutex", false, func(s *zklock.Session, path string, opts ...zklock.Option) zklock.Locker {
		return newMutex(s, path, opts...)
	}},
	{"Mutex-textbook", true, func(s *zklock.Session, path string, opts ...zklock.Option) zklock.Locker {
		return newMutex(s, path, append(opts, zklock.WithTextbook())...)
	}},
	{"HerdMutex", true, func(s *zklock.Session, path string, opts ...zklock.Option) zklock.Locker {
		return newHerdMutex(s, path, opts...)
	}},
	{"RWMutex", false, func(s *zklock.Session, path string, opts ...zklock.Option) zklock.Locker {
		return newRWMutex(s, path, opts...)
	}},
	// A reader excludes writers only; these tests have it wait behind one.
	{"RWMutex-reader", false, func(s *zklock.Session, path string, opts ...zklock.Option) zklock.Locker {
		return reader{newRWMutex(s, path, opts...)}
	}},
}

// A reader locks for reading when somebody holds the lock already.
type reader struct{ *zklock.RWMutex }

func (r reader) Lock(ctx context.Context) (*zklock.Lease, error) { return r.RLock(ctx) }

func (r reader) TryLock(ctx context.Context) (*zklock.Lease, error) { return r.TryRLock(ctx) }

// exclusive returns a lock on the same path whose holder excludes r's.
func (r recipe) exclusive(s *zklock.Session, path string) zklock.Locker {
	if l, ok := r.make(s, path).(reader); ok {
		return l.RWMutex
	}
	return r.make(s, path)
}

func recipeNamed(name string) recipe {
	return recipes[slices.IndexFunc(recipes, func(r recipe) bool { return r.name == name })]
}

// forEach runs test once for every recipe, in parallel.
func forEach(t *testing.T, test func(*world, recipe)) {
	t.Parallel()
	for _, r := range recipes {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			test(newWorld(t), r)
		})
	}
}

func TestExclusion(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		const clients, rounds = 5, 8
		var holders, entries atomic.Int64
		var all sync.WaitGroup
		for range clients {
			lock := r.exclusive(w.dial(session), w.path)
			all.Go(func() {
				for range rounds {
					lease, err := lock.Lock(w.Context())
					if err != nil {
						w.Error(err)
						return
					}
					if n := holders.Add(1); n != 1 {
						w.Errorf("%d hold at once", n)
					}
					entries.Add(1)
					holders.Add(-1)
					if err := lease.Unlock(w.Context()); err != nil {
						w.Error(err)
					}
				}
			})
		}
		all.Wait()
		if n := entries.Load(); n != clients*rounds {
			w.Errorf("entered %d times, want %d", n, clients*rounds)
		}
		w.empties()
	})
}

func TestFIFO(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		s := w.dial(session)
		waiting := r.exclusive(s, w.path)
		var queue []*attempt
		for range 5 {
			queue = append(queue, w.startLock(waiting))
		}
		last := holder
		for i, next := range queue {
			w.unlock(last)
			lease := next.held(w)
			if lease.Token() <= last.Token() {
				w.Errorf("token %d after %d", lease.Token(), last.Token())
			}
			w.caughtUp(s)
			for _, later := range queue[i+1:] {
				if later.count("acquired") > 0 {
					w.Fatal("a later waiter overtook")
				}
			}
			last = lease
		}
		w.unlock(last)
	})
}

func TestTryLock(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s := w.dial(session)
		lock := r.make(s, w.path)
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		for range 3 {
			if lease, err := lock.TryLock(w.within()); !errors.Is(err, zklock.ErrHeld) {
				w.Fatalf("TryLock = %v, %v; want ErrHeld", lease, err)
			}
			if n := len(w.children()); n != 1 {
				w.Fatalf("%d znodes after a failed try, want the holder's", n)
			}
		}
		w.unlock(holder)
		lease, err := lock.TryLock(w.within())
		if err != nil {
			w.Fatal(err)
		}
		w.unlock(lease)
	})
}

func TestCancelWhileWaiting(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		waiter := w.startLock(r.make(w.dial(session), w.path))
		last := w.startLock(r.exclusive(w.dial(session), w.path))
		waiter.cancel()
		if err := waiter.failed(w); !errors.Is(err, context.Canceled) {
			w.Fatal(err)
		}
		eventually(w, "its znode is gone", func() bool { return len(w.children()) == 2 })
		waiter.await(w, "orphan-done failed=false", 1)
		w.unlock(holder)
		w.unlock(last.held(w))
		w.empties()
	})
}

func TestDeadlineWhileWaiting(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		ctx, cancel := context.WithTimeout(w.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := r.make(w.dial(session), w.path).Lock(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			w.Fatal(err)
		}
		var detail *zklock.Error
		if !errors.As(err, &detail) || detail.Op != "lock" || detail.Path != w.path {
			w.Errorf("error %#v does not say where", err)
		}
		eventually(w, "its znode is gone", func() bool { return len(w.children()) == 1 })
		w.unlock(holder)
	})
}

func TestCancelledBefore(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		ctx, cancel := context.WithCancel(w.Context())
		cancel()
		s := w.dial(session)
		if err := s.WaitConnected(w.within()); err != nil {
			w.Fatal(err)
		}
		if _, err := r.make(s, w.path).Lock(ctx); !errors.Is(err, context.Canceled) {
			w.Fatal(err)
		}
		if found, _, err := w.conn.Exists(w.path); err != nil || found {
			w.Errorf("something was created: %v, %v", found, err)
		}
	})
}

func TestUnlockTwice(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		lock := r.make(w.dial(session), w.path)
		lease := w.lock(lock)
		w.unlock(lease)
		next := w.lock(lock)
		w.unlock(lease) // does nothing to the next
		if err := next.Check(w.within()); err != nil {
			w.Fatal(err)
		}
		if cause := context.Cause(lease.Context()); !errors.Is(cause, zklock.ErrUnlocked) {
			w.Errorf("cause %v, want ErrUnlocked", cause)
		}
		select {
		case <-lease.Lost():
			w.Error("an unlocked lease counts as lost")
		default:
		}
		if err := lease.Check(w.within()); !errors.Is(err, zklock.ErrUnlocked) {
			w.Errorf("Check = %v, want ErrUnlocked", err)
		}
		w.unlock(next)
	})
}
