package sessionclock

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock/test/explore"
)

// A held session is one at a server that follows a leader, and its client, of which each
// frame may take any time. The servers hear of each other within half a tick, or nothing
// passes between them. A [play] draws lots for what is all tried here, and has more of it.
type held struct {
	flaw     flaw
	clock    Clock
	now      int // in units
	sent     request
	last     int  // when a request was sent last; they are two units apart
	heard    bool // of the session, since the leader was told last
	told     int  // when that was
	cut      bool // nothing passes between the servers
	deadline int  // the leader's
	expired  bool
	held     bool // by the client
}

// A request is a ping or a sync.
type request struct {
	at       int // when it was sent, 0 for none
	sync     bool
	answered bool
}

const (
	unit  = time.Millisecond
	whole = 8 * unit // the session's timeout, of which a unit is half a tick
)

// A flaw is a rule that is left out, to see that the exploration finds it.
type flaw int

const (
	noFlaw           flaw = iota
	fromTheReply          // time is counted from the reply
	trustTheFollower      // a lease counts on what the follower has acknowledged
	anyReplyLeads         // a ping's reply counts as the leader's
	syncAtOnce            // a sync need not follow half a tick later
)

func begin(f flaw) *held {
	s := &held{flaw: f, now: 1, told: 1, deadline: 9}
	s.clock.Accepted(1, whole, s.time(1), s.time(1))
	s.clock.Connected(0)
	return s
}

func (s *held) time(units int) time.Time { return time.Unix(1000, 0).Add(time.Duration(units) * unit) }

// pass is a unit of time.
func (s *held) pass() {
	s.now++
	s.expired = s.expired || s.now >= s.deadline
	s.tell()
	s.clock.Check(s.time(s.now))
	if s.now-s.sent.at > 8 {
		s.sent = request{} // it does not matter when the reply comes
	}
}

// tell is what the leader asks of the follower, each half tick.
func (s *held) tell() {
	if s.cut || s.now == s.told {
		return
	}
	if s.told = s.now; s.heard && !s.expired {
		s.deadline = s.now + 8
	}
	s.heard = false
}

// serve has the follower answer; a sync needs the leader, who answers in a session only.
func (s *held) serve() { s.sent.answered, s.heard = true, true }

func (s *held) receive() {
	r := s.sent
	s.sent = request{}
	sent := s.time(r.at)
	switch s.flaw {
	case fromTheReply:
		sent = s.time(s.now)
	case syncAtOnce:
		if r.sync {
			s.clock.Acknowledged(sent, s.time(s.now), false)
			sent = sent.Add(unit)
		}
	}
	s.clock.Acknowledged(sent, s.time(s.now), r.sync || s.flaw == anyReplyLeads)
}

func (s *held) hold() {
	if s.flaw != trustTheFollower {
		s.clock.Hold(s.time(s.now))
	}
	s.held = s.clock.Live()
}

// after visits the session after one move, if that can happen.
func (s *held) after(visit explore.Visitor, can bool, what string, do func(*held)) {
	if can {
		next := *s
		do(&next)
		next.held = next.held && next.clock.Live()
		visit(&next, 0, what)
	}
}

func (s *held) Steps(explore.Visitor) {}

func (s *held) Events(visit explore.Visitor) {
	if s.expired && !s.held {
		return // nothing can be held late any more
	}
	s.after(visit, true, "passes a unit of time", (*held).pass)
	s.after(visit, !s.cut, "is at a follower that is cut off", func(s *held) { s.cut = true })
	s.after(visit, s.cut, "is at a follower that is back", func(s *held) { s.cut = false; s.tell() })
	s.after(visit, s.clock.Live() && !s.held && !s.cut && !s.expired, "begins to hold", (*held).hold)
	s.after(visit, s.held, "holds no more", func(s *held) { s.held = false; s.clock.Release() })
	r := s.sent
	for _, sync := range []bool{false, true} {
		s.after(visit, r.at == 0 && s.now-s.last >= 2, fmt.Sprintf("sends a request, sync %v", sync), func(s *held) {
			s.sent, s.last = request{at: s.now, sync: sync}, s.now
		})
	}
	served := r.at > 0 && !r.answered && !(s.cut && r.sync) && (s.cut || !s.expired)
	s.after(visit, served, "is answered", (*held).serve)
	s.after(visit, r.answered, "hears the answer", (*held).receive)
}

// Unsafe compares what the client counts on with what the leader knows.
func (s *held) Unsafe() error {
	if s.held && (s.expired || s.clock.Deadline().After(s.time(s.deadline))) {
		return errLate
	}
	return nil
}

var errLate = errors.New("a lease outlasts the session")

func (s *held) Asleep() error { return nil }
func (s *held) Holds() bool   { return s.held }

// Key counts all times from now; what lies further back than the timeout is all one.
func (s *held) Key() string {
	since := func(t time.Time) byte { return byte(min(9, s.time(s.now).Sub(t)/unit)) }
	b := []byte{byte(min(2, s.now-s.last)), byte(s.deadline - s.now), since(s.clock.acked), since(s.clock.led)}
	if s.sent.at > 0 {
		b = append(b, byte(s.now-s.sent.at))
	}
	for _, yes := range []bool{s.sent.at > 0, s.sent.sync, s.sent.answered, s.heard, s.now == s.told, s.cut, s.expired, s.held, s.clock.held, s.clock.ended} {
		b = strconv.AppendBool(b, yes)
	}
	for _, f := range s.clock.frames {
		b = append(b, since(f.sent), since(f.acked))
	}
	return string(b)
}

// However slow each frame is, and whenever the follower is cut off and back: what is held
// ends before the leader ends the session.
func TestEveryDelay(t *testing.T) {
	t.Parallel()
	found, err := explore.Every(begin(noFlaw))
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d states, in %d of them something is held", found.Worlds, found.Held)
	if found.Held < 500 {
		t.Error("hardly anything is ever held")
	}
}

func TestEveryDelayFindsFlaws(t *testing.T) {
	t.Parallel()
	for _, f := range []flaw{fromTheReply, trustTheFollower, anyReplyLeads, syncAtOnce} {
		if _, err := explore.Every(begin(f)); !errors.Is(err, errLate) {
			t.Errorf("flaw %d: %v", f, err)
		}
	}
}
