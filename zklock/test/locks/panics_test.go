package locks_test

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// A locking is the Lock of any kind.
type locking func(context.Context) (unlocker, error)

func lockingOf[H unlocker](lock func(context.Context) (H, error)) locking {
	return func(ctx context.Context) (unlocker, error) {
		h, err := lock(ctx)
		return h, err
	}
}

// A hooked is a kind of lock, as its hooks see it.
type hooked struct {
	name   string
	silent []string // tests of hooks that it does not call
	make   func(*world, *zklock.Session) locking
	ahead  func(*world, *zklock.Session) locking // who excludes make's; nil for the same
}

func hookedKinds() []hooked {
	kinds := []hooked{
		{name: "Reentrant", make: func(w *world, s *zklock.Session) locking {
			r := newReentrant(s, w.path)
			return func(ctx context.Context) (unlocker, error) { return r.Lock(zklock.WithOwner(ctx)) }
		}},
		{name: "Semaphore", silent: []string{"LookedAhead"}, make: func(w *world, s *zklock.Session) locking {
			return lockingOf(newSemaphore(s, w.path, 1).Acquire)
		}},
		{name: "Multi", make: func(w *world, s *zklock.Session) locking {
			return lockingOf(w.multi(s, "a b").Lock)
		}},
	}
	for _, r := range recipes {
		k := hooked{name: r.name, make: func(w *world, s *zklock.Session) locking { return lockingOf(r.make(s, w.path).Lock) }}
		k.ahead = func(w *world, s *zklock.Session) locking { return lockingOf(r.exclusive(s, w.path).Lock) }
		if r.textbook {
			k.silent = []string{"LookedAhead"}
		}
		kinds = append(kinds, k)
	}
	return kinds
}

// Whatever hook does not return, the lock is free again, for others and for
// the same object, and the session can be closed.
func TestHookDoesNotReturn(t *testing.T) {
	t.Parallel()
	for _, kind := range hookedKinds() {
		for _, test := range hookTests {
			for _, how := range []string{"panics", "exits"} {
				if slices.Contains(kind.silent, test.name) {
					continue
				}
				t.Run(kind.name+"/"+test.name+"/"+how, func(t *testing.T) {
					t.Parallel()
					w := newWorld(t)
					w.crash(kind, test, &failure{world: w, exits: how == "exits"})
				})
			}
		}
	}
}

func (w *world) crash(kind hooked, test hookTest, f *failure) {
	s, network := w.dialThrough(session)
	lock, ahead := kind.make(w, s), kind.make
	if kind.ahead != nil {
		ahead = kind.ahead
	}
	next := f.block(test.ahead, func() locking { return ahead(w, w.dial(session)) })
	f.run(func(ctx context.Context) {
		h, err := lock(zklock.WithTrace(ctx, test.trace(f)))
		if err != nil {
			w.Error(err)
			return
		}
		defer func() { f.again, f.unlocked = h.Unlock(w.within()), true }()
		if test.late {
			network.partition()
			f.cancel()
		}
		h.Unlock(ctx)
	})
	if test.late {
		network.cut() // what Unlock has sent is lost
		network.heal()
	}
	if f.unlocked != (test.again != nil) || f.unlocked && !test.again(f.again) {
		w.Errorf("a second Unlock: %v, with the error %v", f.unlocked, f.again)
	}
	f.unblock(next)
	w.pass(ahead(w, w.dial(session)))
	w.pass(lock)
	closeSession(w, s)
}

// pass takes a lock and releases it.
func (w *world) pass(lock locking) {
	w.Helper()
	h, err := lock(w.within())
	if err == nil {
		err = h.Unlock(w.within())
	}
	if err != nil {
		w.Fatal(err)
	}
}

// Downgrade: the reader's znode goes when nobody gets the reader's lease, and
// the writer's Unlock does not say that all is well.
func TestHookOfDowngradeDoesNotReturn(t *testing.T) {
	t.Parallel()
	for _, test := range hookTests {
		if !slices.Contains([]string{"Acquired", "ReleaseStart", "Released"}, test.name) {
			continue
		}
		for _, how := range []string{"panics", "exits"} {
			t.Run(test.name+"/"+how, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.crashDowngrade(test, &failure{world: w, exits: how == "exits"})
			})
		}
	}
}

func (w *world) crashDowngrade(test hookTest, f *failure) {
	s := w.dial(session)
	lock := newRWMutex(s, w.path)
	trace := test.trace(f)
	if acquired := trace.Acquired; acquired != nil {
		trace.Acquired = func(i zklock.AcquiredInfo) {
			if i.Mode == zklock.ModeRead {
				acquired(i)
			}
		}
	}
	writer := w.lock(lock, trace)
	f.run(func(ctx context.Context) { writer.Downgrade(ctx) })
	if err := writer.Unlock(w.within()); !isUnconfirmed(err) {
		w.Errorf("Unlock = %v, want that it is not confirmed", err)
	}
	w.unlock(w.lock(newRWMutex(w.dial(session), w.path)))
	w.unlock(w.lock(lock))
	closeSession(w, s)
}

// A hook that is told of a refusal does not return: what was refused goes all
// the same.
func TestHookOfRefusalDoesNotReturn(t *testing.T) {
	t.Parallel()
	mutex := newEdgeWorld(t, "/hook/mutex")
	mutex.set("kept") // or else it would be deleted
	mutex.crashRefused(lockingOf(newMutex(mutex.dial(session), mutex.path).Lock))
	mutex.empties()
	multi := newEdgeWorld(t, "/hook/multi")
	multi.crashRefused(lockingOf(multi.multi(multi.dial(session), "a b").Lock))
	multi.become("a b", 0)
}

func (w *world) crashRefused(lock locking) {
	f := &failure{world: w}
	trace := &zklock.Trace{Enqueued: func(zklock.EnqueuedInfo) { f.fail() }}
	f.run(func(ctx context.Context) { lock(zklock.WithTrace(ctx, trace)) })
}

// A hook on a goroutine of the session that ends it does not end the others.
func TestHookOfSessionExits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, record := w.dial(session), newRecorder()
	trace := record.trace()
	trace.Lost = func(zklock.LostInfo) {
		record.note("lost")
		runtime.Goexit()
	}
	for _, name := range []string{"a", "b", "c"} {
		w.lock(newMutex(s, w.at(name)[0]), trace)
	}
	closeSession(t, s)
	if n := record.count("lost"); n != 3 {
		t.Errorf("told of %d losses, want 3", n)
	}
}
