package locks_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A child with a sequence number may contend by rules of its own: the lock is
// refused, and the error names it.
func TestForeignContenders(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		lock := r.make(w.dial(session), w.path)
		w.unlock(w.lock(lock))
		for _, name := range []string{"a-lock-", "_c_x-lock-", "x__WRIT__", "__lock__", "job-", "_c_" + strings.Repeat("0", 32) + "-lease-"} {
			node := w.foreign(name)
			_, err := lock.Lock(w.within())
			var foreign *zklock.ForeignError
			if !errors.Is(err, zklock.ErrForeign) || !errors.As(err, &foreign) || foreign.Node != node {
				w.Errorf("beside %s: %v, want it to be refused", node, err)
			}
			if _, err := lock.TryLock(w.within()); !errors.Is(err, zklock.ErrForeign) {
				w.Errorf("a try beside %s: %v, want it to be refused", node, err)
			}
			w.delete(node)
			eventually(w, "nothing is left", func() bool { return len(w.children()) == 0 })
		}
		w.unlock(w.lock(lock))
	})
}

// One that comes while a lock is waited for ends the wait, as soon as a listing
// shows it.
func TestForeignContenderComesLater(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		middle := w.startLock(r.exclusive(w.dial(session), w.path))
		waiter := w.startLock(r.exclusive(w.dial(session), w.path))
		w.foreign("__lock__")
		w.unlock(holder)
		if err := waiter.failed(w); !errors.Is(err, zklock.ErrForeign) {
			w.Errorf("Lock = %v, want it to be refused", err)
		}
		switch err := middle.failed(w); {
		case err == nil: // its turn came without a listing
			w.unlock(middle.lease)
		case !errors.Is(err, zklock.ErrForeign):
			w.Errorf("Lock of the next in line = %v, want the lock, or to be refused", err)
		}
	})
}

// foreigners are the names that locks of all kinds ask for, with a guid of their own.
var foreigners = map[string]string{
	"mutex":           "_c_" + greatestGUID + "-lock-", // Curator's and go-zookeeper's, too
	"reader":          "_c_" + greatestGUID + "-__READ__",
	"writer":          "_c_" + greatestGUID + "-__WRIT__",
	"semaphore":       "_c_" + greatestGUID + "-lease-",
	"kazoo":           greatestGUID + "__lock__",
	"kazoo reader":    greatestGUID + "__rlock__",
	"kazoo semaphore": greatestGUID,           // without a number
	"ZooKeeper's own": "x-72057594037927936-", // WriteLock, with its session
}

// Of the locks of all kinds, each stands behind those of its own kind, and is refused
// in a directory with one of another.
func TestKindsRefuseEachOther(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		own  string // separated by spaces
		lock func(w *world, s *zklock.Session) func(context.Context) error
	}{
		"Mutex": {"mutex", func(w *world, s *zklock.Session) func(context.Context) error {
			return func(ctx context.Context) error { return attempted(newMutex(s, w.path).TryLock(ctx)) }
		}},
		"Reentrant": {"mutex", func(w *world, s *zklock.Session) func(context.Context) error {
			return func(ctx context.Context) error {
				return attempted(newReentrant(s, w.path).TryLock(zklock.WithOwner(ctx)))
			}
		}},
		"Multi": {"mutex", func(w *world, s *zklock.Session) func(context.Context) error {
			m, err := newMulti(s, []string{w.path + "-free", w.path})
			if err != nil {
				w.Fatal(err)
			}
			return func(ctx context.Context) error { return attempted(m.TryLock(ctx)) }
		}},
		"writer": {"reader writer", func(w *world, s *zklock.Session) func(context.Context) error {
			return func(ctx context.Context) error { return attempted(newRWMutex(s, w.path).TryLock(ctx)) }
		}},
		"reader": {"writer", func(w *world, s *zklock.Session) func(context.Context) error {
			return func(ctx context.Context) error { return attempted(newRWMutex(s, w.path).TryRLock(ctx)) }
		}},
		"Semaphore": {"semaphore", func(w *world, s *zklock.Session) func(context.Context) error {
			return func(ctx context.Context) error {
				return attempted(newSemaphore(s, w.path, 1).TryAcquire(ctx))
			}
		}},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.put()
			lock := c.lock(w, w.dial(session))
			for name, prefix := range foreigners {
				if kind == "reader" && name == "reader" {
					continue // shares
				}
				node := w.path + "/" + prefix
				if name == "kazoo semaphore" {
					w.create(node)
				} else {
					node = w.foreign(prefix)
				}
				err := lock(w.within())
				var foreign *zklock.ForeignError
				switch {
				case strings.Contains(" "+c.own+" ", " "+name+" "):
					if !errors.Is(err, zklock.ErrHeld) {
						t.Errorf("behind %s: %v, want ErrHeld", node, err)
					}
				case !errors.Is(err, zklock.ErrForeign) || !errors.As(err, &foreign) || foreign.Node != node:
					t.Errorf("beside %s: %v, want an error that names it", node, err)
				}
				w.delete(node)
				w.empties()
			}
		})
	}
}

func (w *world) create(node string) {
	w.Helper()
	if _, err := w.conn.Create(node, nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
		w.Fatal(err)
	}
}

// The transaction that takes an idle lock counts the children: a foreign one is found
// all the same, and one that came and went is nobody's business.
func TestForeignContenderInAnIdleLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := newMutex(w.dial(session), w.path)
	w.quiet(lock)
	node := w.foreign(foreigners["kazoo"])
	if _, err := lock.Lock(w.within()); !errors.Is(err, zklock.ErrForeign) {
		t.Errorf("%v, want it to be refused", err)
	}
	w.delete(node)
	w.quiet(lock)
}

// kazoo names its znodes in its own way; told of it, a lock stands behind them.
func TestExtraMarkers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"/__lock__", "/5f0c38d9b6c04d7f8a40ad6f25d79f27__lock__"} {
		w := newWorld(t)
		s := w.dial(session)
		w.unlock(w.lock(newMutex(s, w.path)))
		foreign, err := w.conn.Create(w.path+name, nil, zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := newMutex(s, w.path).Lock(w.within()); !errors.Is(err, zklock.ErrForeign) {
			t.Errorf("%v, want it to be refused where nobody has told of them", err)
		}
		waiter := w.startLock(newMutex(s, w.path, zklock.WithExtraMarkers("__lock__")))
		if err := w.conn.Delete(foreign, -1); err != nil {
			t.Fatal(err)
		}
		w.unlock(waiter.held(t))
	}
}
