package client

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A handle is a client's use of one session, as ZooKeeper's own clients call it.
// It can be given up without a word to the server, which then keeps the session
// until it times out. Its methods are safe for concurrent use.
type handle struct {
	next    zk.Dialer
	givenUp atomic.Bool
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
	if h.givenUp.Load() {
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
	h.givenUp.Store(true)
	if h.current != nil {
		h.current.Close()
	}
}

// A listing takes some 60 bytes a contender; the link's own frames are few.
const sendBuffer = 16 << 10

func receiveBuffer(clients int) int { return max(16<<10, 128*clients) }

// openSession begins a session, and a handle of it.
func (c *Process) openSession() (*zklock.Session, error) {
	h := &handle{next: c.link.Dial}
	c.handle = h
	told := func(s zklock.SessionState) {
		if !h.givenUp.Load() {
			c.sessionChanged(s)
		}
	}
	return zklock.Dial(c.config.ZooKeeper.Addresses, time.Duration(c.config.Scenario.Session),
		zklock.WithDialer(h.dial), zklock.WithSessionHook(told),
		zklock.WithBuffers(receiveBuffer(c.lane.Clients), sendBuffer))
}

// An environment is what a recipe may ask of its client. It is a recipe.Process.
type environment struct{ client *Process }

func (e environment) Session() *zklock.Session { return e.client.session.Load() }

func (e environment) LastCreated() (node string, zxid int64) { return e.client.tap.LastCreated() }

func (e environment) Label() string { return e.client.label }

func (e environment) Ending() bool { return e.client.ending() }

func (e environment) Grace() context.Context { return e.client.config.Grace }

func (e environment) Go(do func()) { e.client.background.Go(do) }

func (e environment) CleanUp(do func()) {
	e.client.deletions.begin()
	e.client.background.Go(func() {
		defer e.client.deletions.end()
		do()
	})
}

// Renew gives the client's session up and opens another. What the library still
// does for the old one is nobody's.
func (e environment) Renew(ctx context.Context) error {
	c := e.client
	old := c.session.Load()
	c.handle.giveUp()
	c.background.Go(func() { _ = old.Close(c.config.Grace) }) // it cannot reach the server
	session, err := c.openSession()
	if err != nil {
		return err
	}
	c.session.Store(session)
	return session.WaitConnected(ctx)
}
