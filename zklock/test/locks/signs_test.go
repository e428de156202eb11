package locks_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
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
	conn, err := net.DialTimeout(network, address, timeout)
	return pingless{conn}, err
}

// The server answers credentials, but they do not keep a session alive, so
// the lease is lost by the clock, and not when the server has ended the session.
func TestCredentialsAreNoSignOfLife(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(mortal, zklock.WithDialer(dialPingless))
	lease := w.lock(zklock.NewMutex(s, w.path))
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
	m := zklock.NewMutex(w.bring(func(c *zk.Conn) zklock.Client { return curt{c} }), w.path)
	w.unlock(w.lock(m))
	w.unlock(w.lock(m))
	if _, stat, err := w.conn.Get(w.path); err != nil || stat.Version == 0 {
		t.Fatalf("the directory was not raised: %+v, %v", stat, err)
	}
	w.empties()
}
