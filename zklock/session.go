package zklock

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
	"github.com/zkplayground/zkplayground/zklock/internal/sessionclock"
)

// A Session is a client's session with ZooKeeper, as far as its locks depend on
// it: whether it is connected, and until when it may be counted on. When the
// server ends a session, go-zookeeper opens a new one by itself; the same
// Session goes on with it, and the locks of the old one are lost.
//
// Make one with [Dial], or bring a connection of your own with [NewSession].
// All methods may be called from any goroutine.
type Session struct {
	config      sessionConfig
	hosts       *hostProvider
	hooks       serial
	directories directories
	watches     watches
	calls       direct.Client
	history     protocol.History
	tooLarge    atomic.Int64   // replies that go-zookeeper refused for their size
	work        sync.WaitGroup // goroutines: requests, orphans, the connection's end
	stop        context.CancelFunc
	// background ends when nothing more can be done for the session.
	background context.Context

	mu            sync.Mutex
	client        Client
	owned         *zk.Conn // the connection to close; nil when it was brought
	events        <-chan zk.Event
	conn          *protocol.Conn // the newest connection that passed through Dialer
	direct        *direct.Conn   // the same, nil when calls are switched off
	heard         bool           // EventCallback has been called
	clock         sessionclock.Clock
	secrets       int   // that the server has not taken yet, see WithAuth
	refusal       error // of the first of these: it outlasts the connection, which the server closes
	linked        bool  // the clock's, as it was broadcast last
	state         State
	grant         *grant
	server        string        // that was dialed last
	failure       error         // of that attempt, or of its connection; nil when connected
	deadlineTimer *time.Timer   // fires when the clock may have run out
	syncTimer     *time.Timer   // fires when the leader is to be asked
	syncing       bool          // that timer runs
	changed       chan struct{} // closed at the next change of anything here
	resumed       chan struct{} // closed when the next connection is established
	users         int           // acquisitions, releases and orphans under way
	orphans       int           // of these
	closing       bool
	closed        chan struct{} // closed when all has ended

	closedTimer *time.Timer // fires when go-zookeeper may have been closed
	asking      bool        // whether it was
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
//	if err := s.Bind(conn); err != nil {
//		return err
//	}
//	defer s.Close(ctx) // before the connection
//
// Closing the connection first ends the session too: its locks are lost before
// the server lets others have them, and all else returns [ErrClosed].
//
// The EventCallback is needed, see [Session.Bind]. Without the Dialer the session
// cannot see what the server acknowledges, nor for how long it grants a session:
// then every broken connection counts as the session's loss, a partition is noticed
// late, the closing of the connection only once it has ended, and most acquisitions
// cost one more read. And without [Dial] the size that the client allows an answer,
// by zk.WithMaxBufferSize, is not known: where a queue's listing is larger, Lock
// may wait until its ctx ends.
func NewSession(opts ...SessionOption) *Session {
	config := newSessionConfig()
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
		hosts:   newHostProvider(),
		grant:   newGrant(0),
		changed: make(chan struct{}),
		resumed: make(chan struct{}),
		closed:  make(chan struct{}),
	}
	s.calls.MaxRequest, s.calls.MaxReply = config.send, config.receive
	s.background, s.stop = context.WithCancel(context.Background())
	return s
}

// newGUID returns 32 hex digits, the form that go-zookeeper's own protected
// creates have. It never fails: crypto/rand does not.
func newGUID() string {
	var guid [16]byte
	rand.Read(guid[:])
	return hex.EncodeToString(guid[:])
}

// ErrNotWired is returned by [Session.Bind] for a connection that does not tell the
// session what happens to it.
var ErrNotWired = errors.New("zklock: the connection was not made with the session's EventCallback, see NewSession")

// wiredTimeout is how long a connection may take to tell of its first event once
// it has tried to connect. It does so within microseconds, unless the machine is
// busy.
const wiredTimeout = 5 * time.Second

// Bind gives the session its connection. Call it once, at once after
// zk.Connect: nothing can be locked before. It returns [ErrNotWired], and binds
// nothing, when the connection was made without the session's
// [Session.EventCallback]: the session would never hear of a loss. So a connection that
// was made for something else cannot be used, and its channel of events is no way out:
// go-zookeeper drops those that find it full. [Dial] a session for the locks beside it.
// A connection that is not established yet may take up to 5 s to be refused.
func (s *Session) Bind(c Client) error {
	if !s.wired(c) && s.background.Err() == nil {
		return ErrNotWired
	}
	s.bind(c)
	return nil
}

// wired reports whether a connection tells the session what happens to it. One that has a
// session has told of that it was connecting before.
func (s *Session) wired(c Client) bool {
	ctx, cancel := context.WithTimeout(s.background, wiredTimeout)
	defer cancel()
	for {
		connected := c.State() == zk.StateHasSession
		s.mu.Lock()
		heard := s.heard
		s.mu.Unlock()
		if heard || connected || sleep(ctx, minRetry) != nil {
			return heard
		}
	}
}

// bind takes c, which is wired.
func (s *Session) bind(c Client) {
	state := c.State() // without s.mu: c may be of a type that asks the session
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = c
	s.broadcast()
	if state == zk.StateHasSession {
		s.connectedNow()
	}
	s.suspectClosed()
}

// Client returns the connection, for requests of your own in the same session;
// nil before Bind. After [Dial] it is a *zk.Conn, with the limits of
// [WithBuffers], which are less than a znode may hold: raise them to keep data
// through it. Requests wait for a connection, however long that takes.
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
	return s.clock.ID()
}

// Timeout returns the session timeout that the server granted, 0 when it is
// not known.
func (s *Session) Timeout() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock.Timeout()
}

// Context returns a context that lives as long as the present session may be
// counted on. Its cause is then [ErrSessionLost], or an error that wraps it.
// The next session has a new one; so has a session that the clock gave up and
// that turns out to live, because its locks were given up too.
func (s *Session) Context() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grant.ctx
}

// WaitConnected returns when the session is connected, or with the error of
// ctx, whose text then says why there is no connection, or with [ErrClosed].
func (s *Session) WaitConnected(ctx context.Context) error {
	_, err := s.connected(ctx)
	return s.reason(ctx, nil, err)
}

// await returns when ready says so, or when ready has an error, or errInterrupted
// when ctx has ended. It calls ready with s.mu held, at each change of the session.
func (s *Session) await(ctx context.Context, ready func() (bool, error)) error {
	for ctx.Err() == nil {
		s.mu.Lock()
		ok, err := ready()
		changed := s.changed
		s.mu.Unlock()
		if ok || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return errInterrupted
}

// connected waits for a connection, and returns the grant that it serves.
func (s *Session) connected(ctx context.Context) (g *grant, err error) {
	err = s.await(ctx, func() (bool, error) {
		if s.closing {
			return false, ErrClosed
		}
		s.checkClock()
		g = s.grant
		return s.state == Connected && s.client != nil && s.secrets == 0, nil
	})
	return g, err
}

// online waits for a connection on behalf of requests, which go on for clean-up
// while the session is closing, and returns the id of the session that it serves.
func (s *Session) online(ctx context.Context) (id int64, err error) {
	err = s.await(ctx, func() (bool, error) {
		if s.background.Err() != nil {
			return false, ErrClosed
		}
		id = s.clock.ID()
		return s.linked && s.client != nil && s.secrets == 0 && !s.directEnded(), nil
	})
	return id, err
}

// nextConnection returns a channel that is closed when the session's next
// connection is established.
func (s *Session) nextConnection() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.resumed
}

// enter counts a user in, for whom Close then waits. Each success is paired
// with a call of leave.
func (s *Session) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return ErrClosed
	}
	s.users++
	return nil
}

// enterClosing is enter for a caller that may have something left to be cleaned: it
// counts also while the session is closing.
func (s *Session) enterClosing() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users++
}

func (s *Session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	if s.closing {
		s.broadcast()
	}
}
