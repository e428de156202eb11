package locks_test

import (
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// The server opens another session for a client, whose own lives on. The holder and its
// waiter hear of that, and their znodes do not block the lock for as long as the former
// session lasts.
func TestReplacedSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	lease := w.lock(newMutex(s, w.path))
	waiter := w.startLock(newMutex(s, w.path))
	marker, err := s.Client().Create(w.path+"-marker", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll))
	if err != nil {
		t.Fatal(err)
	}
	before := s.SessionID()
	network.replaceSession()
	receive(t, lease.Lost(), "the loss")
	if err := waiter.failed(t); !errors.Is(err, zklock.ErrSessionLost) {
		t.Errorf("Lock = %v, want ErrSessionLost", err)
	}
	if err := lease.Unlock(w.within()); !errors.Is(err, zklock.ErrLost) {
		t.Errorf("Unlock = %v, want ErrLost", err)
	}
	w.unlock(w.lock(newMutex(w.dial(session), w.path)))
	if s.SessionID() == before {
		t.Error("the session is the same")
	}
	if found, _, err := w.conn.Exists(marker); err != nil || !found {
		t.Errorf("the next one holds when the server has ended the former session, %v", err)
	}
}
