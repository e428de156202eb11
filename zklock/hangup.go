package zklock

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-zookeeper/zk"
)

// errHungUp ends what is still open when the connection is closed, for which
// go-zookeeper knows no way back.
var errHungUp = fmt.Errorf("%w: the connection was closed: %w", ErrSessionLost, ErrClosed)

// hungUp follows a request on c to end the ZooKeeper session, before it is
// sent: the server may give the locks to others at once.
func (s *Session) hungUp(c *frameConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c == s.conn {
		s.finish()
	}
}

// finish ends the session because its connection has been closed, by whoever
// it belongs to. Nothing can be cleaned any more, nor need be. It does not
// block. The caller holds s.mu.
func (s *Session) finish() {
	s.end(true, errHungUp)
	s.stop()
	s.pacer.hangUp() // or go-zookeeper may dial for ever: it looks only then whether it should stop
	s.broadcast()
	if !s.closing {
		s.closing = true
		go s.shutdown(s.background)
	}
}

// suspectAfter is how long go-zookeeper may do nothing about a connection that
// has ended before it is suspected to have been closed. It connects again at
// once. The connection of [Dial] is ours to close, so it takes longer until that
// is suspected of anybody else: a machine that is busy takes more than a moment
// to connect, and should not see a request for that in each of its sessions.
const (
	suspectAfter    = 100 * time.Millisecond
	suspectOwnAfter = 10 * time.Second
)

// suspect has it found out whether the connection was closed where no request
// said so: without our Dialer we do not see it, and none is sent when the
// connection breaks first. The caller holds s.mu.
func (s *Session) suspect() {
	after := suspectAfter
	if s.owned != nil {
		after = suspectOwnAfter
	}
	switch {
	case s.linked || s.background.Err() != nil:
	case s.quiet == nil:
		s.quiet = time.AfterFunc(after, s.inquire)
	default:
		s.quiet.Reset(after)
	}
}

// inquire asks go-zookeeper, unless that is connected again.
func (s *Session) inquire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil && !s.linked {
		s.inquireNow()
	}
}

// inquireNow makes a request while there is no connection, which go-zookeeper
// refuses only when it has been closed: else the answer comes after the next
// connection has been made. Nobody waits for it: there may be nothing else to
// be cleaned. The caller holds s.mu.
func (s *Session) inquireNow() {
	client, resumed := s.client, s.resumed
	if s.inquiring || s.background.Err() != nil {
		return
	}
	s.inquiring = true
	go func() { // ends with the outage, or with the connection
		_, _, err := client.Exists("/")
		s.mu.Lock()
		defer s.mu.Unlock()
		s.inquiring = false
		switch {
		case s.resumed != resumed:
			s.suspect()
			s.broadcast() // that may have ended too, and nobody has asked
		case errors.Is(err, zk.ErrConnectionClosed):
			s.finish()
		}
	}()
}
