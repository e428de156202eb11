package wire

import "github.com/zkplayground/zkplayground/playground/event"

// event builds the event of a frame that has reached a stage of its way.
func (t *Tap) event(kind event.Kind, f *Frame) event.Event {
	e := event.Event{Lane: t.lane, Client: t.client, Kind: kind, Frame: f.Number}
	e.Op, e.Path, e.Flags, e.Watch, e.Type = f.Op, f.Path, f.Flags, f.Watch, f.Type
	e.Xid, e.Zxid, e.Err = f.Xid, f.Zxid, f.Code.String()
	e.Children, e.Ops = f.Children, f.Ops
	e.Session, e.Timeout = SessionHex(f.Session), f.Timeout.Milliseconds()
	if kind == event.WireSent || kind == event.WireHeld {
		e.Due = f.Due
	}
	if staged(kind) {
		e.Dir = f.Dir
	}
	return e
}

// staged says whether a kind of event can be about either direction.
func staged(kind event.Kind) bool {
	return kind == event.WireHeld || kind == event.WireDelivered || kind == event.WireDropped
}

// sessionEvent tells what a ConnectResponse means for the session.
func (t *Tap) sessionEvent(f *Frame) event.Event {
	e := event.Event{Lane: t.lane, Client: t.client, Kind: event.SessionGranted}
	e.Session, e.Timeout = SessionHex(f.Session), f.Timeout.Milliseconds()
	switch {
	case f.Session == 0:
		e.Kind, e.Err = event.SessionRefused, SessionExpired.String()
		e.Session = SessionHex(f.Request.Session)
	case f.Session == f.Request.Session:
		e.Kind = event.SessionResumed
	}
	return e
}
