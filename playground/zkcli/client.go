package zkcli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A State is what a session is doing, in the words of zkCli's prompt.
type State string

// The states of a session. Only the first two are alive: from the others there is
// no way back but a new session.
const (
	Connecting State = "CONNECTING"
	Connected  State = "CONNECTED"
	Closed     State = "CLOSED"
	AuthFailed State = "AUTH_FAILED"
)

// Alive says whether commands can be sent in this state, or once it is connected.
func (s State) Alive() bool { return s == Connecting || s == Connected }

// An Event is of a session: a watch that has fired, or, of the type None and
// without a path, a change of the session's own state.
type Event struct {
	State string // SyncConnected, Disconnected, Expired, AuthFailed, Closed
	Type  string // None, NodeCreated, ..., as ZooKeeper calls it
	Path  string
}

// DefaultTimeout is the session timeout that zkCli requests.
const DefaultTimeout = 30 * time.Second

// reconnectPause is between two attempts to connect.
const reconnectPause = 200 * time.Millisecond

// ClientOptions say how to reach ZooKeeper.
type ClientOptions struct {
	// Servers are host:port, tried in this order; at least one.
	Servers []string
	// Timeout is the session timeout to request; 0 is DefaultTimeout.
	Timeout time.Duration
	// DialContext opens connections; nil is a net.Dialer's.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
	// OnEvent gets the events, one at a time. It must not call the client.
	OnEvent func(Event)
}

// A Client is a session as ZooKeeper's own client has it: it connects by itself, and
// again when the connection is lost, shows who it is and sets its watches again. What
// is asked meanwhile waits for the attempt that is under way, and fails with it. All
// methods may be called concurrently. It has to be closed, or abandoned.
type Client struct {
	options ClientOptions
	loop    sync.WaitGroup
	life    context.Context
	end     context.CancelFunc

	reports sync.Mutex // keeps events in order; never taken with mu held
	session string     // the session state that was reported last

	mu      sync.Mutex // never held while calling the connection, which calls back
	state   State
	closing bool
	conn    *wire.Client  // nil until it can be used
	attempt chan struct{} // closed when the attempt to connect has ended, one way or the other
	auths   []auth
	watches watches
}

type auth struct {
	scheme string
	data   []byte
}

// NewClient begins a session. It does not wait until that is connected.
func NewClient(o ClientOptions) *Client {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	c := &Client{options: o, state: Connecting, session: disconnected, attempt: make(chan struct{}), watches: watches{}}
	c.life, c.end = context.WithCancel(context.Background())
	c.loop.Go(c.run)
	return c
}

// State says what the session is doing.
func (c *Client) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Close ends the session. One that is not connected is closed with the attempt to
// connect that is under way, and else left to its timeout; so is one that ctx leaves
// no time for.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	alive := c.state.Alive() && !c.closing
	c.closing = c.closing || alive
	c.mu.Unlock()
	if !alive {
		c.Abandon()
		return nil
	}
	if conn, err := c.connection(ctx); err == nil {
		_ = conn.CloseSession(ctx) // the connection is lost or the time is up: the session ends by its timeout
	}
	c.Abandon()
	c.become(Closed)
	c.reportSession("Closed")
	return ctx.Err()
}

// Abandon breaks the connection, for good, and leaves the session to its timeout.
func (c *Client) Abandon() {
	c.end()
	c.loop.Wait()
}

// run keeps the session connected as long as there is one.
func (c *Client) run() {
	var last granted
	for c.life.Err() == nil {
		conn, err := c.connect(&last)
		switch {
		case errors.Is(err, wire.SessionExpired):
			c.become(Closed)
			c.reportSession("Expired")
			return
		case err == nil:
			c.await(conn)
			last.zxid = max(last.zxid, conn.Zxid())
			conn.Close()
		}
		if !c.disconnected(err == nil) {
			return
		}
		if err != nil {
			clock.Sleep(c.life, reconnectPause)
		}
	}
}

// await waits until a connection has ended, or the client has.
func (c *Client) await(conn *wire.Client) {
	select {
	case <-conn.Done():
	case <-c.life.Done():
	}
}

// A granted is what a session needs to be connected again.
type granted struct {
	id       int64
	password []byte
	zxid     int64 // the newest transaction that was seen
}

// connect opens or goes on with the session on a new connection, which is in use when
// it returns.
func (c *Client) connect(last *granted) (*wire.Client, error) {
	conn, err := c.dial(*last)
	if err != nil {
		return nil, err
	}
	last.id, last.password, _ = conn.Session()
	c.mu.Lock()
	if c.state == Connecting {
		c.state = Connected // before the event: its receiver looks at the state
	}
	c.mu.Unlock()
	c.reportSession("SyncConnected")
	if err := c.restore(conn, last.zxid); err != nil {
		conn.Close()
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == Connected {
		c.conn = conn
		close(c.attempt)
	}
	return conn, nil
}

// dial takes the first server that takes the session.
func (c *Client) dial(last granted) (*wire.Client, error) {
	var errs []error
	for _, server := range c.options.Servers {
		ctx, cancel := context.WithTimeout(c.life, c.options.Timeout/time.Duration(len(c.options.Servers)))
		conn, err := wire.Dial(ctx, server, wire.Options{
			Timeout: c.options.Timeout, SessionID: last.id, Password: last.password,
			OnEvent: c.fired, DialContext: c.options.DialContext,
		})
		cancel()
		if err == nil || errors.Is(err, wire.SessionExpired) {
			return conn, err
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// restore authenticates a new connection, and sets the session's watches.
func (c *Client) restore(conn *wire.Client, since int64) error {
	c.mu.Lock()
	auths, batches := c.auths, c.watches.batches()
	c.mu.Unlock()
	for _, a := range auths {
		if err := conn.AddAuth(c.life, a.scheme, a.data, c.authAnswered); err != nil {
			return fmt.Errorf("authenticate: %w", err)
		}
	}
	for _, batch := range batches {
		if err := conn.SetWatches(c.life, since, batch); err != nil {
			return fmt.Errorf("set the watches again: %w", err)
		}
	}
	return nil
}

// disconnected notes that there is no connection, and says whether to go on. After one
// that was in use an attempt begins; else one has ended.
func (c *Client) disconnected(wasInUse bool) bool {
	c.mu.Lock()
	goOn := c.state.Alive()
	c.conn = nil
	if goOn {
		if !wasInUse {
			close(c.attempt)
		}
		c.state, c.attempt = Connecting, make(chan struct{})
	}
	failed := c.state == AuthFailed
	leaving := c.closing || c.life.Err() != nil
	c.mu.Unlock()
	switch {
	case failed:
		c.reportSession("AuthFailed")
	case !leaving:
		c.reportSession(disconnected)
	}
	return goOn && !leaving
}

// become ends the session's use, and the waits for a connection.
func (c *Client) become(s State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.attempting() {
		close(c.attempt)
	}
	if c.state.Alive() {
		c.state, c.conn = s, nil
	}
}

// attempting reports whether an attempt to connect is under way. The caller has c.mu.
func (c *Client) attempting() bool { return c.state.Alive() && c.conn == nil }

// connection returns the connection, when the attempt to make one has ended.
func (c *Client) connection(ctx context.Context) (*wire.Client, error) {
	c.mu.Lock()
	attempt := c.attempt
	attempting := c.attempting()
	c.mu.Unlock()
	if attempting {
		select {
		case <-attempt:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-c.life.Done():
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.conn != nil:
		return c.conn, nil
	case c.state == AuthFailed:
		return nil, wire.AuthFailed
	case c.state == Closed:
		return nil, wire.SessionExpired
	}
	return nil, wire.ConnectionLoss
}
