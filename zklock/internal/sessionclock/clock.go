// Package sessionclock says until when a ZooKeeper session may be counted on. It
// is pure: its methods take what happened and when, and set no timer.
//
// The server keeps a session for its timeout after each frame that it receives. A
// client that is cut off learns nothing. So a [Clock] counts from when the client
// sent the last frame that was acknowledged, and gives the session up when the
// timeout has passed since: the server, which received that frame later, ends the
// session later.
//
// A server that follows a leader acknowledges frames by itself, and tells the leader
// of the sessions it has heard of when the leader next asks, each half tick. It is the
// leader that ends sessions. So while something is held, a frame counts when a sync,
// which needs the leader, was sent more than that after its acknowledgement, and has
// been answered.
//
// Its input comes from two sides: of the connection's frames (Accepted,
// Acknowledged), and of the client library (Connected, Disconnected, Expired).
// Without the frames the timeout is not known, and every broken connection counts
// as the session's loss.
package sessionclock

import (
	"errors"
	"fmt"
	"slices"
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
// monotonic clock. A copy is a clock of its own.
type Clock struct {
	id      int64         // of the session, 0 before the first
	timeout time.Duration // that the server granted, 0 when it is not known
	acked   time.Time     // when the last frame was sent that was acknowledged
	frames  []frame       // acknowledged ones, the oldest first, for a sync to follow
	led     time.Time     // when the last frame was sent of which the leader knows
	held    bool          // only what the leader knows of counts
	linked  bool          // there is a connection that serves the session
	ended   bool          // the grant has
	gone    bool          // the server has ended the session: its znodes go with it
}

// A frame is one that was acknowledged.
type frame struct{ sent, acked time.Time }

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

// SyncEvery returns how far apart the syncs are to be sent while something is held,
// 0 when the timeout is not known.
func (c *Clock) SyncEvery() time.Duration { return c.timeout / 6 }

// settled is how long a frame takes at most until the leader knows of it: half a
// tick. By default a session lasts for two ticks at least.
func (c *Clock) settled() time.Duration { return c.timeout / 8 }

// Deadline returns when the session is to be given up, if nothing is acknowledged
// before; the zero time when that is not known.
func (c *Clock) Deadline() time.Time {
	switch {
	case c.timeout == 0:
		return time.Time{}
	case c.held:
		return c.led.Add(c.timeout)
	default:
		return c.acked.Add(c.timeout)
	}
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
	c.timeout, c.acked, c.led = timeout, sent, sent // a server asks the leader before it accepts
	c.frames = []frame{{sent, now}}
	return change
}

// Acknowledged takes in a reply to a frame that was sent at sent; leader says that it
// was a sync. When the session was given up too early, as a slow network makes it, a
// fresh acknowledgement begins another grant of it.
func (c *Clock) Acknowledged(sent, now time.Time, leader bool) Change {
	change := c.Check(now) // late is lost
	if sent.After(c.acked) {
		c.acked = sent
		c.note(frame{sent, now})
	}
	if leader {
		c.lead(sent)
	}
	if !c.ended || c.gone || !c.linked || c.overdue(now) {
		return change
	}
	c.ended = false
	return change.then(Change{Begun: true})
}

// note keeps a frame for a sync to follow; of those that were sent close together one
// is enough.
func (c *Clock) note(f frame) {
	if n := len(c.frames); n > 0 && f.sent.Sub(c.frames[n-1].sent) < c.settled()/4 {
		return
	}
	c.forget(f.sent)
	c.frames = append(slices.Clip(c.frames), f)
}

// forget drops the frames before the last one that a sync sent at that time, or later,
// follows.
func (c *Clock) forget(at time.Time) {
	for len(c.frames) > 1 && at.Sub(c.frames[1].acked) >= c.settled() {
		c.frames = c.frames[1:]
	}
}

// lead takes in that a sync sent at that time was answered.
func (c *Clock) lead(at time.Time) {
	c.forget(at)
	if len(c.frames) > 0 && at.Sub(c.frames[0].acked) >= c.settled() && c.frames[0].sent.After(c.led) {
		c.led = c.frames[0].sent
	}
}

// Hold takes in that something is held by the session from now on. What led to that has
// just come from the leader.
func (c *Clock) Hold(now time.Time) Change {
	change := c.Check(now)
	if c.held || c.ended {
		return change
	}
	c.lead(now)
	c.held = true
	return c.Check(now)
}

// Release takes in that nothing is held any more.
func (c *Clock) Release() { c.held = false }

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
	if c.id != id { // the former may live on
		change = c.Abandon(ErrReplaced)
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
	c.ended, c.held = true, false
	return reason
}

// then joins two changes of one call, of which the first may only end a grant.
func (c Change) then(next Change) Change {
	if next.Ended == nil {
		next.Ended = c.Ended
	}
	return next
}
