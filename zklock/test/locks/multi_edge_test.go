package locks_test

import (
	"errors"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// One path whose numbers are used up refuses all; one that is about to be
// starts again with a release.
func TestMultiSequenceEdge(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{Dir: zktest.SnapshotDir(t, map[string]int32{
		"/lock/new": 0, "/lock/used": lastUsed + 1, "/lock/half": firstReset, "/lock/full": firstReset,
	})})
	w := &world{TB: t, server: server, conn: server.Conn(t), path: "/lock"}
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
