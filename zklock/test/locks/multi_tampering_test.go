package locks_test

import (
	"context"
	"errors"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// Somebody deletes one of the waiter's znodes: of the path that it has, of the
// one that it waits for, or of one that it has not come to. It stands in line
// again, on all.
func TestMultiOwnNodeDeletedWhileWaiting(t *testing.T) {
	t.Parallel()
	for _, deleted := range []string{"a", "b", "c"} {
		t.Run(deleted, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			holders := []*zklock.Lease{w.lock(w.mutex("b")), w.lock(w.mutex("c"))}
			waiter := w.startMulti(w.multi(w.dial(session), "a b c"))
			nodes := w.queue(deleted)
			if err := w.conn.Delete(nodes[len(nodes)-1], -1); err != nil {
				t.Fatal(err)
			}
			for _, holder := range holders {
				w.unlock(holder)
			}
			lease := waiter.held(t)
			if err := lease.Check(w.within()); err != nil {
				t.Fatal(err)
			}
			if n := waiter.count("enqueued recovered=false failed=false"); n != 6 {
				t.Errorf("stood in line %d times, want twice on three paths", n)
			}
			w.become("a b c", 1)
			w.unlockAll(lease)
			w.become("a b c", 0)
		})
	}
}

// Somebody deletes one of the holder's znodes: all is lost, and the others are
// given up.
func TestMultiOwnNodeDeletedWhileHeld(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(*zklock.MultiLease, context.Context) error{
		"Check": (*zklock.MultiLease).Check, "Unlock": (*zklock.MultiLease).Unlock,
		"Lost": func(l *zklock.MultiLease, _ context.Context) error {
			<-l.Lost()
			return context.Cause(l.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			lease := w.lockAll(w.multi(w.dial(session), "a b c"))
			if err := w.conn.Delete(lease.Nodes()[1], -1); err != nil {
				t.Fatal(err)
			}
			if err := act(lease, w.within()); !errors.Is(err, zklock.ErrLost) {
				t.Errorf("%s = %v, want ErrLost", name, err)
			}
			if lease.Context().Err() == nil {
				t.Error("the lease goes on")
			}
			w.become("a b c", 0)
		})
	}
}

// A directory that goes between two acquisitions is made again.
func TestMultiParentDeletedBetween(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.multi(w.dial(session), "a b/deep/er")
	first := w.lockAll(m)
	w.unlockAll(first)
	for _, name := range []string{"b/deep/er", "b/deep", "b"} {
		if err := w.conn.Delete(w.at(name)[0], -1); err != nil {
			t.Fatal(err)
		}
	}
	again := w.lockAll(m)
	if again.Token() <= first.Token() {
		t.Errorf("token %d after %d", again.Token(), first.Token())
	}
	w.unlockAll(again)
}

// One path whose numbers are used up refuses all; one that is about to be
// starts again with a release.
func TestMultiSequenceEdge(t *testing.T) {
	t.Parallel()
	w := newEdgeWorld(t, "/multi")
	s := w.dial(session)
	if _, err := w.multi(s, "new used").Lock(w.within()); !errors.Is(err, zklock.ErrSequenceExhausted) {
		t.Fatalf("Lock = %v, want ErrSequenceExhausted", err)
	}
	w.become("new used", 0)

	w.unlockAll(w.lockAll(w.multi(s, "new half full")))
	lease := w.lockAll(w.multi(s, "half full"))
	for i, name := range []string{"half", "full"} {
		if node := lease.Nodes()[i]; node[len(node)-10:] != "0000000000" {
			t.Errorf("%s: %s, want number 0", name, node)
		}
	}
	waiter := w.startLock(w.mutex("half"))
	w.unlockAll(lease)
	w.unlock(waiter.held(t))
}

// A hook that panics in the caller's goroutine does not block the session's.
func TestMultiPanicInAcquired(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, record := w.dial(session), newRecorder()
	trace := record.trace()
	trace.Acquired = func(zklock.AcquiredInfo) { panic("a hook's") }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the hook was not called")
			}
		}()
		w.lockAll(w.multi(s, "a b"), trace)
	}()
	closeSession(t, s)
	if n := record.count("lost"); n != 2 {
		t.Errorf("told of %d losses, want 2", n)
	}
}
