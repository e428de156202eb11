package client

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/wire"
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

// A sessionAccess is a session of zklock, which a recipe may replace by another.
type sessionAccess struct {
	client  *Process
	derived *derived // nil when the recipe tells all that it does
	handle  *handle  // of the session
	session atomic.Pointer[zklock.Session]
}

func newSessionAccess(c *Process) *sessionAccess {
	a := &sessionAccess{client: c}
	if c.recipe.Silent {
		a.derived = newDerived(c.lane.Path)
	}
	return a
}

func (a *sessionAccess) open() (recipe.Lock, error) {
	session, err := a.openSession()
	if err != nil {
		return nil, err
	}
	a.session.Store(session)
	c := a.client
	return c.recipe.New(recipe.Env{Session: session, Path: c.locks[0], Paths: c.locks, Permits: c.lane.Permits,
		Trace: c.trace(0), Thread: c.thread, Process: environment{c, a}}), nil
}

// openSession begins a session, and a handle of it.
func (a *sessionAccess) openSession() (*zklock.Session, error) {
	c := a.client
	h := &handle{next: c.link.Dial}
	a.handle = h
	told := func(s zklock.SessionState) {
		if !h.givenUp.Load() {
			c.sessionChanged(s)
		}
	}
	return zklock.Dial(c.config.ZooKeeper.Addresses, time.Duration(c.config.Scenario.Session),
		zklock.WithDialer(h.dial), zklock.WithSessionHook(told), zklock.WithSync(false), // a recipe's requests are shown, and counted
		zklock.WithBuffers(receiveBuffer(c.lane.Clients), sendBuffer))
}

func (a *sessionAccess) opened() bool { return a.session.Load() != nil }

func (a *sessionAccess) awaitConnected(ctx context.Context) error {
	return a.session.Load().WaitConnected(ctx)
}

func (a *sessionAccess) close(ctx context.Context) {
	session := a.session.Load()
	if session == nil {
		return
	}
	a.awaitHandshake(ctx, session)
	id, _, _ := a.client.tap.Session()
	if err := session.Close(ctx); err == nil && id != 0 {
		a.client.emit(event.Event{Kind: event.SessionClosed, Session: wire.SessionHex(id)})
	}
}

// awaitHandshake lets a handshake under way end: the server would keep the
// session that it opens until the timeout.
func (a *sessionAccess) awaitHandshake(ctx context.Context, session *zklock.Session) {
	if a.client.crashed.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, a.client.config.HandshakeTimeout)
	defer cancel()
	_ = session.WaitConnected(ctx) // there may be no server
}

func (a *sessionAccess) wait(ctx context.Context) {
	if session := a.session.Load(); session != nil {
		_ = session.Close(ctx) // waits for the rest
	}
}

func (a *sessionAccess) pause()  {}
func (a *sessionAccess) resume() {}
func (a *sessionAccess) died()   {}

// heard tells what a frame says of the recipe, where the recipe does not tell it.
func (a *sessionAccess) heard(e event.Event) {
	if a.derived == nil {
		return
	}
	if told, ok := a.derived.from(e); ok {
		a.client.emit(told)
	}
}

// An environment is what a recipe may ask of its client. It is a recipe.Process.
type environment struct {
	client   *Process
	sessions *sessionAccess // nil where the lock is not in ZooKeeper
}

func (e environment) Session() *zklock.Session { return e.sessions.session.Load() }

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
	a := e.sessions
	old := a.session.Load()
	a.handle.giveUp()
	e.client.background.Go(func() { _ = old.Close(e.client.config.Grace) }) // it cannot reach the server
	session, err := a.openSession()
	if err != nil {
		return err
	}
	a.session.Store(session)
	return session.WaitConnected(ctx)
}

// dialsAtOnce bounds how many connections are opened at the same time: a
// server's queue of new connections holds 50 (ZooKeeper's clientPortListenBacklog
// is the system's default), and one that overflows costs seconds.
const dialsAtOnce = 32

// watchTimeout bounds the wait for the observer before a connection is opened:
// a quarter of the session timeout, and at least minWatchTimeout.
func watchTimeout(session time.Duration) time.Duration { return max(minWatchTimeout, session/4) }

const minWatchTimeout = 500 * time.Millisecond

// A DialLimit opens connections, a few at a time.
type DialLimit struct {
	places  chan struct{}
	first   func(context.Context) // is waited for before each
	timeout time.Duration         // of that wait
}

// NewDialLimit returns one that waits for first before each connection, but not
// too long for a session of that timeout.
func NewDialLimit(first func(context.Context), session time.Duration) *DialLimit {
	return &DialLimit{places: make(chan struct{}, dialsAtOnce), first: first, timeout: watchTimeout(session)}
}

// DialContext is that of a net.Dialer.
func (d *DialLimit) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	d.waitFirst(ctx)
	select {
	case d.places <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-d.places }()
	return new(net.Dialer).DialContext(ctx, network, address)
}

func (d *DialLimit) waitFirst(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	d.first(ctx)
}
