package sessionclock

import (
	"math/rand"
	"slices"
	"testing"
	"time"
)

// A play is a client and a server with a slow network between them, in which each
// thing happens as chance has it. It knows of both sides what they know.
type play struct {
	*testing.T
	*rand.Rand
	now   int // in milliseconds
	clock Clock
	live  bool // as the changes tell

	connected bool
	greets    bool // the handshake is under way
	frames    []message

	expired  bool // the server has ended the session
	id       int64
	deadline int // when it would

	follows bool // the client's server follows another, which ends the session
	cut     bool // nothing passes between the two
	heard   bool // of the session, since the leader was told last
	told    int  // when that was
	held    bool // by the client
}

// A message is under way, to the server or back.
type message struct {
	sent     int
	reply    bool
	greeting bool
	sync     bool
	id       int64 // that is asked for, or granted
}

const (
	lasts    = 40 // milliseconds: the session's timeout
	halfTick = 4
)

func (p *play) time(ms int) time.Time { return at(float64(ms) / 1000) }

// did judges what the clock says has changed.
func (p *play) did(change Change) {
	if change.Ended != nil && !p.live {
		p.Fatalf("%d: a grant ends twice", p.now)
	}
	p.live = p.live && change.Ended == nil
	p.held = p.held && p.live
	if change.Begun && p.live {
		p.Fatalf("%d: a grant begins while one lasts", p.now)
	}
	p.live = p.live || change.Begun
}

// step is a millisecond.
func (p *play) step() {
	p.now++
	if !p.expired && p.id != 0 && p.now >= p.deadline {
		p.expired = true
	}
	if p.follows {
		p.lead()
	}
	switch p.Intn(12) {
	case 0:
		p.connect()
	case 1:
		if p.Intn(4) == 0 {
			p.connected, p.greets, p.frames = false, false, nil
			p.did(p.clock.Disconnected())
		}
	case 2, 3, 4:
		if p.connected {
			p.frames = append(p.frames, message{sent: p.now, sync: p.Intn(3) == 0})
		}
	case 5, 6, 7, 8:
		p.arrive()
	}
	p.did(p.clock.Check(p.time(p.now)))
	p.judge()
}

// lead is what happens between the client's server and the leader, and what the client
// holds: it begins to when it hears of that by the leader.
func (p *play) lead() {
	if p.Intn(20) == 0 {
		p.cut = !p.cut
	}
	if !p.cut && p.now-p.told >= halfTick {
		p.told = p.now
		if p.heard && !p.expired {
			p.deadline = p.now + lasts
		}
		p.heard = false
	}
	switch {
	case p.Intn(10) > 0:
	case p.held:
		p.clock.Release()
		p.held = false
	case p.live && p.connected && !p.cut && !p.expired && p.clock.ID() == p.id:
		p.did(p.clock.Hold(p.time(p.now)))
		p.held = p.live
	}
}

func (p *play) connect() {
	if p.connected || p.greets {
		return
	}
	p.greets = true
	asked := p.clock.ID()
	if p.Intn(8) == 0 || p.clock.gone {
		asked = 0
	}
	p.frames = []message{{sent: p.now, greeting: true, id: asked}}
}

// arrive has the first frame arrive in one of the directions.
func (p *play) arrive() {
	reply := p.Intn(2) == 0
	i := slices.IndexFunc(p.frames, func(f message) bool { return f.reply == reply })
	if i < 0 || p.cut && !reply && (p.frames[i].greeting || p.frames[i].sync) {
		return
	}
	f := p.frames[i]
	p.frames = slices.Delete(p.frames, i, i+1)
	if reply {
		p.receive(f)
		return
	}
	f.reply = true
	if f.greeting && f.id == 0 {
		p.id, p.expired = p.id+1, false
		f.id = p.id
	}
	if f.greeting && (p.expired || f.id != p.id) {
		f.id = 0
	} else if p.expired && !p.cut {
		return // the server hangs up, some time
	} else if f.greeting || !p.follows {
		p.deadline = p.now + lasts
	} else {
		p.heard = true
	}
	p.frames = append(p.frames, f)
}

func (p *play) receive(f message) {
	if !f.greeting {
		p.did(p.clock.Acknowledged(p.time(f.sent), p.time(p.now), f.sync))
		return
	}
	p.greets = false
	p.did(p.clock.Accepted(f.id, lasts*time.Millisecond, p.time(f.sent), p.time(p.now)))
	if f.id != 0 {
		p.connected = true
		p.did(p.clock.Connected(0))
	}
}

// judge compares what the clock says with what the server knows.
func (p *play) judge() {
	if p.clock.Live() != p.live {
		p.Fatalf("%d: live %v", p.now, p.clock.Live())
	}
	if p.clock.ID() == 0 || !p.live || p.follows && !p.held {
		return
	}
	if p.clock.ID() == p.id && p.expired {
		p.Fatalf("%d: it is counted on a session that the server has ended", p.now)
	}
	if p.clock.ID() == p.id && p.clock.Deadline().After(p.time(p.deadline)) {
		p.Fatalf("%d: until %v, but the server's deadline is %v", p.now, p.clock.Deadline(), p.time(p.deadline))
	}
}

// Whatever the network does, the client gives up a session before the server ends it;
// where that follows a leader, while it holds something.
func TestNeverLaterThanTheServer(t *testing.T) { neverLater(t, false) }
func TestNeverLaterThanTheLeader(t *testing.T) { neverLater(t, true) }

func neverLater(t *testing.T, follows bool) {
	t.Helper()
	grants := 0
	for seed := range int64(500) {
		p := &play{T: t, Rand: rand.New(rand.NewSource(seed)), live: true, follows: follows}
		before := false
		for range 1000 {
			p.step()
			if held := p.live && p.clock.ID() != 0; held != before {
				grants, before = grants+1, held
			}
		}
	}
	if grants < 1000 {
		t.Errorf("only %d grants have begun or ended", grants)
	}
	t.Logf("%d grants have begun or ended", grants)
}
