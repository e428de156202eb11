package check

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// A process is what the log says of one client: whether it could act if it
// wanted to, and what it believes.
type process struct {
	connected  bool
	gone       bool              // crashed, or closed its session
	session    string            // the newest that it was given
	faults     map[string]bool   // those that last and keep it from acting
	unanswered map[int32]bool    // requests without an answer, by xid
	underWay   map[frameKey]bool // frames on their way
	waiting    bool
	holds      string // the path of the znode by which it believes to hold
	believes   bool
	held       []string // the znodes by which it believes to hold, where there are several locks
	node       string   // its own, while it waits
	ahead      string   // what it waits for
	moved      int64    // when it last did, or was told, anything
	zxid       int64    // the newest transaction that its server had when it last answered
}

// A frameKey names one frame of one client.
type frameKey struct {
	dir   event.Direction
	frame int64
}

func newProcess() *process {
	return &process{faults: make(map[string]bool), unanswered: make(map[int32]bool), underWay: make(map[frameKey]bool)}
}

// idle says that the client is alive and that nothing is under way to it or
// from it: whatever it does not do now, it will not do by itself.
func (p *process) idle() bool {
	return p.connected && !p.gone && len(p.faults) == 0 && len(p.unanswered) == 0 && len(p.underWay) == 0
}

func (p *process) apply(e *event.Event) {
	if e.Kind == event.WireReceived {
		p.zxid = max(p.zxid, e.Zxid)
	}
	if e.Op == "ping" {
		return
	}
	if e.Injects(event.StartsProcess) {
		*p = *newProcess()
	}
	p.moved = e.At
	p.gone = p.gone || state.EndsBelief(e)
	switch e.Kind {
	case event.FaultInjected, event.FaultHealed:
		p.applyFault(e)
	case event.SessionGranted, event.SessionConnected, event.SessionSuspended,
		event.SessionRefused, event.SessionLost:
		p.applySession(e)
	case event.WireSent, event.WireHeld, event.WireDelivered, event.WireDropped, event.WireReceived:
		p.applyFrame(e)
	default:
		p.applyLock(e)
	}
}

func (p *process) applyFault(e *event.Event) {
	switch {
	case e.Kind == event.FaultHealed:
		delete(p.faults, e.Fault)
	case e.Injects(event.Excuses):
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
	frame := frameKey{e.Dir, e.Frame}
	switch e.Kind {
	case event.WireSent:
		p.sent(e)
	case event.WireHeld:
		p.underWay[frame] = true
	case event.WireDelivered:
		delete(p.underWay, frame)
	case event.WireReceived:
		delete(p.underWay, frameKey{event.In, e.Frame})
		delete(p.unanswered, e.Xid)
	case event.WireDropped:
		delete(p.underWay, frame)
		delete(p.unanswered, e.Xid)
	}
}

func (p *process) sent(e *event.Event) {
	if e.Op == "connect" || e.Op == "HELLO" { // a new connection: what was under way on the last one is lost
		clear(p.unanswered)
		clear(p.underWay)
		p.zxid = 0 // it may be to another server
		return
	}
	p.unanswered[e.Xid] = true
}

func (p *process) applyLock(e *event.Event) {
	switch e.Kind {
	case event.LockWaiting:
		p.waiting, p.node, p.ahead = true, e.Path, e.Predecessor
	case event.LockAcquired:
		p.waiting, p.believes, p.holds = false, true, e.Path
		p.held = append(p.held, e.Path)
	case event.LockWoken, event.LockGaveUp:
		p.waiting = false
	case event.LockReleased, event.LockLost, event.ProgramSilent:
		p.held = slices.DeleteFunc(p.held, func(held string) bool { return e.Path == "" || held == e.Path })
		if e.Path == "" || e.Path == p.holds { // else it is told late, of a former znode
			p.waiting, p.believes = false, false
		}
	}
}
