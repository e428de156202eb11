package wire

import (
	"bytes"
	"cmp"
	"maps"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Tap writes one client's frames into the log as events. It lives as long as
// the client, over all its connections, and satisfies link.Observer. Its
// methods may be called from several goroutines; emit then is, too.
type Tap struct {
	lane   string
	client int
	clock  func() int64
	emit   func(event.Event)

	mu       sync.Mutex
	session  int64
	password []byte
	timeout  time.Duration
	sessions map[int64][]byte // the passwords of those that were granted and not refused since
	created  creation
}

// A creation is a znode that the client knows to have made.
type creation struct {
	path string
	zxid int64
}

// NewTap returns a tap for a client of a lane. The clock is the log's, in
// microseconds since the run began, and must be the link's too. Emit appends to
// the log; it must not block for long, nor call the link.
func NewTap(lane string, client int, clock func() int64, emit func(event.Event)) *Tap {
	return &Tap{lane: lane, client: client, clock: clock, emit: emit, sessions: make(map[int64][]byte)}
}

// Session returns the session that the server granted last, with what is needed
// to attach to it. The id is 0 before the first, and after the server has
// refused a session as expired.
func (t *Tap) Session() (id int64, password []byte, timeout time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.session, bytes.Clone(t.password), t.timeout
}

// Sessions returns all sessions of the client that may live, each with its password: some
// clients have several at a time.
func (t *Tap) Sessions() map[int64][]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.sessions)
}

// LastCreated returns the newest znode whose creation the client has been told
// of, also as part of a multi, and the transaction that made it. The path is empty
// before the first.
func (t *Tap) LastCreated() (path string, zxid int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.created.path, t.created.zxid
}

// Sent reports that the client wrote a frame.
func (t *Tap) Sent(f *Frame) {
	t.mu.Lock()
	f.sentAt = t.clock()
	t.mu.Unlock()
	t.stage(event.WireSent, f)
}

// Delivered reports that a frame that had to wait left for the server.
func (t *Tap) Delivered(f *Frame) { t.stage(event.WireDelivered, f) }

// Held reports that a frame waits in the link, until f.Due if that is not 0.
func (t *Tap) Held(f *Frame) { t.stage(event.WireHeld, f) }

// Dropped reports that a frame died with its connection.
func (t *Tap) Dropped(f *Frame) { t.stage(event.WireDropped, f) }

// Received reports that the client gets a frame, before it does.
func (t *Tap) Received(f *Frame) {
	t.note(f)
	e := t.event(event.WireReceived, f)
	e.Latency = t.latency(f)
	if f.Op != opGetChildren.String() { // a listing has the Stat of its directory, each time
		e.Stat = f.Stat.event()
	}
	t.recordUndecoded(f)
	t.emit(e)
	if f.Kind == ConnectResponse {
		t.emit(t.sessionEvent(f))
	}
}

// note remembers what the client learns from a frame.
func (t *Tap) note(f *Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.Kind == ConnectResponse {
		t.session, t.password, t.timeout = f.Session, f.Password, f.Timeout
		if f.Session == 0 {
			delete(t.sessions, f.Request.Session)
		} else {
			t.sessions[f.Session] = f.Password
		}
	}
	if f.Kind != Reply || f.Code != OK {
		return
	}
	if f.Op == opCreate.String() {
		t.created = creation{f.Path, f.Zxid}
	}
	if f.Op == opMulti.String() {
		for _, part := range f.Ops {
			if part.Op == opCreate.String() {
				t.created = creation{part.Path, f.Zxid}
			}
		}
	}
}

func (t *Tap) latency(f *Frame) int64 {
	if f.Request == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(t.clock()-f.Request.sentAt, 0)
}

func (t *Tap) stage(kind event.Kind, f *Frame) {
	t.recordUndecoded(f)
	t.emit(t.event(kind, f))
}

// recordUndecoded adds, when an unreadable frame is first seen, why that is.
func (t *Tap) recordUndecoded(f *Frame) {
	if f.Kind != Undecoded || f.told {
		return
	}
	f.told = true
	e := t.event(event.WireUndecoded, f)
	e.Dir, e.Reason = f.Dir, event.Text(f.Why)
	t.emit(e)
}

// event builds the event of a frame that has reached a stage of its way.
func (t *Tap) event(kind event.Kind, f *Frame) event.Event {
	e := event.Event{Lane: t.lane, Client: t.client, Kind: kind, Frame: f.Number}
	e.Op, e.Path, e.Flags, e.Watch, e.Type = f.Op, f.Path, f.Flags, f.Watch, f.Type
	e.Xid, e.Zxid, e.Err = f.Xid, f.Zxid, cmp.Or(f.Err, f.Code.String())
	e.Children, e.Ops = f.Children, f.Ops
	e.Mode = f.watchMode()
	e.Session, e.Timeout = SessionHex(f.Session), f.Timeout.Milliseconds()
	if kind == event.WireSent || kind == event.WireHeld {
		e.Due = f.Due
	}
	if staged(kind) {
		e.Dir = f.Dir
	} else if kind != event.WireUndecoded {
		e.Bytes = int64(f.Bytes)
	}
	return e
}

// staged says whether a kind of event can be about either direction.
func staged(kind event.Kind) bool {
	return kind == event.WireHeld || kind == event.WireDelivered || kind == event.WireDropped
}

// sessionEvent is what a ConnectResponse means for the session.
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
