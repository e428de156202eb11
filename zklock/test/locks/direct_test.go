package locks_test

import (
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// What somebody keeps on a znode ahead is no matter to who waits for it, even
// where it is larger than the client's buffer.
func TestLargeDataAhead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(zklock.NewMutex(w.dial(session, zklock.WithBuffers(64<<10, 64<<10)), w.path, zklock.WithData(make([]byte, 32<<10))))
	n := newNetwork(w)
	waiter := w.startLock(zklock.NewMutex(w.dial(session, zklock.WithBuffers(4096, 4096), zklock.WithDialer(n.Dial)), w.path))
	waiter.await(w, "wait-start", 1)
	w.unlock(holder)
	w.unlock(waiter.held(w))
	if n.dials() != 1 {
		t.Errorf("%d connections, want 1", n.dials())
	}
}

// After a reconnect the credentials go first, so nothing that is protected by
// them is refused.
func TestCredentialsAfterReconnect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := newNetwork(w)
	s := w.dial(session, zklock.WithDialer(n.Dial))
	if err := s.WaitConnected(w.within()); err != nil {
		t.Fatal(err)
	}
	if err := s.Client().(*zk.Conn).AddAuth("digest", []byte("someone:secret")); err != nil {
		t.Fatal(err)
	}
	acl := append(zk.DigestACL(zk.PermAll, "someone", "secret"), zk.WorldACL(zk.PermRead|zk.PermDelete)...)
	mutex := zklock.NewMutex(s, w.path, zklock.WithACL(acl))
	for range 5 {
		w.unlock(w.lock(mutex))
		n.cut()
	}
	w.unlock(w.lock(mutex))
}
