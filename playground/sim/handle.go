package sim

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock"
)

// A handle is a client's hold of one session, as ZooKeeper's own clients call
// it. It can be given up without a word to the server, which then keeps the
// session until it times out. Its methods are safe for concurrent use.
type handle struct {
	next    zk.Dialer
	given   atomic.Bool // up
	mu      sync.Mutex
	current net.Conn
}

// dial is a zk.Dialer, for as long as the handle is not given up.
func (h *handle) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	conn, err := h.next(network, address, timeout)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.given.Load() {
		conn.Close()
		return nil, net.ErrClosed
	}
	h.current = conn
	return conn, nil
}

// giveUp breaks the connection, for good.
func (h *handle) giveUp() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.given.Store(true)
	if h.current != nil {
		h.current.Close()
	}
}

// renew gives the client's session up, opens another and waits until that is
// connected. What the library still does for the old one is nobody's.
func (c *client) renew(ctx context.Context, lane event.Lane) error {
	old := c.session.Load()
	c.handle.giveUp()
	c.background.Go(func() { _ = old.Close(c.grace) }) // it cannot reach the server
	session, err := c.openSession(lane)
	if err != nil {
		return err
	}
	c.session.Store(session)
	return session.WaitConnected(ctx)
}

// openSession begins a session, and a handle of it.
func (c *client) openSession(lane event.Lane) (*zklock.Session, error) {
	h := &handle{next: c.link.Dial}
	c.handle = h
	told := func(s zklock.SessionState) {
		if !h.given.Load() {
			c.sessionChanged(s)
		}
	}
	return zklock.Dial(c.config.Servers, time.Duration(c.config.Scenario.Session),
		zklock.WithDialer(h.dial), zklock.WithSessionHook(told),
		zklock.WithBuffers(receiveBuffer(lane.Clients), sendBuffer))
}
