// Package sessionclock says until when a ZooKeeper session may be counted on. It
// is pure: its methods take what happened and when, and set no timer.
//
// The server keeps a session for its timeout after each frame that it receives. A
// client that is cut off learns nothing. So a [Clock] counts from when the client
// sent the last frame that was acknowledged, and gives the session up when the
// timeout has passed since: the server, which received that frame later, ends the
// session later.
//
// Its input comes from two sides: of the connection's frames (Accepted,
// Acknowledged), and of the client library (Connected, Disconnected, Expired).
// Without the frames the timeout is not known, and every broken connection counts
// as the session's loss.
package sessionclock

import (
	"errors"
	"fmt"
	"time"
)

// The reasons for which a session is given up.
var (
	ErrExpired  = errors.New("the server says it has expired")
	ErrReplaced = errors.New("the server has opened another")
	ErrUnknown  = errors.New("disconnected, and the timeout is not known")
	// ErrOverdue is wrapped with the timeout.
	ErrOverdue = errors.New("nothing acknowledged within its timeout")
)

// A Clock follows a client's session, and the next one when the server has ended
// it. The time for which one session may be counted on is called a grant: it ends once,
// and a session that was given up too early and turns out to live begins another.
// The zero Clock has a grant of a session that is yet to be opened. Its
// methods are not safe for concurrent use; the times they are given come from one
// monotonic clock.
type Clock struct {
	id      int64         // of the session, 0 before the first
	timeout time.Duration // that the server granted, 0 when it is not known
	acked   time.Time     // when the last frame was sent that was acknowledged
	linked  bool          // there is a connection that serves the session
	ended   bool          // the grant has
	gone    bool          // the server has ended the session: its znodes go with it
}

// A Change is what a call has led to: first the end of the grant, if Ended says why,
// and then the begin of the next, if Begun says so. Gone says that the server has
// ended the session of the first, also when that grant had ended before.
type Change struct {
	Ended error
	Gone  bool
	Begun bool
}

// ID returns the id of the newest session, 0 before the first.
func (c *Clock) ID() int64 { return c.id }

// Timeout returns what the server granted, 0 when it is not known.
func (c *Clock) Timeout() time.Duration { return c.timeout }

// Linked reports whether there is a connection that serves the session.
func (c *Clock) Linked() bool { return c.linked }

// Live reports whether the grant lasts.
func (c *Clock) Live() bool { return !c.ended }

// Deadline returns when the session is to be given up, if nothing is acknowledged
// before; the zero time when that is not known.
func (c *Clock) Deadline() time.Time {
	if c.timeout == 0 {
		return time.Time{}
	}
	return c.acked.Add(c.timeout)
}

// Connected takes in that a handshake has ended well. An id of 0 stands for that
// which Accepted has reported.
func (c *Clock) Connected(id int64) Change {
	c.linked = true
	if id == 0 {
		return Change{}
	}
	return c.grant(id)
}

// Disconnected takes in that the connection has ended.
func (c *Clock) Disconnected() Change {
	was := c.linked
	c.linked = false
	if !was || c.timeout > 0 {
		return Change{}
	}
	return Change{Ended: c.end(ErrUnknown)}
}

// Accepted takes in the server's answer to a handshake that was sent at sent. An
// id of 0 means that the session has expired.
func (c *Clock) Accepted(id int64, timeout time.Duration, sent, now time.Time) Change {
	change := c.Check(now)
	if id == 0 {
		return change.then(c.Expired())
	}
	change = change.then(c.grant(id))
	c.timeout, c.acked = timeout, sent
	return change
}

// Acknowledged takes in a reply to a frame that was sent at sent. When the session
// was given up too early, as a slow network makes it, a fresh acknowledgement
// begins another grant of it.
func (c *Clock) Acknowledged(sent, now time.Time) Change {
	change := c.Check(now) // late is lost
	if sent.After(c.acked) {
		c.acked = sent
	}
	if !c.ended || c.gone || !c.linked || c.overdue(now) {
		return change
	}
	c.ended = false
	return change.then(Change{Begun: true})
}

// Expired takes in the server's word that the session has ended.
func (c *Clock) Expired() Change { return c.Close(ErrExpired) }

// Close takes in that the session has been ended, or is about to be, for the given
// reason.
func (c *Clock) Close(reason error) Change {
	c.gone = true
	return Change{Ended: c.end(reason), Gone: true}
}

// Abandon ends the grant of a session that may live on.
func (c *Clock) Abandon(reason error) Change { return Change{Ended: c.end(reason)} }

// Check ends the grant when the session is overdue.
func (c *Clock) Check(now time.Time) Change {
	if c.ended || !c.overdue(now) {
		return Change{}
	}
	return Change{Ended: c.end(fmt.Errorf("%w of %v", ErrOverdue, c.timeout))}
}

// overdue reports whether the server may have ended the session by now.
func (c *Clock) overdue(now time.Time) bool {
	return c.timeout > 0 && !now.Before(c.Deadline())
}

// grant makes the grant one of session id.
func (c *Clock) grant(id int64) (change Change) {
	if c.id == 0 {
		c.id = id
	}
	if c.id != id {
		change = c.Close(ErrReplaced)
	}
	if !c.ended {
		return change
	}
	*c = Clock{id: id, linked: c.linked}
	change.Begun = true
	return change
}

// end ends the grant, and returns the reason if it lasted until now.
func (c *Clock) end(reason error) error {
	if c.ended {
		return nil
	}
	c.ended = true
	return reason
}

// then joins two changes of one call, of which the first may only end a grant.
func (c Change) then(next Change) Change {
	if next.Ended == nil {
		next.Ended = c.Ended
	}
	return next
}
