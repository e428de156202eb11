package sessionclock

import (
	"errors"
	"testing"
	"time"
)

const (
	timeout = 3 * time.Second
	session = 7
)

// at is a moment of a test, counted in seconds.
func at(seconds float64) time.Time {
	return time.Unix(1000, 0).Add(time.Duration(seconds * float64(time.Second)))
}

var errClosed = errors.New("closed")

// A clock is told one thing after the other, and answers each time what has changed:
// nothing, or for what reason a grant has ended, and whether the session has with it,
// or whether one has begun.
func TestClock(t *testing.T) {
	none, begun := Change{}, Change{Begun: true}
	type call struct {
		tell func(*Clock) Change
		want Change
	}
	accepted := func(id int64, sent, now float64) func(*Clock) Change {
		return func(c *Clock) Change { return c.Accepted(id, timeout, at(sent), at(now)) }
	}
	acknowledged := func(sent, now float64) func(*Clock) Change {
		return func(c *Clock) Change { return c.Acknowledged(at(sent), at(now), false) }
	}
	check := func(now float64) func(*Clock) Change {
		return func(c *Clock) Change { return c.Check(at(now)) }
	}
	led := func(sent, now float64) func(*Clock) Change {
		return func(c *Clock) Change { return c.Acknowledged(at(sent), at(now), true) }
	}
	hold := func(now float64) func(*Clock) Change { return func(c *Clock) Change { return c.Hold(at(now)) } }
	release := func(c *Clock) Change { c.Release(); return Change{} }
	connected := func(id int64) func(*Clock) Change { return func(c *Clock) Change { return c.Connected(id) } }
	ended := func(reason error) Change { return Change{Ended: reason} }
	gone := func(reason error) Change { return Change{Ended: reason, Gone: true} }
	told := Change{Gone: true} // of a session whose grant has ended before
	for name, calls := range map[string][]call{
		"kept alive": {
			{accepted(session, 0, 1), none}, {connected(0), none}, {acknowledged(2, 2.5), none},
			{acknowledged(4, 4.5), none}, {check(6.9), none}, {check(7), ended(ErrOverdue)}, {check(8), none},
		},
		"counts from the sending": {{accepted(session, 0, 2), none}, {check(2.9), none}, {check(3), ended(ErrOverdue)}},
		"an older acknowledgement": {
			{accepted(session, 0, 0), none}, {acknowledged(2, 2.1), none}, {acknowledged(1, 2.2), none},
			{check(4.9), none}, {check(5), ended(ErrOverdue)},
		},
		"acknowledged too late": {
			{accepted(session, 0, 0), none}, {connected(0), none},
			{acknowledged(0, 3), ended(ErrOverdue)}, {acknowledged(0.1, 3.2), none},
		},
		"it lives after all, by an acknowledgement": {
			{accepted(session, 0, 0), none}, {connected(0), none}, {check(3), ended(ErrOverdue)},
			{acknowledged(1, 3.5), begun}, {check(3.9), none}, {check(4), ended(ErrOverdue)},
		},
		"the end and the begin come together": {
			{accepted(session, 0, 0), none}, {connected(0), none},
			{acknowledged(1, 3.5), Change{Ended: ErrOverdue, Begun: true}},
		},
		"it lives after all, but has no connection": {
			{accepted(session, 0, 0), none}, {connected(0), none}, {func(c *Clock) Change { return c.Disconnected() }, none},
			{acknowledged(1, 3.5), ended(ErrOverdue)}, {acknowledged(2, 3.6), none},
		},
		"it lives after all, by a reconnect": {
			{accepted(session, 0, 0), none}, {check(3), ended(ErrOverdue)},
			{accepted(session, 3.1, 3.2), begun}, {check(6), none}, {check(6.1), ended(ErrOverdue)},
		},
		"back in time": {
			{accepted(session, 0, 0), none}, {connected(0), none}, {func(c *Clock) Change { return c.Disconnected() }, none},
			{accepted(session, 2, 2.9), none}, {check(4.9), none}, {check(5), ended(ErrOverdue)},
		},
		"back too late": {
			{accepted(session, 0, 0), none}, {accepted(session, 2, 3), Change{Ended: ErrOverdue, Begun: true}},
		},
		"held, and only the follower answers": {
			{accepted(session, 0, 0), none}, {connected(0), none}, {hold(0.1), none}, {acknowledged(1, 1), none},
			{acknowledged(2, 2), none}, {check(2.9), none}, {check(3), ended(ErrOverdue)}, {acknowledged(3.1, 3.1), begun},
		},
		"held, and the leader answers": { // what was acknowledged long enough before
			{accepted(session, 0, 0), none}, {connected(0), none}, {hold(0.1), none}, {acknowledged(1, 1), none},
			{acknowledged(1.5, 1.8), none}, {led(2, 2.1), none}, {check(3.9), none}, {check(4), ended(ErrOverdue)},
		},
		"held, when much has been acknowledged": {
			{accepted(session, 0, 0), none}, {connected(0), none}, {acknowledged(1, 1), none}, {acknowledged(2, 2), none},
			{hold(2.1), none}, {acknowledged(3, 3), none}, {check(3.9), none}, {check(4), ended(ErrOverdue)},
		},
		"held no longer": {
			{accepted(session, 0, 0), none}, {connected(0), none}, {hold(0.1), none}, {acknowledged(2, 2), none},
			{release, none}, {check(4.9), none}, {check(5), ended(ErrOverdue)},
		},
		"expired": {
			{accepted(session, 0, 0), none}, {accepted(0, 2, 2.1), gone(ErrExpired)}, {acknowledged(2, 2.2), none},
			{accepted(session+1, 2.5, 2.6), begun},
		},
		"expired, and overdue before": {
			{accepted(session, 0, 0), none}, {accepted(0, 3, 3.1), Change{Ended: ErrOverdue, Gone: true}},
			{func(c *Clock) Change { return c.Expired() }, told},
		},
		"replaced": {
			{accepted(session, 0, 0), none},
			{accepted(session+1, 1, 1), Change{Ended: ErrReplaced, Begun: true}}, {check(3.9), none},
		},
		"closed": {
			{accepted(session, 0, 0), none}, {connected(0), none},
			{func(c *Clock) Change { return c.Close(errClosed) }, gone(errClosed)}, {acknowledged(1, 1), none},
		},
		"abandoned": {
			{accepted(session, 0, 0), none}, {func(c *Clock) Change { return c.Abandon(errClosed) }, ended(errClosed)},
			{func(c *Clock) Change { return c.Abandon(errClosed) }, none},
		},
		"without frames": {
			{connected(session), none}, {check(1e6), none}, {connected(session), none},
			{func(c *Clock) Change { return c.Disconnected() }, ended(ErrUnknown)},
			{func(c *Clock) Change { return c.Disconnected() }, none},
			{connected(session), begun}, {func(c *Clock) Change { return c.Disconnected() }, ended(ErrUnknown)},
			{connected(session), begun}, {connected(session + 1), Change{Ended: ErrReplaced, Begun: true}},
		},
		"never connected": {
			{func(c *Clock) Change { return c.Disconnected() }, none}, {check(1e6), none},
			{func(c *Clock) Change { return c.Close(errClosed) }, gone(errClosed)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, live := new(Clock), true
			for i, call := range calls {
				got := call.tell(c)
				if !errors.Is(got.Ended, call.want.Ended) || (got.Ended == nil) != (call.want.Ended == nil) ||
					got.Gone != call.want.Gone || got.Begun != call.want.Begun {
					t.Fatalf("call %d: %+v, want %+v", i, got, call.want)
				}
				live = live && got.Ended == nil || got.Begun
				if c.Live() != live {
					t.Fatalf("call %d: live %v", i, c.Live())
				}
			}
		})
	}
}

func TestClockTells(t *testing.T) {
	c := new(Clock)
	want := func(what string, id int64, granted time.Duration, linked bool, deadline time.Time) {
		t.Helper()
		if c.ID() != id || c.Timeout() != granted || c.Linked() != linked || !c.Deadline().Equal(deadline) {
			t.Errorf("%s: session %d for %v, linked %v, until %v", what, c.ID(), c.Timeout(), c.Linked(), c.Deadline())
		}
	}
	want("new", 0, 0, false, time.Time{})
	c.Accepted(session, timeout, at(0), at(1))
	want("accepted", session, timeout, false, at(3))
	c.Connected(0)
	want("connected", session, timeout, true, at(3))
	c.Acknowledged(at(2), at(2), false)
	want("acknowledged", session, timeout, true, at(5))
	c.Disconnected()
	want("disconnected", session, timeout, false, at(5))
	c.Expired()
	want("expired", session, timeout, false, at(5))
	c.Accepted(session+1, 2*timeout, at(9), at(9))
	want("another", session+1, 2*timeout, false, at(15))
}
