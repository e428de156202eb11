package zklock

import (
	"fmt"
	"time"

	"github.com/go-zookeeper/zk"
)

// EventCallback tells the session what go-zookeeper reports. It is for
// zk.WithEventCallback, and does not block.
func (s *Session) EventCallback(event zk.Event) {
	if event.Type != zk.EventSession {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch event.State {
	case zk.StateHasSession:
		s.establish()
	case zk.StateExpired:
		s.end(true, fmt.Errorf("%w: the server says it has expired", ErrSessionLost))
	case zk.StateDisconnected:
		s.disconnect()
		s.suspect()
	case zk.StateConnecting, zk.StateConnected: // the last has no session yet
		s.disconnect()
	}
}

// establish follows the end of a handshake. The caller holds s.mu.
func (s *Session) establish() {
	if s.linked || s.conn == nil && s.client == nil {
		return
	}
	s.linked, s.failure = true, nil
	halt(s.quiet)
	if s.conn == nil {
		s.grantTo(s.client.SessionID())
	}
	close(s.resumed)
	s.resumed = make(chan struct{})
	if s.grant.live() {
		s.enterState(Connected, nil)
	}
	s.broadcast()
}

// disconnect follows the end of a connection. The caller holds s.mu.
func (s *Session) disconnect() {
	if !s.linked {
		return
	}
	s.linked = false
	s.broadcast()
	if s.state != Connected {
		return
	}
	if s.grant.timeout == 0 {
		s.end(false, fmt.Errorf("%w: disconnected, and the timeout is not known", ErrSessionLost))
		return
	}
	s.enterState(Suspended, nil)
}

// accepted follows the server's answer to a handshake that was sent at sent.
// An id of 0 means that the session has expired.
func (s *Session) accepted(c *frameConn, id int64, timeout time.Duration, sent time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c != s.conn {
		return
	}
	s.pacer.reset()
	s.checkClock(time.Now())
	if id == 0 {
		s.end(true, fmt.Errorf("%w: the server says it has expired", ErrSessionLost))
		return
	}
	s.grantTo(id)
	s.grant.timeout, s.grant.acked = timeout, sent
	s.arm(sent.Add(timeout))
}

// grantTo makes the grant one of session id. The caller holds s.mu.
func (s *Session) grantTo(id int64) {
	if s.grant.id == 0 {
		s.grant.id = id
	}
	if s.grant.id != id {
		s.end(true, fmt.Errorf("%w: the server has opened another", ErrSessionLost))
	}
	if s.grant.live() {
		return
	}
	s.grant = newGrant(id)
	if s.closing {
		s.grant.cancel(errClosedSession)
	}
}

// acknowledged follows a reply on c to a frame that was sent at sent. When the
// clock has ended the grant too early, as a slow network makes it, a fresh
// acknowledgement begins a new one.
func (s *Session) acknowledged(c *frameConn, sent time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || c != s.conn {
		return
	}
	s.checkClock(time.Now()) // late is lost
	if sent.After(s.grant.acked) {
		s.grant.acked = sent
	}
	old := s.grant
	if old.live() || old.gone || !s.linked || old.overdue(time.Now()) {
		return
	}
	s.grantTo(old.id)
	s.grant.timeout, s.grant.acked = old.timeout, old.acked
	s.arm(old.acked.Add(old.timeout))
	s.enterState(Connected, nil)
}

// arm sets the clock to look at the grant at the given time. The caller holds
// s.mu.
func (s *Session) arm(at time.Time) {
	if s.closing {
		return
	}
	if s.timer == nil {
		s.timer = time.AfterFunc(time.Until(at), s.tick)
		return
	}
	s.timer.Reset(time.Until(at))
}

// tick runs when the grant would be overdue had nothing been acknowledged
// since the clock was set. It does not block.
func (s *Session) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || s.grant.timeout == 0 {
		return
	}
	s.checkClock(time.Now())
	if s.grant.live() {
		s.arm(s.grant.acked.Add(s.grant.timeout))
	}
}

// checkClock ends the grant when it is overdue. The caller holds s.mu.
func (s *Session) checkClock(now time.Time) {
	if s.grant.live() && s.grant.overdue(now) {
		s.end(false, fmt.Errorf("%w: nothing acknowledged within its timeout of %v", ErrSessionLost, s.grant.timeout))
	}
}

// end ends the grant; gone says that the server has ended the session. The
// caller holds s.mu.
func (s *Session) end(gone bool, cause error) {
	g := s.grant
	g.gone = g.gone || gone
	if !g.live() {
		return
	}
	g.cancel(cause) // before anything can be sent in a later session
	for l := range g.leases {
		l.lose(cause)
	}
	s.enterState(Lost, cause)
}

// enterState changes the state and has the hook told. The caller holds s.mu.
func (s *Session) enterState(state State, cause error) {
	s.state = state
	s.broadcast()
	if s.config.hook == nil {
		return
	}
	info := SessionState{State: state, SessionID: s.grant.id, Timeout: s.grant.timeout, Cause: cause}
	s.hooks.add(func() { s.config.hook(info) })
}
