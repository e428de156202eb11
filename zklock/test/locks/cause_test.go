package locks_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// causes are errors that an errgroup, or the context of another lease, makes
// the cause of a caller's context, and that mean something else to a lock.
func causes() map[string]error {
	return map[string]error{
		"no node": zk.ErrNoNode, "bad version": zk.ErrBadVersion, "node exists": zk.ErrNodeExists,
		"lost": zklock.ErrLost, "unlocked": zklock.ErrUnlocked, "held": zklock.ErrHeld,
		"exhausted": zklock.ErrSequenceExhausted, "closed": zklock.ErrClosed,
	}
}

// forEachCause runs a test for each, in a world of its own.
func forEachCause(t *testing.T, test func(w *world, cause error)) {
	t.Parallel()
	for name, cause := range causes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newWorld(t), cause)
		})
	}
}

// A during is a call whose context ends while the server has been asked, and
// has not answered.
type during struct {
	*world
	network *network
	cause   error
}

// call returns what the caller is told, who must find both the context's error
// and the cause. Where it matters that the server is asked by f, and not by a
// watch on a lease's own znode, ops say what f asks.
func (d during) call(f func(context.Context) error, ops ...int32) {
	d.Helper()
	ctx, cancel := context.WithCancelCause(d.Context())
	before := d.sent(ops...)
	d.network.holdReplies()
	defer d.network.heal()
	done := make(chan error, 1)
	go func() { done <- f(ctx) }()
	eventually(d, "the server is asked", func() bool { return d.sent(ops...) > before })
	cancel(d.cause)
	err := receive(d, done, "the call to return")
	if !errors.Is(err, context.Canceled) || !errors.Is(err, d.cause) {
		d.Errorf("%v, want both %v and %v", err, context.Canceled, d.cause)
	}
	if errors.Is(err, zklock.ErrLost) && d.cause != zklock.ErrLost {
		d.Errorf("%v: nothing was lost", err)
	}
}

// sent counts the requests with one of the ops, or with any.
func (d during) sent(ops ...int32) (n int) {
	for op, times := range d.network.counts() {
		if op != opPing && (len(ops) == 0 || slices.Contains(ops, op)) {
			n += times
		}
	}
	return n
}

// An ended is a context that has ended with cause.
func (w *world) ended(cause error) context.Context {
	ctx, cancel := context.WithCancelCause(w.Context())
	cancel(cause)
	return ctx
}

// severalErrors cannot be compared.
type severalErrors []error

func (severalErrors) Error() string { return "several" }

// No cause is compared where that would panic.
func TestCauseThatCannotBeCompared(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	cause := severalErrors{zk.ErrNoNode}
	if err := s.WaitConnected(w.within()); err != nil {
		t.Fatal(err)
	}
	lease := w.lock(newMutex(s, w.path))
	ctx, cancel := context.WithCancelCause(w.Context())
	ctx = zklock.WithTrace(ctx, &zklock.Trace{WaitStart: func(zklock.WaitStartInfo) { cancel(cause) }})
	_, err := newMutex(s, w.path).Lock(ctx)
	var found severalErrors
	if !errors.Is(err, context.Canceled) || !errors.As(err, &found) || !errors.Is(err, err) {
		t.Errorf("%v", err)
	}
	if err := zklock.NewSession().WaitConnected(ctx); !errors.Is(err, err) || !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	w.unlock(lease)
}

// A waiter whose context ends while it looks again whether the holder is there
// does not take the cause for the answer.
func TestCauseWhileWaiting(t *testing.T) {
	forEachCause(t, func(w *world, cause error) {
		holder := w.lock(newMutex(w.dial(session), w.path))
		s, network := w.dialThrough(session)
		ctx, cancel := context.WithCancelCause(w.Context())
		first := true
		ctx = zklock.WithTrace(ctx, &zklock.Trace{
			WaitStart: func(zklock.WaitStartInfo) {
				if _, err := w.conn.Set(holder.Node(), []byte("changed"), -1); err != nil {
					w.Error(err)
				}
			},
			WaitDone: func(zklock.WaitDoneInfo) {
				if first {
					first = false
					before := during{w, network, cause}.sent()
					network.holdReplies()
					go func() {
						eventually(w, "the server is asked", func() bool { return during{w, network, cause}.sent() > before })
						cancel(cause)
					}()
				}
			},
		})
		lease, err := newMutex(s, w.path).Lock(ctx)
		network.heal()
		if err == nil {
			w.Fatalf("held by two: %s and %s", holder.Node(), lease.Node())
		}
		if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
			w.Errorf("%v, want both %v and %v", err, context.Canceled, cause)
		}
		w.unlock(holder)
		w.empties()
	})
}

// An Unlock that cannot wait leaves nothing behind, and loses nothing.
func TestCauseOfUnlock(t *testing.T) {
	t.Parallel()
	for name, cause := range causes() {
		for _, r := range recipes {
			t.Run(fmt.Sprint(name, "/", r.name), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				s, network := w.dialThrough(session)
				lease := w.lock(r.make(s, w.path))
				during{w, network, cause}.call(lease.Unlock)
				w.empties()
				lease = w.lock(r.make(s, w.path))
				if err := lease.Unlock(w.ended(cause)); err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("%v, want %v or success", err, context.Canceled)
				}
				w.empties()
			})
		}
	}
}

func TestCauseOfMultiUnlock(t *testing.T) {
	forEachCause(t, func(w *world, cause error) {
		s, network := w.dialThrough(session)
		lock, err := newMulti(s, []string{w.path, w.path + "2"})
		if err != nil {
			w.Fatal(err)
		}
		lease, err := lock.Lock(w.within())
		if err != nil {
			w.Fatal(err)
		}
		during{w, network, cause}.call(lease.Check)
		if err := lease.Context().Err(); err != nil {
			w.Fatal("lost by a check")
		}
		during{w, network, cause}.call(lease.Unlock)
		w.empties()
	})
}

// A Check that cannot wait ends no lease.
func TestCauseOfCheck(t *testing.T) {
	forEachCause(t, func(w *world, cause error) {
		s, network := w.dialThrough(session)
		lease := w.lock(newMutex(s, w.path))
		during{w, network, cause}.call(lease.Check)
		if err := lease.Check(w.ended(cause)); !errors.Is(err, context.Canceled) {
			w.Errorf("%v, want %v", err, context.Canceled)
		}
		if lease.Context().Err() != nil {
			w.Errorf("lost: %v", context.Cause(lease.Context()))
		}
	})
}

// A downgrade whose outcome is not known is undone, whatever it was.
func TestCauseOfDowngrade(t *testing.T) {
	forEachCause(t, func(w *world, cause error) {
		s, network := w.dialThrough(session)
		lease := w.lock(newRWMutex(s, w.path))
		during{w, network, cause}.call(func(ctx context.Context) error {
			_, err := lease.Downgrade(ctx)
			return err
		}, opMulti)
		receive(w, lease.Lost(), "the loss")
		w.empties()
		if why := context.Cause(lease.Context()); !errors.Is(why, zklock.ErrLost) || !errors.Is(why, context.Canceled) {
			w.Errorf("lost by %v", why)
		}
	})
}

// A semaphore does not take the cause for a counter at its end.
func TestCauseOfAcquire(t *testing.T) {
	forEachCause(t, func(w *world, cause error) {
		semaphore := newSemaphore(w.dial(session), w.path, 1)
		permit, err := semaphore.Acquire(w.within())
		if err != nil {
			w.Fatal(err)
		}
		before := w.directory()
		ctx, cancel := context.WithCancelCause(w.Context())
		ctx = zklock.WithTrace(ctx, &zklock.Trace{WaitStart: func(zklock.WaitStartInfo) { cancel(cause) }})
		if _, err := semaphore.Acquire(ctx); !errors.Is(err, cause) {
			w.Errorf("%v, want %v", err, cause)
		}
		w.unlock(permit)
		w.empties()
		if permit, err = semaphore.Acquire(w.within()); err != nil {
			w.Fatal(err)
		}
		w.unlock(permit)
		if w.directory().Czxid != before.Czxid {
			w.Error("the directory was made anew")
		}
	})
}

// What does not take a lock returns, too, and does not say that all is well.
func TestCauseOfRequests(t *testing.T) {
	forEachCause(t, func(w *world, cause error) {
		s, network := w.dialThrough(session)
		semaphore := newSemaphore(s, w.path, 2)
		permit, err := semaphore.Acquire(w.within())
		if err != nil {
			w.Fatal(err)
		}
		d := during{w, network, cause}
		d.call(func(ctx context.Context) error { return semaphore.Resize(ctx, 3) })
		d.call(func(ctx context.Context) error { return zklock.Revoke(ctx, s, permit.Node()) })
		d.call(func(ctx context.Context) error {
			_, err := contenders(ctx, s, w.path)
			return err
		})
		w.unlock(permit)
	})
}

// A session that was lost before is no reason: who gives up while there is no
// connection is told that.
func TestCauseOfLockAfterALoss(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(time.Second)
	lease := w.lock(newMutex(s, w.path))
	network.fall()
	receive(t, lease.Lost(), "the loss")
	m := newMutex(s, w.path)
	for name, lock := range map[string]func(context.Context) (*zklock.Lease, error){"Lock": m.Lock, "TryLock": m.TryLock} {
		_, err := lock(w.soon())
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, zklock.ErrLost) || !strings.Contains(err.Error(), "not connected") {
			t.Errorf("%s: %v", name, err)
		}
	}
	network.heal()
}
