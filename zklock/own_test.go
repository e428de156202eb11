package zklock_test

import (
	"context"
	"errors"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// Somebody deletes the holder's znode: the lease ends without being asked.
func TestHolderIsToldOfItsDeletion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lease := w.lock(zklock.NewMutex(w.dial(session), w.path))
	if err := w.conn.Delete(lease.Node(), -1); err != nil {
		t.Fatal(err)
	}
	receive(t, lease.Lost(), "the loss")
	if cause := context.Cause(lease.Context()); !errors.Is(cause, zklock.ErrLost) || errors.Is(cause, zklock.ErrSessionLost) {
		t.Errorf("cause %v", cause)
	}
}

// watches waits until n sessions watch the znode of l. One of them is l's own,
// some time after the lock was acquired.
func (w *world) watches(l *zklock.Lease, n int) {
	w.Helper()
	eventually(w, "the znode is watched", func() bool { return len(w.server.Watches(w)[l.Node()]) == n })
}

// The same when the watch is in place already, and over a reconnect.
func TestHolderIsToldLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	lease := w.lock(zklock.NewMutex(s, w.path))
	w.watches(lease, 1)
	network.cut()
	eventually(t, "it is connected again", func() bool { return network.dials() > 1 })
	w.watches(lease, 1)
	if err := w.conn.Delete(lease.Node(), -1); err != nil {
		t.Fatal(err)
	}
	receive(t, lease.Lost(), "the loss")
}

// Who looks ahead is next without a watch on its own znode for a moment. It
// may then hold without one, but not for long.
func TestWaiterDeletedInTheHandOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := func() zklock.Locker { return zklock.NewMutex(w.dial(session), w.path) }
	first := w.lock(lock())
	second, third := w.startLock(lock()), w.startLock(lock())
	w.unlock(first)
	lease := second.held(t)
	third.await(t, "listed 1 of 2", 1)
	if err := w.conn.Delete(w.others(lease)[0], -1); err != nil {
		t.Fatal(err)
	}
	w.unlock(lease)
	last := third.held(t)
	// Either it noticed in time and stood in line again, or it is told now.
	if third.count("enqueued recovered=false failed=false") == 1 {
		receive(t, last.Lost(), "the loss")
	} else {
		w.unlock(last)
	}
}

// Waiters who give up leave their watch to the next one.
func TestWaitsThatAreGivenUpShareAWatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(zklock.NewMutex(w.dial(session), w.path))
	s, network := w.dialThrough(session)
	lock := zklock.NewMutex(s, w.path)
	for range 5 {
		waiter := w.startLock(lock)
		waiter.cancel()
		if err := waiter.failed(t); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		eventually(t, "its znode is gone", func() bool { return len(w.children()) == 1 })
	}
	// One for the holder, and one for each own znode.
	if n := network.requests(opGetData); n != 1+5 {
		t.Errorf("%d watches set, want 6", n)
	}
	waiter := w.startLock(lock)
	w.unlock(holder)
	w.unlock(waiter.held(t))
}
