package zklock

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"
)

// A Session is a client's session with ZooKeeper, as far as its locks depend on
// it: whether it is connected, and until when it may be counted on. When the
// server ends a session, go-zookeeper opens a new one by itself; the same
// Session goes on with it, and the locks of the old one are lost.
//
// Make one with [Dial], or bring a connection of your own with [NewSession].
// All methods may be called from any goroutine.
type Session struct {
	config sessionConfig
	pacer  *pacer
	hooks  serial
	tokens tokens
	// directories and spares save requests.
	directories directories
	spares      spares
	reminders   reminders
	// tooLarge counts answers that the client refuses for their size. It only
	// breaks the connection, so that nobody would know why.
	tooLarge atomic.Int64
	markless atomic.Bool    // the server cannot read a mark
	heirless atomic.Bool    // watches cannot be taken back
	watched  atomic.Bool    // a watch has been set by go-zookeeper, ever
	xid      atomic.Int32   // of the request that last went past go-zookeeper
	lastZxid atomic.Int64   // the highest in replies that go-zookeeper did not see
	work     sync.WaitGroup // goroutines: requests, orphans, the connection's end
	stop     context.CancelFunc
	// background ends when nothing more can be done for the session.
	background context.Context

	mu      sync.Mutex
	client  Client
	plain   bool     // the client is go-zookeeper's own
	owned   *zk.Conn // the connection to close; nil when it was brought
	events  <-chan zk.Event
	conn    *frameConn // the newest connection that passed through Dialer
	linked  bool       // go-zookeeper says that it has a session
	server  string     // that was dialed last
	failure error      // of that attempt, or of its connection; nil when connected
	state   State
	grant   *grant
	timer   *time.Timer   // fires when the grant may be overdue
	quiet   *time.Timer   // fires when go-zookeeper may have been closed
	changed chan struct{} // closed at the next change of anything here
	resumed chan struct{} // closed when the next connection is established
	users   int           // acquisitions, releases and orphans under way
	orphans int           // of these
	// inquiring says that go-zookeeper is being asked whether it was closed.
	inquiring bool
	closing   bool
	closed    chan struct{} // closed when all has ended
}

// NewSession returns a session without a connection. Wire it up with a
// go-zookeeper connection of your own:
//
//	s := zklock.NewSession()
//	conn, _, err := zk.Connect(servers, timeout,
//		zk.WithEventCallback(s.EventCallback),
//		zk.WithDialer(s.Dialer(net.DialTimeout)),
//		zk.WithHostProvider(s.HostProvider()))
//	if err != nil {
//		return err
//	}
//	defer conn.Close()
//	s.Bind(conn)
//	defer s.Close(ctx) // before the connection
//
// Closing the connection first ends the session too: its locks are lost before
// the server lets others have them, and all else returns [ErrClosed].
//
// Without the Dialer the session cannot see what the server acknowledges, nor
// for how long it grants a session: then every broken connection counts as the
// session's loss, a partition is noticed late, the closing of the connection
// only once it has ended, and most acquisitions cost one more read. And without
// [Dial] the size that the client allows an answer, by zk.WithMaxBufferSize, is
// not known: where a queue's listing is larger, Lock may wait until its ctx
// ends.
func NewSession(opts ...SessionOption) *Session {
	config := sessionConfig{newGUID: randomGUID}
	for _, opt := range opts {
		if opt != nil {
			opt(&config)
		}
	}
	return newSession(config)
}

func newSession(config sessionConfig) *Session {
	s := &Session{
		config:  config,
		pacer:   newPacer(),
		grant:   newGrant(0),
		changed: make(chan struct{}),
		resumed: make(chan struct{}),
		closed:  make(chan struct{}),
	}
	background, stop := context.WithCancelCause(own(context.Background()))
	s.background, s.stop = background, func() { stop(ErrClosed) }
	return s
}

// randomGUID returns 32 hex digits, the form that go-zookeeper's own protected
// creates have. It never fails: crypto/rand does not.
func randomGUID() string {
	var guid [16]byte
	rand.Read(guid[:])
	return hex.EncodeToString(guid[:])
}

// Bind gives the session its connection. Call it once, at once after
// zk.Connect: nothing can be locked before.
func (s *Session) Bind(c Client) {
	s.mu.Lock()
	s.client = c
	_, s.plain = c.(*zk.Conn)
	s.broadcast()
	linked := s.linked
	s.suspect()
	s.mu.Unlock()
	if !linked && c.State() == zk.StateHasSession {
		s.EventCallback(zk.Event{Type: zk.EventSession, State: zk.StateHasSession})
	}
}

// Client returns the connection, for requests of your own in the same session;
// nil before Bind. After [Dial] it is a *zk.Conn, with the limits of
// [WithBuffers], which are less than a znode may hold: raise them to keep data
// through it. Requests wait for a connection, however long that takes. To
// authenticate, call AddAuth of the *zk.Conn.
func (s *Session) Client() Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// State returns the present state.
func (s *Session) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// SessionID returns the id of the newest session, 0 before the first.
func (s *Session) SessionID() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grant.id
}

// Timeout returns the session timeout that the server granted, 0 when it is
// not known.
func (s *Session) Timeout() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grant.timeout
}

// Context returns a context that lives as long as the present session may be
// counted on. Its cause is then [ErrSessionLost], or an error that wraps it.
// The next session has a new one; so has a session that the clock gave up and
// that turns out to live, because its locks were given up too.
func (s *Session) Context() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grant.shown
}

// WaitConnected returns when the session is connected, or with the error of
// ctx, whose text then says why there is no connection, or with [ErrClosed].
func (s *Session) WaitConnected(ctx context.Context) error {
	_, err := s.connected(ctx)
	return reported(err)
}

// nextConnection returns a channel that is closed when the session's next
// connection is established.
func (s *Session) nextConnection() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.resumed
}
