package wire_test

import (
	"bytes"
	"testing"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/wire/wiretest"
)

// located decodes the recorded conversation, with the fields.
func located(t *testing.T, each func(*wire.Frame, wiretest.Line)) {
	t.Helper()
	d := wire.NewDecoder()
	d.LocateFields = true
	for _, l := range wiretest.Recorded(t) {
		if l.Request {
			each(d.Request(l.Payload), l)
		} else {
			each(d.Reply(l.Payload), l)
		}
	}
}

// The recorded conversation has every path below the root of the tests, so none of
// its paths can be overlooked.
func TestFieldsAreAllPaths(t *testing.T) {
	const roots = "/zktest/"
	located(t, func(f *wire.Frame, l wiretest.Line) {
		paths := 0
		moved := f.Replace(l.Payload, func(kind wire.FieldKind, value string) string {
			if kind != wire.PasswordField {
				paths++
			}
			return value
		})
		if want := bytes.Count(l.Payload, []byte(roots)); paths != want {
			t.Errorf("%s has %d paths, want %d: %q", f.Op, paths, want, l.Payload)
		}
		if !bytes.Equal(moved, prefixed(l.Payload)) {
			t.Errorf("%s, each field put in its own place: %q, want %q", f.Op, moved[4:], l.Payload)
		}
	})
}

// What has replaced the fields is read as such, whether longer or shorter.
func TestReplacedFields(t *testing.T) {
	for _, path := range []string{"/another/and/longer/path/than/those/that/were/recorded", "/p"} {
		out := wire.NewDecoder()
		located(t, func(f *wire.Frame, l wiretest.Line) {
			moved := f.Replace(l.Payload, func(wire.FieldKind, string) string { return path })
			var got *wire.Frame
			if l.Request {
				got = out.Request(moved[4:])
			} else {
				got = out.Reply(moved[4:])
			}
			if got.Kind != f.Kind {
				t.Fatalf("%s replaced by %s is of kind %d, want %d: %s", f.Op, path, got.Kind, f.Kind, got.Why)
			}
			if f.Path != "" && got.Path != path {
				t.Errorf("%s has path %q, want %q", f.Op, got.Path, path)
			}
		})
	}
}

func TestFieldKinds(t *testing.T) {
	for _, test := range []struct {
		name string
		op   int
		body []any
		want wire.FieldKind
	}{
		{"create", create, []any{"/a", "", openACL{}, 1}, wire.PathField},
		{"sequential create", create2, []any{"/a", "", openACL{}, 2}, wire.SequentialField},
		{"ephemeral sequential create", create, []any{"/a", "", openACL{}, 3}, wire.SequentialField},
		{"sequential create with a time to live", createTTL, []any{"/a", "", openACL{}, 6, int64(1)}, wire.SequentialField},
		{"delete", remove, []any{"/a", -1}, wire.DeleteField},
		{"part of a multi", multi, join(part(create, "/a", "", openACL{}, 3)), wire.SequentialField},
		{"getEphemerals", getEphemerals, []any{"/a"}, wire.PrefixField},
		{"exists", exists, []any{"/a", true}, wire.PathField},
	} {
		d := connected()
		d.LocateFields = true
		f := d.Request(append(encode(1, test.op), encode(test.body...)...))
		if len(f.Fields) != 1 || f.Fields[0].Kind != test.want {
			t.Errorf("%s has fields %v, want one of kind %d", test.name, f.Fields, test.want)
		}
	}
}

// A decoder that was not asked locates nothing: the tap has no use for it.
func TestFieldsOnRequest(t *testing.T) {
	replay(t, func(f *wire.Frame, _ wiretest.Line) {
		if f.Fields != nil {
			t.Errorf("%s has fields %v", f.Op, f.Fields)
		}
	})
}

func TestForget(t *testing.T) {
	d := connected()
	d.Request(encode(7, exists, "/a", false))
	second := d.Request(encode(7, remove, "/b", -1))
	d.Request(encode(7, sync, "/c"))
	d.Forget(second)
	for _, want := range []string{"exists", "sync"} {
		if f := d.Reply(encode(7, int64(1), -101)); f.Op != want {
			t.Errorf("a reply to %s, want %s", f.Op, want)
		}
	}
	if f := d.Reply(encode(7, int64(1), -101)); f.Kind != wire.Undecoded {
		t.Errorf("a third reply is taken for one to %s", f.Op)
	}
}

func TestRefusal(t *testing.T) {
	for _, test := range []struct {
		payload []byte
		want    wire.Code
	}{
		{encode(1, 4711, "/a"), wire.Unimplemented},
		{encode(1, getData, "/a"), wire.MarshallingError},
	} {
		if f := connected().Request(test.payload); f.Kind != wire.Undecoded || f.Refusal() != test.want {
			t.Errorf("%x: kind %d, refused by %v, want %v", test.payload, f.Kind, f.Refusal(), test.want)
		}
	}
}

// The replies that are made here are read like those of a server.
func TestRepliesMadeHere(t *testing.T) {
	d := connected()
	d.Request(encode(1, create, "/a", "", openACL{}, 0))
	if f := d.Reply(wire.ReplyFrame(1, wire.QuotaExceeded)[4:]); f.Kind != wire.Reply || f.Code != wire.QuotaExceeded {
		t.Errorf("a refusal is read as %+v", f)
	}
	for _, op := range []int{getData, exists} {
		request := d.Request(encode(2, op, "/zookeeper/config", true))
		if f := d.Reply(wire.EmptyFrame(request)[4:]); f.Kind != wire.Reply || f.Code != wire.OK || f.Stat == nil {
			t.Errorf("an empty reply to operation %d is read as %+v", op, f)
		}
	}
	connect := encode(0, int64(9), 4000, int64(7), "0123456789abcdef")
	for _, test := range []struct {
		request []byte
		length  int
	}{{connect, 36}, {append(connect, 0), 37}} {
		d = wire.NewDecoder()
		answer := wire.ExpiredFrame(d.Request(test.request))[4:]
		if f := d.Reply(answer); f.Kind != wire.ConnectResponse || f.Code != wire.SessionExpired || len(answer) != test.length {
			t.Errorf("an expired session is read as %+v, of %d bytes, want %d", f, len(answer), test.length)
		}
	}
}
