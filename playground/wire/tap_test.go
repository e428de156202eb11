package wire_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A listener is a tap, the clock that it reads and the events that it emits.
type listener struct {
	*wire.Tap
	now    int64
	events []event.Event
}

func listen() *listener {
	l := new(listener)
	l.Tap = wire.NewTap("herd", 3, func() int64 { return l.now },
		func(e event.Event) { l.events = append(l.events, e) })
	return l
}

// numbered does what the link does to a frame.
func numbered(f *wire.Frame, number, due int64) *wire.Frame {
	f.Number, f.Due = number, due
	return f
}

func base(kind event.Kind, frame int64) event.Event {
	return event.Event{Lane: "herd", Client: 3, Kind: kind, Frame: frame}
}

func compare(t *testing.T, got []event.Event, want ...event.Event) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestTapTellsARequestAndItsReply(t *testing.T) {
	l, d := listen(), connected()
	l.now = 1000
	request := numbered(d.Request(encode(7, getChildren2, "/a", true)), 4, 0)
	l.Sent(request)
	l.now = 1750
	reply := numbered(d.Reply(encode(7, int64(0x99), 0, []string{"b", "c"},
		int64(1), int64(1), int64(1), int64(1), 0, 0, 0, int64(0), 0, 2, int64(1))), 5, 0)
	l.Received(reply)

	sent, received := base(event.WireSent, 4), base(event.WireReceived, 5)
	sent.Op, sent.Path, sent.Watch, sent.Xid = "getChildren", "/a", true, 7
	received.Op, received.Path, received.Watch, received.Xid = "getChildren", "/a", true, 7
	received.Zxid, received.Children, received.Latency = 0x99, 2, 750
	compare(t, l.events, sent, received)
}

func TestTapTellsWhatItKnowsOfAZnode(t *testing.T) {
	l, d := listen(), connected()
	request := numbered(d.Request(encode(7, getData, "/a", true)), 4, 0)
	request.Bytes = 20
	l.Sent(request)
	reply := numbered(d.Reply(encode(7, int64(0x99), 0, "data",
		int64(1), int64(2), int64(3), int64(4), 5, 6, 7, int64(0x1f), 4, 0, int64(8))), 5, 0)
	reply.Bytes = 100
	l.Held(reply)
	l.Received(reply)

	got := l.events
	want := &event.Stat{Czxid: 1, Mzxid: 2, Ctime: 3, Mtime: 4, Version: 5, Cversion: 6, EphemeralOwner: "0x1f", DataLength: 4, Pzxid: 8}
	if diff := cmp.Diff(want, got[2].Stat); diff != "" {
		t.Errorf("stat (-want +got):\n%s", diff)
	}
	if got[0].Bytes != 20 || got[1].Bytes != 0 || got[2].Bytes != 100 || got[1].Stat != nil {
		t.Errorf("told when it was sent or received, and not in between: %+v", got)
	}
}

func TestTapTellsEveryStage(t *testing.T) {
	l, d := listen(), connected()
	f := numbered(d.Request(encode(7, create, "/a/s-", "", openACL{}, 3)), 4, 260_000)
	l.Sent(f)
	l.Held(numbered(f, 4, 0))
	l.Delivered(f)
	l.Dropped(f)

	stage := func(kind event.Kind) event.Event {
		e := base(kind, 4)
		e.Op, e.Path, e.Flags, e.Xid = "create", "/a/s-", "ephemeral+sequential", 7
		if kind != event.WireSent {
			e.Dir = event.Out
		}
		return e
	}
	sent := stage(event.WireSent)
	sent.Due = 260_000
	compare(t, l.events, sent, stage(event.WireHeld), stage(event.WireDelivered), stage(event.WireDropped))
}

func TestTapTellsAnUnreadableFrameOnce(t *testing.T) {
	l, d := listen(), connected()
	f := numbered(d.Reply(encode(77, int64(0), 0)), 9, 500)
	l.Held(f)
	l.Received(f)

	undecoded, held, received := base(event.WireUndecoded, 9), base(event.WireHeld, 9), base(event.WireReceived, 9)
	undecoded.Xid, undecoded.Dir, undecoded.Reason = 77, event.In, event.Text("a reply to no request: xid 77")
	held.Xid, held.Dir, held.Due = 77, event.In, 500
	received.Xid = 77
	compare(t, l.events, undecoded, held, received)
}

func TestTapTellsSessions(t *testing.T) {
	tests := []struct {
		name         string
		asked, given int64
		kind         event.Kind
		session, err string
	}{
		{"new", 0, 0x1f, event.SessionGranted, "0x1f", ""},
		{"again", 0x1f, 0x1f, event.SessionResumed, "0x1f", ""},
		{"expired", 0x1f, 0, event.SessionRefused, "0x1f", "SessionExpired"},
		{"of a server with a high number", 0, -0x100, event.SessionGranted, "0xffffffffffffff00", ""},
	}
	for _, tt := range tests {
		l, d := listen(), wire.NewDecoder()
		l.Sent(d.Request(encode(0, int64(0), 4000, tt.asked, "")))
		l.Received(d.Reply(encode(0, 3000, tt.given, "secret")))
		want := event.Event{Lane: "herd", Client: 3, Kind: tt.kind, Session: tt.session, Timeout: 3000, Err: tt.err}
		if diff := cmp.Diff(want, l.events[len(l.events)-1]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		id, password, timeout := l.Session()
		if id != tt.given || string(password) != "secret" || timeout != 3*time.Second {
			t.Errorf("%s: Session() = %#x, %q, %v", tt.name, id, password, timeout)
		}
	}
}

func TestTapTellsNotifications(t *testing.T) {
	l, d := listen(), connected()
	l.Received(numbered(d.Reply(encode(-1, int64(-1), 0, 4, 3, "/lock")), 2, 0))
	want := base(event.WireReceived, 2)
	want.Op, want.Type, want.Path, want.Xid = "notification", wire.NodeChildrenChanged, "/lock", -1
	compare(t, l.events, want)
}

func BenchmarkRoundTrip(b *testing.B) {
	tap := wire.NewTap("herd", 1, func() int64 { return 1 }, func(event.Event) {})
	request, reply := encode(7, exists, "/playground/lock", true), encode(7, int64(0x99), -101)
	d := connected()
	b.ReportAllocs()
	for b.Loop() {
		tap.Sent(d.Request(request))
		tap.Received(d.Reply(reply))
	}
}

func TestTapKnowsWhatTheClientMade(t *testing.T) {
	l, d := listen(), connected()
	made := func(want string, wantZxid int64) {
		t.Helper()
		if path, zxid := l.LastCreated(); path != want || zxid != wantZxid {
			t.Errorf("LastCreated = %q, %#x; want %q, %#x", path, zxid, want, wantZxid)
		}
	}
	l.Sent(d.Request(encode(7, create, "/a/s-", "", openACL{}, 3)))
	made("", 0)
	l.Received(d.Reply(encode(7, int64(0x99), 0, "/a/s-0000000004")))
	made("/a/s-0000000004", 0x99)
	l.Sent(d.Request(encode(8, create, "/a/t", "", openACL{}, 0)))
	l.Received(d.Reply(encode(8, int64(0x9a), int(wire.NodeExists))))
	made("/a/s-0000000004", 0x99)
	l.Sent(d.Request(encode(append([]any{9, multi}, join(part(create, "/a/u", "", openACL{}, 0))...)...)))
	l.Received(d.Reply(encode(append([]any{9, int64(0x9b), 0}, join(part(create, "/a/u"))...)...)))
	made("/a/u", 0x9b)
}
