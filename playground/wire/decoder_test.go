package wire_test

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/wire/wiretest"
)

// replay decodes the recorded conversation and calls each for every frame.
func replay(tb testing.TB, each func(*wire.Frame, wiretest.Line)) {
	d := wire.NewDecoder()
	for _, l := range wiretest.Recorded(tb) {
		if l.Request {
			each(d.Request(l.Payload), l)
		} else {
			each(d.Reply(l.Payload), l)
		}
	}
}

func TestRecordedConversation(t *testing.T) {
	kinds := make(map[wire.FrameKind]int)
	replay(t, func(f *wire.Frame, l wiretest.Line) {
		kinds[f.Kind]++
		if f.Kind == wire.Undecoded {
			t.Errorf("undecoded: %s: %x", f.Why, l.Payload)
		}
		if want := map[bool]event.Direction{true: event.Out, false: event.In}[l.Request]; f.Dir != want {
			t.Errorf("%s has direction %q, want %q", f.Op, f.Dir, want)
		}
	})
	if kinds[wire.Request] != len(exchanges()) || kinds[wire.Reply] != len(exchanges()) {
		t.Errorf("%v frames by kind; want %d requests and replies", kinds, len(exchanges()))
	}
}

// TestDecoderWantsWholeFrames shortens and lengthens every recorded frame: none
// of that may pass for a frame, except what ZooKeeper itself allows.
func TestDecoderWantsWholeFrames(t *testing.T) {
	lines := wiretest.Recorded(t)
	for i, l := range lines {
		for length := range l.Payload {
			f := decodeAt(lines, i, l.Payload[:length])
			if f.Kind != wire.Undecoded && !optional(f, len(l.Payload)-length) {
				t.Errorf("frame %d, %s, cut to %d of %d bytes: not noticed", i, f.Op, length, len(l.Payload))
			}
		}
		longer := append(append([]byte(nil), l.Payload...), 0, 0)
		if f := decodeAt(lines, i, longer); f.Kind != wire.Undecoded || f.Why == "" {
			t.Errorf("frame %d, %s, with two bytes more: not noticed", i, f.Op)
		}
	}
}

// optional says whether a frame may lack its last bytes: the read-only byte of
// a connect, and the body of a reply with an error.
func optional(f *wire.Frame, missing int) bool {
	connect := f.Kind == wire.ConnectRequest || f.Kind == wire.ConnectResponse
	return connect && missing == 1 || f.Kind == wire.Reply && f.Code != wire.OK
}

// decodeAt decodes payload in the place of line i of the conversation.
func decodeAt(lines []wiretest.Line, i int, payload []byte) *wire.Frame {
	d := wire.NewDecoder()
	for _, l := range lines[:i] {
		if l.Request {
			d.Request(l.Payload)
		} else {
			d.Reply(l.Payload)
		}
	}
	if lines[i].Request {
		return d.Request(payload)
	}
	return d.Reply(payload)
}

func connected() *wire.Decoder {
	d := wire.NewDecoder()
	d.Request(encode(0, int64(0), 4000, int64(0), ""))
	d.Reply(encode(0, 4000, int64(0x1f), "password"))
	return d
}

func TestDecoderSaysWhatItCannotRead(t *testing.T) {
	tests := []struct {
		name    string
		request bool
		payload []byte
		why     string
	}{
		{"empty request", true, nil, "too early"},
		{"unknown operation", true, encode(5, 999), "op 999"},
		{"unknown part of a multi", true, encode(5, multi, 999, false, -1), "unknown operation"},
		{"multi in a multi", true, encode(5, multi, multi, false, -1, -1, true, -1), "unknown operation"},
		{"multi without an end", true, encode(5, multi, check, false, -1, "/a", 0), "too early"},
		{"negative length", true, encode(5, getData, -7, false), "too early"},
		{"more watches than bytes", true, encode(5, setWatches, int64(0), 1<<30), "impossible"},
		{"empty reply", false, nil, "too early"},
		{"reply to nothing", false, encode(77, int64(1), 0), "xid 77"},
		{"event without a path", false, encode(-1, int64(-1), 0, 1, 3), "too early"},
	}
	for _, tt := range tests {
		d := connected()
		decode := d.Reply
		if tt.request {
			decode = d.Request
		}
		if f := decode(tt.payload); f.Kind != wire.Undecoded || !strings.Contains(f.Why, tt.why) {
			t.Errorf("%s: kind %d, why %q; want Undecoded because of %q", tt.name, f.Kind, f.Why, tt.why)
		}
	}
}

func TestDecoderKeepsRequestsWithOneXidInOrder(t *testing.T) {
	d := connected()
	first, second := d.Request(encode(-2, ping)), d.Request(encode(-2, ping))
	for i, want := range []*wire.Frame{first, second} {
		if got := d.Reply(encode(-2, int64(1), 0)); got.Request != want {
			t.Errorf("reply %d answers %p, want %p", i, got.Request, want)
		}
	}
	if f := d.Reply(encode(-2, int64(1), 0)); f.Kind != wire.Undecoded {
		t.Error("a third reply to two pings was taken")
	}
}

func TestDecoderConnect(t *testing.T) {
	d := wire.NewDecoder()
	request := d.Request(encode(0, int64(0x55), 4000, int64(0x1f), "secret"))
	if request.Kind != wire.ConnectRequest || request.Session != 0x1f || string(request.Password) != "secret" {
		t.Errorf("connect request: %+v", request)
	}
	f := d.Reply(encode(0, 0, int64(0), "", false))
	if f.Kind != wire.ConnectResponse || f.Code != wire.SessionExpired || f.Request != request {
		t.Errorf("the response that refuses a session: %+v", f)
	}
	if f := wire.NewDecoder().Reply(encode(0, 4000, int64(1), "")); f.Kind != wire.Undecoded {
		t.Error("a connect response without a request was taken")
	}
}

func TestDecoderKnowsLaterServers(t *testing.T) {
	f := connected().Reply(encode(-1, int64(0x99), 0, 2, 3, "/a")) // 3.9 tells the transaction
	if f.Kind != wire.Notification || f.Zxid != 0x99 || f.Type != wire.NodeDeleted || f.Path != "/a" {
		t.Errorf("notification: %+v", f)
	}
	if f := connected().Reply(encode(-1, int64(-1), 0, 9, 3, "/a")); f.Type != "type 9" || f.Zxid != 0 {
		t.Errorf("notification of an unknown type: %+v", f)
	}
}

// FuzzDecoder feeds a connection with any frames. In the stream, each has in
// front a byte that says who sends it and two that say how long it is.
func FuzzDecoder(f *testing.F) {
	var stream []byte
	for _, l := range wiretest.Recorded(f) {
		side := byte('<')
		if l.Request {
			side = '>'
		}
		stream = append(stream, side, byte(len(l.Payload)>>8), byte(len(l.Payload)))
		stream = append(stream, l.Payload...)
		f.Add(stream)
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		d := wire.NewDecoder()
		for len(stream) >= 3 {
			n := min(int(stream[1])<<8+int(stream[2]), len(stream)-3)
			checkFrame(t, d, stream[0] == '>', stream[3:3+n])
			stream = stream[3+n:]
		}
	})
}

func checkFrame(t *testing.T, d *wire.Decoder, request bool, payload []byte) {
	decode := d.Reply
	if request {
		decode = d.Request
	}
	f := decode(payload)
	if (f.Kind == wire.Undecoded) != (f.Why != "") {
		t.Errorf("%x: kind %d and why %q", payload, f.Kind, f.Why)
	}
	if len(f.Ops) > len(payload) {
		t.Errorf("%x: %d parts, more than the frame holds", payload, len(f.Ops))
	}
	if f.Kind == wire.Reply && f.Request == nil {
		t.Errorf("%x: a reply to nothing", payload)
	}
}
