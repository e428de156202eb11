package zklock

import (
	"context"
	"fmt"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
	"github.com/zkplayground/zkplayground/zklock/internal/sessionclock"
)

// A State says how a [Session] stands.
type State int

// The states of a session.
const (
	// Suspended: there is no connection, and the session may still live. Locks
	// are still held. A session begins in this state.
	Suspended State = iota
	// Connected: a server serves the session.
	Connected
	// Lost: the session is over, or may be for all that the client can know.
	// Its locks are lost. The client goes on to ask for a new one.
	Lost
)

// String returns the state's name.
func (s State) String() string {
	switch s {
	case Suspended:
		return "suspended"
	case Connected:
		return "connected"
	case Lost:
		return "lost"
	default:
		return "unknown"
	}
}

// A SessionState is a change of a session, as its hook is told. A session that
// is closed, or whose connection is, becomes Lost, and its Cause then wraps
// ErrClosed too.
type SessionState struct {
	State     State
	SessionID int64         // 0 before the first session
	Timeout   time.Duration // what the server granted; 0 when it is not known
	Cause     error         // with Lost, why; it wraps ErrSessionLost
}

// A grant is one session of the server for as long as the client may count on it,
// see sessionclock, and what is held in it. All but id and ctx is guarded by the
// session's mutex.
type grant struct {
	id     int64
	ctx    context.Context // ends with the grant; its cause wraps ErrSessionLost
	cancel context.CancelCauseFunc
	gone   bool // the server has ended the session: its znodes go with it
	leases map[*Lease]struct{}
}

func newGrant(id int64) *grant {
	g := &grant{id: id, leases: make(map[*Lease]struct{})}
	g.ctx, g.cancel = context.WithCancelCause(context.Background())
	return g
}

// within returns a context that ends with the grant, at once, or with ctx. A caller that
// sees it alive after a reply knows that the request was one of this session.
func (g *grant) within(ctx context.Context) (context.Context, context.CancelFunc) {
	joint, cancel := context.WithCancel(g.ctx)
	if ctx.Err() != nil {
		cancel()
	}
	detach := context.AfterFunc(ctx, cancel)
	return joint, func() { detach(); cancel() }
}

// EventCallback tells the session what go-zookeeper reports. It is for
// zk.WithEventCallback, and does not block.
func (s *Session) EventCallback(event zk.Event) {
	if event.Type != zk.EventSession {
		s.watches.fire(event)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.heard {
		s.heard = true
		s.broadcast()
	}
	switch event.State {
	case zk.StateHasSession:
		s.connectedNow()
	case zk.StateExpired:
		s.follow(s.clock.Expired())
	case zk.StateDisconnected:
		s.disconnected()
		s.suspectClosed()
	case zk.StateConnecting, zk.StateConnected: // the last has no session yet
		s.disconnected()
	}
}

// connectedNow follows the end of a handshake. The caller holds s.mu.
func (s *Session) connectedNow() {
	if s.clock.Linked() || s.conn == nil && s.client == nil {
		return
	}
	s.failure = nil
	stopTimer(s.closedTimer)
	var id int64
	if s.conn == nil { // no Observer has reported it
		id = s.client.SessionID()
	}
	s.watches.reset()
	close(s.resumed)
	s.resumed = make(chan struct{})
	s.follow(s.clock.Connected(id))
}

// disconnected follows the end of a connection. The caller holds s.mu.
func (s *Session) disconnected() {
	if s.clock.Linked() {
		s.follow(s.clock.Disconnected())
	}
}

// observer reports to a session what passes on its connections.
type observer struct{ *Session }

// HandshakeTimeout implements protocol.Observer.
func (s observer) HandshakeTimeout(asked time.Duration) time.Duration {
	if s.config.handshake > 0 {
		return s.config.handshake
	}
	return max(minHandshake, asked*2/3)
}

// Accepted implements protocol.Observer.
func (s observer) Accepted(c *protocol.Conn, id int64, timeout time.Duration, sent time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c != s.conn {
		return
	}
	s.hosts.accepted()
	s.follow(s.clock.Accepted(id, timeout, sent, time.Now()))
	s.setDeadlineTimer()
}

// Acknowledged implements protocol.Observer.
func (s observer) Acknowledged(c *protocol.Conn, sent time.Time, leader bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c != s.conn || s.closing {
		return
	}
	change := s.clock.Acknowledged(sent, time.Now(), leader)
	if change == (sessionclock.Change{}) {
		return
	}
	s.follow(change)
	s.setDeadlineTimer()
}

// Closing implements protocol.Observer.
func (s observer) Closing(c *protocol.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c == s.conn {
		s.connectionClosed()
	}
}

// TooLarge implements protocol.Observer.
func (s observer) TooLarge(*protocol.Conn) { s.tooLarge.Add(1) }

// GivenUp implements protocol.Observer.
func (s observer) GivenUp() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checkClock()
	return !s.clock.Live()
}

// Failed implements protocol.Observer.
func (s observer) Failed(_ *protocol.Conn, accepted bool, err error) { s.noteFailure(accepted, err) }

// checkClock ends the grant when it is overdue. The caller holds s.mu.
func (s *Session) checkClock() { s.follow(s.clock.Check(time.Now())) }

// setDeadlineTimer has the clock looked at when it runs out. The caller holds s.mu.
func (s *Session) setDeadlineTimer() {
	deadline := s.clock.Deadline()
	if s.closing || !s.clock.Live() || deadline.IsZero() {
		return
	}
	if s.deadlineTimer == nil {
		s.deadlineTimer = time.AfterFunc(time.Until(deadline), s.deadlinePassed)
		return
	}
	s.deadlineTimer.Reset(time.Until(deadline))
}

// deadlinePassed runs when the clock would have run out if nothing had been acknowledged
// since the timer was set.
func (s *Session) deadlinePassed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing {
		s.checkClock()
		s.setDeadlineTimer()
	}
}

// scheduleSync has the leader asked in a while, unless that is so already. The caller
// holds s.mu.
func (s *Session) scheduleSync() {
	every := s.clock.SyncEvery()
	switch {
	case s.syncing || every == 0:
		return
	case s.syncTimer == nil:
		s.syncTimer = time.AfterFunc(every, s.syncHeld)
	default:
		s.syncTimer.Reset(every)
	}
	s.syncing = true
}

// syncHeld asks the leader, as long as something is held; see sessionclock. Nobody waits for
// the answer: the connection's observer sees it.
func (s *Session) syncHeld() {
	s.mu.Lock()
	s.syncing = false
	held := !s.closing && len(s.grant.leases) > 0
	if held {
		s.scheduleSync()
	}
	linked := s.linked
	s.mu.Unlock()
	if held && linked {
		send(s, syncRequest("/"))
	}
}

// follow takes in what the clock has come to. It does not block. The caller holds
// s.mu.
func (s *Session) follow(change sessionclock.Change) {
	s.grant.gone = s.grant.gone || change.Gone
	if change.Ended != nil {
		s.lose(fmt.Errorf("%w: %w", ErrSessionLost, change.Ended))
	}
	if change.Begun {
		s.grant = newGrant(s.clock.ID())
		if s.closing {
			s.grant.cancel(errClosedSession)
		}
	}
	if s.grant.id == 0 {
		s.grant.id = s.clock.ID()
	}
	switch {
	case s.clock.Live() && s.clock.Linked() && s.state != Connected:
		s.enterState(Connected, nil)
	case !s.clock.Linked() && s.state == Connected:
		s.enterState(Suspended, nil)
	}
	if s.linked != s.clock.Linked() {
		s.linked = s.clock.Linked()
		s.broadcast()
	}
}

// lose ends the grant. The caller holds s.mu.
func (s *Session) lose(cause error) {
	s.grant.cancel(cause) // before anything can be sent in a later session
	for l := range s.grant.leases {
		l.lose(cause)
	}
	s.enterState(Lost, cause)
}

// enterState changes the state and has the hook called. The caller holds s.mu.
func (s *Session) enterState(state State, cause error) {
	s.state = state
	s.broadcast()
	if s.config.hook == nil {
		return
	}
	info := SessionState{State: state, SessionID: s.clock.ID(), Timeout: s.clock.Timeout(), Cause: cause}
	s.hooks.add(func() { s.config.hook(info) })
}

// broadcast wakes the waiters for a change of the session. The caller holds s.mu.
func (s *Session) broadcast() {
	close(s.changed)
	s.changed = make(chan struct{})
}
