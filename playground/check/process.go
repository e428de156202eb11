package check

import "github.com/zkplayground/zkplayground/playground/event"

// A process is what the log says of one client: whether it could act if it
// wanted to, and what it believes.
type process struct {
	connected bool
	gone      bool            // crashed, or closed its session
	session   string          // the newest that it was given
	faults    map[string]bool // those that last and keep it from acting
	asked     map[int32]bool  // requests without an answer, by xid
	held      map[parcel]bool // frames on their way
	waiting   bool
	holds     string // the path of the znode by which it believes to hold
	believes  bool
	moved     int64 // when it last did, or was told, anything
	zxid      int64 // the newest transaction that its server had when it last answered
}

// A parcel is one frame of one client.
type parcel struct {
	dir   event.Direction
	frame int64
}

// hampering are the faults during which a client that does nothing is not to blame.
var hampering = map[string]bool{"pause": true, "partition": true, "partition-in": true, "partition-out": true, "slow": true}

func newProcess() *process {
	return &process{faults: make(map[string]bool), asked: make(map[int32]bool), held: make(map[parcel]bool)}
}

// idle says that the client is alive and that nothing is under way to it or
// from it: whatever it does not do now, it will not do by itself.
func (p *process) idle() bool {
	return p.connected && !p.gone && len(p.faults) == 0 && len(p.asked) == 0 && len(p.held) == 0
}

func (p *process) apply(e *event.Event) {
	if e.Kind == event.WireReceived {
		p.zxid = max(p.zxid, e.Zxid)
	}
	if e.Op == "ping" {
		return
	}
	p.moved = e.At
	p.gone = p.gone || departs(e)
	switch e.Kind {
	case event.FaultInjected, event.FaultHealed:
		p.struck(e)
	case event.SessionGranted, event.SessionConnected, event.SessionSuspended,
		event.SessionRefused, event.SessionLost:
		p.applySession(e)
	case event.WireSent, event.WireHeld, event.WireDelivered, event.WireDropped, event.WireReceived:
		p.applyFrame(e)
	default:
		p.applyLock(e)
	}
}

func (p *process) struck(e *event.Event) {
	switch {
	case e.Kind == event.FaultHealed:
		delete(p.faults, e.Fault)
	case hampering[e.Fault]:
		p.faults[e.Fault] = true
	}
}

func (p *process) applySession(e *event.Event) {
	switch e.Kind {
	case event.SessionGranted:
		p.session = e.Session
	case event.SessionConnected:
		p.connected = true
	default:
		p.connected = false
	}
}

// applyFrame follows what is under way. A frame that crosses its link at once
// is never held.
func (p *process) applyFrame(e *event.Event) {
	frame := parcel{e.Dir, e.Frame}
	switch e.Kind {
	case event.WireSent:
		p.sent(e)
	case event.WireHeld:
		p.held[frame] = true
	case event.WireDelivered:
		delete(p.held, frame)
	case event.WireReceived:
		delete(p.held, parcel{event.In, e.Frame})
		delete(p.asked, e.Xid)
	case event.WireDropped:
		delete(p.held, frame)
		delete(p.asked, e.Xid)
	}
}

func (p *process) sent(e *event.Event) {
	if e.Op == "connect" { // a new connection: what was under way on the last one is lost
		clear(p.asked)
		clear(p.held)
		p.zxid = 0 // it may be to another server
		return
	}
	p.asked[e.Xid] = true
}

func (p *process) applyLock(e *event.Event) {
	switch e.Kind {
	case event.LockWaiting:
		p.waiting = true
	case event.LockAcquired:
		p.waiting, p.believes, p.holds = false, true, e.Path
	case event.LockWoken, event.LockGaveUp:
		p.waiting = false
	case event.LockReleased, event.LockLost:
		if e.Path == "" || e.Path == p.holds { // else it is told late, of a former znode
			p.waiting, p.believes = false, false
		}
	}
}
