package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// ErrClientClosed: the client was closed by its owner.
var ErrClientClosed = errors.New("wire: client closed")

// DefaultTimeout is the session timeout that [Dial] requests by default.
const DefaultTimeout = 4 * time.Second

// Options configure [Dial]. The zero value opens a new session.
type Options struct {
	// Timeout is the session timeout to request; 0 is DefaultTimeout.
	Timeout time.Duration
	// SessionID and Password, when set, attach to that session, which takes it
	// away from the connection that has it.
	SessionID int64
	Password  []byte
	// SuperPassword, when set, is that of ZooKeeper's superuser, whom no ACL binds; see
	// zkserver.Config. A server that has none, or another, gives no more rights for it.
	SuperPassword string
	// OnEvent gets the watch events, one at a time in the server's order, and
	// each before any reply that the server sent after it is handed over. It
	// must not call the client.
	OnEvent func(WatchEvent)
	// DialContext opens the connection; nil is a net.Dialer's.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
}

// A WatchEvent reports a change of a watched znode.
type WatchEvent struct {
	Type string // NodeCreated, NodeDeleted, NodeDataChanged, NodeChildrenChanged
	Path string
	Zxid int64 // the change's transaction; 0 from servers before 3.9
}

// A Client is one connection with a session. It pings by itself, and fails when
// the server is silent for two thirds of the session timeout. When the
// connection ends so does the Client: attach a new one to its session, or let
// the session expire. All methods may be called concurrently.
type Client struct {
	conn     net.Conn
	incoming *bufio.Reader // of conn, for the readLoop
	onEvent  func(WatchEvent)
	session  int64
	password []byte
	timeout  time.Duration

	mu      sync.Mutex
	xid     int32
	zxid    int64
	calls   map[int32]waiting // by the request's xid
	pings   []waiting         // for the replies to pings, in order
	writeMu sync.Mutex
	authMu  sync.Mutex

	loops sync.WaitGroup
	life  context.Context // ends with the connection; its cause says why
	end   context.CancelCauseFunc
}

// Dial connects to the server at addr and opens or attaches to a session. The
// context bounds the connection and the handshake. An error is Code
// SessionExpired when the session to attach to is gone or the password wrong.
func Dial(ctx context.Context, addr string, o Options) (*Client, error) {
	conn, err := o.dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	granted, err := handshake(ctx, conn, o)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("handshake with %s: %w", addr, err)
	}
	c := newClient(conn, o, granted)
	if o.SuperPassword == "" {
		return c, nil
	}
	if err := c.AddAuth(ctx, "digest", []byte("super:"+o.SuperPassword), nil); err != nil {
		c.Close()
		return nil, fmt.Errorf("be the superuser of %s: %w", addr, err)
	}
	return c, nil
}

func (o Options) dial(ctx context.Context, addr string) (net.Conn, error) {
	dial := o.DialContext
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	return dial(ctx, "tcp", addr)
}

func newClient(conn net.Conn, o Options, granted *Frame) *Client {
	c := &Client{
		conn: conn, incoming: bufio.NewReader(conn),
		onEvent: o.OnEvent, calls: make(map[int32]waiting),
		session: granted.Session, password: granted.Password, timeout: granted.Timeout,
	}
	c.life, c.end = context.WithCancelCause(context.Background())
	c.loops.Go(c.readLoop)
	c.loops.Go(c.pingLoop)
	return c
}

// Session returns the client's session with what is needed to attach to it, and
// the timeout that the server granted.
func (c *Client) Session() (id int64, password []byte, timeout time.Duration) {
	return c.session, bytes.Clone(c.password), c.timeout
}

// Zxid returns the newest transaction that the server had when it last answered;
// 0 before its first answer.
func (c *Client) Zxid() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.zxid
}

// Done is closed when the connection has ended.
func (c *Client) Done() <-chan struct{} { return c.life.Done() }

// Err says why the connection has ended; nil as long as it has not.
func (c *Client) Err() error { return context.Cause(c.life) }

// Close drops the connection and waits until no more events come. The session
// lives on until it expires; see [Client.CloseSession].
func (c *Client) Close() {
	c.fail(ErrClientClosed)
	c.loops.Wait()
}

// fail ends the connection, for the first reason that is given.
func (c *Client) fail(reason error) {
	c.end(reason)
	c.conn.Close()
}
