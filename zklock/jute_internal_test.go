package zklock

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/go-zookeeper/zk"
)

// results is the reply to a transaction: what each operation has to say, and
// the end.
func results(ops ...message) (m message) {
	for _, op := range ops {
		m = append(m, op...)
	}
	return m.int32(-1).bool(true).int32(-1)
}

func created(node string) message {
	return message(nil).int32(opCreate).bool(false).int32(0).text(node)
}

func wrote(children int32) message {
	stat := binary.BigEndian.AppendUint64(message(nil).int32(opSetData).bool(false).int32(0), 5) // czxid
	stat = append(stat, make([]byte, 48)...)
	return message(stat).int32(children).int32(0).int32(9) // pzxid
}

func failed(code int32) message {
	return message(nil).int32(opError).bool(false).int32(code).int32(code)
}

func TestReadCounted(t *testing.T) {
	for name, c := range map[string]struct {
		reply message
		want  error
	}{
		"done":                   {results(created("/l/x"), wrote(3)), nil},
		"another version":        {results(failed(0), failed(-103)), zk.ErrBadVersion},
		"the first error counts": {results(failed(-101), failed(-2)), zk.ErrNoNode},
		"empty":                  {nil, errShortReply},
		"nothing was done":       {results(), errShortReply},
		"no metadata":            {results(created("/l/x")), errShortReply},
		"cut short":              {results(created("/l/x"), wrote(3))[:60], errShortReply},
		"no end":                 {append(created("/l/x"), wrote(3)...), errShortReply},
		"another operation":      {results(message(nil).int32(77).bool(false).int32(0)), errShortReply},
	} {
		got, err := readCounted(&reply{answer: answer{rest: c.reply}})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if c.want == nil && (got.node != "/l/x" || got.stat.NumChildren != 3 || got.stat.Czxid != 5 || got.stat.Pzxid != 9) {
			t.Errorf("%s: %s, %+v", name, got.node, got.stat)
		}
	}
}

func TestTexts(t *testing.T) {
	all := message(nil).int32(3).text("one").text("two").text("three")
	a := answer{rest: all}
	kept, n := a.texts(func(text []byte) bool { return len(text) == 3 })
	if !slices.Equal(kept, []string{"one", "two"}) || n != 3 || a.short || len(a.rest) > 0 {
		t.Errorf("%q of %d, short %v, %d bytes left", kept, n, a.short, len(a.rest))
	}
	for size := range len(all) {
		a := answer{rest: all[:size]}
		if kept, _ := a.texts(func([]byte) bool { return true }); kept != nil || !a.short {
			t.Errorf("of the first %d bytes: %q, short %v", size, kept, a.short)
		}
	}
}

// A code has the same error as go-zookeeper's calls return, and whether it is
// an answer is told alike.
func TestCodeError(t *testing.T) {
	for code, want := range map[int32]string{
		0: "", -101: zk.ErrNoNode.Error(), -110: zk.ErrNodeExists.Error(), -6: "unknown error: -6", -125: "unknown error: -125",
	} {
		err := codeError(code)
		if (err == nil) != (want == "") || err != nil && (err.Error() != want || !answered(err)) {
			t.Errorf("%d: %v, want %q", code, err, want)
		}
	}
	if answered(codeError(-4)) || answered(errShortReply) {
		t.Error("a lost connection counts as an answer")
	}
}

// Whatever a server sends, reading it ends, and takes no more than there is.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(results(created("/l/x"), wrote(3))))
	f.Add([]byte(message(nil).int32(-5).text("x")))
	f.Add([]byte(message(nil).int32(1 << 30).text("x")))
	f.Fuzz(func(t *testing.T, body []byte) {
		before := bytes.Clone(body)
		if made, err := readCounted(&reply{answer: answer{rest: body}}); err == nil && made.stat == nil {
			t.Error("no metadata, and no error")
		}
		a := answer{rest: body}
		kept, all := a.texts(func([]byte) bool { return true })
		if len(kept) != all {
			t.Errorf("%d of %d texts", len(kept), all)
		}
		a.stat()
		if !bytes.Equal(body, before) {
			t.Error("the reply was changed")
		}
	})
}
