package zklock

import (
	"encoding/binary"
	"time"
)

// Where the greeting, a client's first frame, has what.
const (
	greetingZxid    = 4
	greetingTimeout = 12
	greetingSession = 16
	greetingLength  = 24 // at least
)

// greeting puts into a greeting the highest zxid that the session has seen,
// where that is more than go-zookeeper has: the server then refuses a client
// that knows more than itself. A client that asks for a new session may know
// nothing. The caller holds c.mu.
func (c *frameConn) greeting(p []byte) []byte {
	if !c.greeted.IsZero() || len(p) < 4+greetingLength {
		return p
	}
	if id, _ := int64At(p[4:], greetingSession); id == 0 {
		c.session.lastZxid.Store(0)
		return p
	}
	told, _ := int64At(p[4:], greetingZxid)
	changed := append([]byte(nil), p...)
	binary.BigEndian.PutUint64(changed[4+greetingZxid:], uint64(max(told, c.session.lastZxid.Load())))
	return changed
}

// seen takes in the zxid of a reply that go-zookeeper does not see.
func (s *Session) seen(zxid int64) {
	for last := s.lastZxid.Load(); zxid > last; last = s.lastZxid.Load() {
		if s.lastZxid.CompareAndSwap(last, zxid) {
			return
		}
	}
}

func (c *frameConn) noteGreeting(head []byte, started time.Time) {
	c.greeted = started
	asked, _ := int32At(head, greetingTimeout)
	c.deadline = started.Add(c.session.handshakeTimeout(time.Duration(asked) * time.Millisecond))
	id, _ := int64At(head, greetingSession)
	c.resumes = id != 0 && c.session.watched.Load()
}

// rearmWait is how long replies wait for go-zookeeper to set its watches again.
// It does so within microseconds where the machine is not busy, unless all of
// them have fired.
const rearmWait = 100 * time.Millisecond

// awaitRearm holds back the first replies in a resumed session until the
// request that sets the watches again has been sent. go-zookeeper writes into
// it the zxid of the last reply, without a lock, and so a reply that came too
// early would race with it, and have the server skip events.
func (c *frameConn) awaitRearm() {
	c.mu.Lock()
	answered, resumes := c.answered, c.resumes
	c.mu.Unlock()
	if !answered || !resumes {
		return
	}
	timer := time.NewTimer(rearmWait)
	defer timer.Stop()
	select {
	case <-c.rearmed:
	case <-timer.C:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.resumes = false
	}
}
