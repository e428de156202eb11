package zklock_test

import (
	"encoding/binary"
	"net"
	"sync/atomic"
	"testing"
	"time"

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

// A packetConn counts the packets that hold more than one request.
type packetConn struct {
	net.Conn
	joint *atomic.Int32
}

func (c packetConn) Write(p []byte) (int, error) {
	if len(p) >= 4 && len(p) > 4+int(binary.BigEndian.Uint32(p)) {
		c.joint.Add(1)
	}
	return c.Conn.Write(p)
}

// Clients that take a lock in turn come to ask for the watches on those ahead
// in one packet with their create.
func TestForesight(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	joint := new(atomic.Int32)
	dial := func(kind, address string, timeout time.Duration) (net.Conn, error) {
		conn, err := net.DialTimeout(kind, address, timeout)
		return packetConn{conn, joint}, err
	}
	first := zklock.NewMutex(w.dial(session), w.path)
	second := zklock.NewMutex(w.dial(session), w.path)
	third := zklock.NewMutex(w.dial(session, zklock.WithDialer(dial)), w.path)
	a := w.lock(first)
	for round := range 8 {
		before := joint.Load()
		b := w.startLock(second)
		b.await(w, "wait-start", 1)
		c := w.startLock(third)
		c.await(w, "wait-start", 1)
		if round >= 4 && joint.Load() != before+1 {
			t.Errorf("round %d: %d packets of several requests, want 1", round, joint.Load()-before)
		}
		w.unlock(a)
		held := b.held(w)
		next := w.startLock(first)
		c.await(w, "looked-ahead", 1) // it might hear of the other end first
		w.unlock(held)
		w.unlock(c.held(w))
		a = next.held(w)
	}
	w.unlock(a)
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
