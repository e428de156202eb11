package client

import (
	"fmt"
	"path"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/program"
)

// Tells says whether the guest's program tells what it believes.
func (g *Guest) Tells() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.tells
}

// SetTells notes whether the guest's program tells from here on what it believes.
func (g *Guest) SetTells(on bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if on == g.tells || g.gone {
		return
	}
	g.tellsFrom(on)
}

// tellsFrom tells that it does, or does no more. The caller holds the mutex.
func (g *Guest) tellsFrom(on bool) {
	g.tells = on
	kind := event.ProgramTells
	if !on {
		kind = event.ProgramSilent
		g.process.letGo()
	}
	g.shared.Recorder.Record(event.Event{Kind: kind, Lane: g.lane.Name, Client: g.number})
}

// Tell tells what the guest's program says: acquired, released, lost or note. SetTells comes
// before it. It fails with program.ErrNonsense for what cannot follow what it has said before.
func (g *Guest) Tell(m program.Message) error {
	v := g.current()
	switch m.Type {
	case program.Acquired:
		return v.acquired(m)
	case program.Released:
		v.released(event.LockReleased, nil)
	case program.Lost:
		v.released(event.LockLost, saidOr(m.Why, programLost))
	case program.Note:
		v.emit(event.Event{Kind: event.ProgramWrote, Reason: event.Text(m.Text)})
	default:
		return fmt.Errorf("%w: a guest says acquired, released, lost or note, got %q", program.ErrNonsense, m.Type)
	}
	return nil
}

// A guestHold is a guest's belief that it holds.
type guestHold struct {
	znode string // as far as that is known
	token int64
	mode  string
}

func (v *guestProcess) acquired(m program.Message) error {
	hold := &guestHold{token: m.Token, mode: m.Mode}
	if m.Znode != "" {
		hold.znode = path.Join(v.guest.lane.Root, m.Znode)
	} else if v.derived != nil {
		hold.znode = v.derived.newest()
	}
	v.mu.Lock()
	before := v.hold
	if before == nil {
		v.hold = hold
	}
	v.mu.Unlock()
	if before != nil {
		return fmt.Errorf("%w: it said acquired, expected released or lost before that", program.ErrNonsense)
	}
	if v.derived != nil {
		v.derived.end()
	}
	v.emit(event.Event{Kind: event.LockAcquired, Path: hold.znode, Token: hold.token, Mode: hold.mode})
	return nil
}

// released ends the belief. One that the playground has ended before, as a crash does, is not
// told again.
func (v *guestProcess) released(how event.Kind, why *event.Reason) {
	if hold := v.letGo(); hold != nil {
		v.emit(event.Event{Kind: how, Path: hold.znode, Token: hold.token, Mode: hold.mode, Reason: why})
	}
}

// letGo returns what it believed, which it does no more; nil if it did not.
func (v *guestProcess) letGo() *guestHold {
	v.mu.Lock()
	defer v.mu.Unlock()
	hold := v.hold
	v.hold = nil
	return hold
}
