package locks_test

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
	lock := newMutex(s, w.path, zklock.WithProbe())
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
	lock := newMutex(w.dial(session), w.path, zklock.WithMaxWaiters(1))
	holder := w.lock(lock)
	waiter := w.startLock(lock)
	if _, err := lock.Lock(w.within()); !errors.Is(err, zklock.ErrTooManyWaiters) {
		t.Fatalf("Lock = %v, want ErrTooManyWaiters", err)
	}
	w.unlock(holder)
	w.unlock(waiter.held(t))
	w.empties()
}

// Who may not delete in the directory holds the lock until the session ends.
func TestUnlockWithoutRightToDelete(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermRead|zk.PermCreate)); err != nil {
		t.Fatal(err)
	}
	s := w.dial(session)
	lease := w.lock(newMutex(s, w.path))
	if err := lease.Unlock(w.within()); !errors.Is(err, zk.ErrNoAuth) {
		t.Errorf("Unlock = %v, want ErrNoAuth", err)
	}
	next := w.startLock(newMutex(w.dial(session), w.path))
	closeSession(t, s)
	next.held(t)
}

// A limit is written into the directory.
func TestRightToWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	acl := zklock.WithACL(zk.WorldACL(zk.PermAll &^ zk.PermWrite))
	w.unlock(w.lock(newMutex(s, w.path, acl)))
	if err := attempted(newSemaphore(s, w.path+"-permits", 1, acl).Acquire(w.within())); !errors.Is(err, zk.ErrNoAuth) {
		t.Errorf("Semaphore: %v, want ErrNoAuth", err)
	}
}
