package locks_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A pingless connection loses pings, and carries all else.
type pingless struct{ net.Conn }

func (c pingless) Write(p []byte) (int, error) {
	const xidPing = -2
	if word(p, 4) == xidPing && word(p, 8) == opPing {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

func dialPingless(network, address string, timeout time.Duration) (net.Conn, error) {
	conn, err := zktest.Dial(network, address, timeout)
	return pingless{conn}, err
}

// The server answers credentials, but they do not keep a session alive, so
// the lease is lost by the clock, and not when the server has ended the session.
func TestCredentialsAreNoSignOfLife(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(mortal, zklock.WithDialer(dialPingless), zklock.WithSync(false))
	lease := w.lock(newMutex(s, w.path))
	every := time.NewTicker(mortal / 10)
	defer every.Stop()
	for lease.Context().Err() == nil {
		if err := s.Client().(*zk.Conn).AddAuth("digest", []byte("a:b")); err != nil {
			break // the server has ended the session
		}
		select {
		case <-every.C:
		case <-lease.Lost():
		}
	}
	receive(t, lease.Lost(), "the loss")
	if cause := context.Cause(lease.Context()); !strings.Contains(cause.Error(), "nothing acknowledged") {
		t.Errorf("the lease ended with %v, want the clock's word", cause)
	}
}

// A curt client gives no results of transactions, as after a reply that is cut
// short.
type curt struct{ *zk.Conn }

func (c curt) Multi(ops ...any) ([]zk.MultiResponse, error) {
	_, err := c.Conn.Multi(ops...)
	return nil, err
}

// A release that raises the directory's version gets no results.
func TestRaiseWithoutResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := newMutex(w.bring(func(c *zk.Conn) zklock.Client { return curt{c} }), w.path)
	w.unlock(w.lock(m))
	w.unlock(w.lock(m))
	if _, stat, err := w.conn.Get(w.path); err != nil || stat.Version == 0 {
		t.Fatalf("the directory was not raised: %+v, %v", stat, err)
	}
	w.empties()
}

// What somebody keeps on a znode ahead is no matter to who waits for it, even
// where it is larger than the client's buffer.
func TestLargeDataAhead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(newMutex(w.dial(session, zklock.WithBuffers(64<<10, 64<<10)), w.path, zklock.WithData(make([]byte, 32<<10))))
	n := newNetwork(w)
	waiter := w.startLock(newMutex(w.dial(session, zklock.WithBuffers(4096, 4096), zklock.WithDialer(n.Dial)), w.path))
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
	mutex := newMutex(s, w.path, zklock.WithACL(acl))
	for range 5 {
		w.unlock(w.lock(mutex))
		n.cut()
	}
	w.unlock(w.lock(mutex))
}

// bring returns a session whose requests pass through what wrap makes of its
// connection: a test can meddle at a moment that no network shows.
func (w *world) bring(wrap func(*zk.Conn) zklock.Client) *zklock.Session {
	w.Helper()
	s := zklock.NewSession()
	conn, _, err := zk.Connect(w.servers(), session,
		zk.WithEventCallback(s.EventCallback), zk.WithDialer(s.Dialer(zktest.Dial)),
		zk.WithHostProvider(s.HostProvider()), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(conn.Close)
	authenticate(w, conn)
	if err := s.Bind(wrap(conn)); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { closeSession(w, s) })
	return s
}
