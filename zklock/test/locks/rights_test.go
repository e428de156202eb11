package locks_test

import (
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// Who may not delete in the directory holds the lock until the session ends.
func TestUnlockWithoutRightToDelete(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermRead|zk.PermCreate)); err != nil {
		t.Fatal(err)
	}
	s := w.dial(session)
	lease := w.lock(zklock.NewMutex(s, w.path))
	if err := lease.Unlock(w.within()); !errors.Is(err, zk.ErrNoAuth) {
		t.Errorf("Unlock = %v, want ErrNoAuth", err)
	}
	next := w.startLock(zklock.NewMutex(w.dial(session), w.path))
	closeSession(t, s)
	next.held(t)
}

// A limit is written into the directory.
func TestRightToWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	acl := zklock.WithACL(zk.WorldACL(zk.PermAll &^ zk.PermWrite))
	w.unlock(w.lock(zklock.NewMutex(s, w.path, acl)))
	if err := attempted(zklock.NewSemaphore(s, w.path+"-permits", 1, acl).Acquire(w.within())); !errors.Is(err, zk.ErrNoAuth) {
		t.Errorf("Semaphore: %v, want ErrNoAuth", err)
	}
}
