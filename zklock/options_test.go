package zklock_test

import (
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

func TestProbe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	lock := zklock.NewMutex(s, w.path, zklock.WithProbe())
	lease, err := lock.TryLock(w.within()) // no directory yet
	if err != nil {
		t.Fatal(err)
	}
	w.watches(lease, 1) // and is not counted
	count := network.tally()
	if _, err := lock.TryLock(w.within()); !errors.Is(err, zklock.ErrHeld) {
		t.Fatalf("TryLock = %v, want ErrHeld", err)
	}
	if got := count(); got != "list" {
		t.Errorf("a failed try sent: %s", got)
	}
	w.unlock(lease)
	if lease, err = lock.TryLock(w.within()); err != nil {
		t.Fatal(err)
	}
	w.unlock(lease)
}

func TestMaxWaiters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := zklock.NewMutex(w.dial(session), w.path, zklock.WithMaxWaiters(1))
	holder := w.lock(lock)
	waiter := w.startLock(lock)
	if _, err := lock.Lock(w.within()); !errors.Is(err, zklock.ErrTooManyWaiters) {
		t.Fatalf("Lock = %v, want ErrTooManyWaiters", err)
	}
	w.unlock(holder)
	w.unlock(waiter.held(t))
	w.empties()
}

// kazoo names its znodes in its own way; told of it, a lock stands behind them.
func TestExtraMarkers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"/__lock__", "/5f0c38d9b6c04d7f8a40ad6f25d79f27__lock__"} {
		w := newWorld(t)
		s := w.dial(session)
		w.unlock(w.lock(zklock.NewMutex(s, w.path)))
		foreign, err := w.conn.Create(w.path+name, nil, zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := zklock.NewMutex(s, w.path).Lock(w.within()); !errors.Is(err, zklock.ErrForeign) {
			t.Errorf("%v, want it to be refused where nobody has told of them", err)
		}
		waiter := w.startLock(zklock.NewMutex(s, w.path, zklock.WithExtraMarkers("__lock__")))
		if err := w.conn.Delete(foreign, -1); err != nil {
			t.Fatal(err)
		}
		w.unlock(waiter.held(t))
	}
}
