package protocol

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/go-zookeeper/zk"
)

// everything has one of each value.
func everything() Message {
	m := Message(nil).Int32(-7).Int64(1 << 40).Bool(true).Bool(false).Text("text").Bytes([]byte("data")).Bytes(nil).Text("")
	return m.ACL(zk.WorldACL(zk.PermRead)).Int32(2).Text("one").Text("two")
}

func TestMessage(t *testing.T) {
	r := NewReader(everything())
	if a, b, c, d := r.Int32(), r.Int64(), r.Bool(), r.Bool(); a != -7 || b != 1<<40 || !c || d {
		t.Errorf("numbers %d and %d, %v, %v", a, b, c, d)
	}
	if a, b := r.Text(), r.Text(); a != "text" || b != "data" {
		t.Errorf("texts %q, %q", a, b)
	}
	if none, empty := r.Int32(), r.Text(); none != -1 || empty != "" {
		t.Errorf("no data has the length %d; empty text %q", none, empty)
	}
	if n, perms, scheme, id := r.Int32(), r.Int32(), r.Text(), r.Text(); n != 1 || perms != zk.PermRead || scheme != "world" || id != "anyone" {
		t.Errorf("%d entries, %d %s:%s", n, perms, scheme, id)
	}
	if texts := r.Texts(); !slices.Equal(texts, []string{"one", "two"}) || r.Err() != nil || len(r.rest) > 0 {
		t.Errorf("%q, %v, %d bytes are left", texts, r.Err(), len(r.rest))
	}
}

func TestStat(t *testing.T) {
	want := zk.Stat{
		Czxid: 1, Mzxid: 2, Ctime: 3, Mtime: 4, Version: 5, Cversion: 6, Aversion: 7,
		EphemeralOwner: 8, DataLength: 9, NumChildren: 10, Pzxid: 11,
	}
	var b bytes.Buffer
	if err := binary.Write(&b, binary.BigEndian, want); err != nil {
		t.Fatal(err)
	}
	r := NewReader(b.Bytes())
	if got := r.Stat(); *got != want || r.Err() != nil {
		t.Errorf("%+v, %v", got, r.Err())
	}
}

// What is cut off is told, and never read as if it were there.
func TestShortReply(t *testing.T) {
	all := everything()
	readAll := func(r *Reader) []string {
		r.Int32()
		r.Int64()
		r.Bool()
		r.Bool()
		r.Text()
		r.Text()
		r.Int32()
		r.Text()
		r.Int32()
		r.Int32()
		r.Text()
		r.Text()
		return r.Texts()
	}
	for size := range all {
		r := NewReader(all[:size])
		if texts := readAll(r); !errors.Is(r.Err(), ErrShortReply) {
			t.Errorf("of the first %d bytes: %q, %v", size, texts, r.Err())
		}
	}
	for name, m := range map[string]Message{
		"negative length": Message(nil).Int32(-2), "huge length": Message(nil).Int32(1 << 30).Text("x"),
	} {
		if r := NewReader(m); r.Text() != "" || r.Err() == nil {
			t.Errorf("%s: %v", name, r.Err())
		}
	}
	for n, want := range map[int32]error{-1: nil, 0: nil, 1: ErrShortReply, 1 << 30: ErrShortReply} {
		if r := NewReader(Message(nil).Int32(n)); len(r.Texts()) > 0 || r.Err() != want {
			t.Errorf("a list of %d: %v", n, r.Err())
		}
	}
}

// A code has the same error as go-zookeeper's calls return.
func TestErrorOf(t *testing.T) {
	for code, want := range map[int32]error{0: nil, -101: zk.ErrNoNode, -110: zk.ErrNodeExists, -112: zk.ErrSessionExpired} {
		if err := ErrorOf(code); err != want {
			t.Errorf("%d: %v, want %v", code, err, want)
		}
	}
	if err := ErrorOf(-127); err == nil || err.Error() != "unknown error: -127" {
		t.Errorf("-127: %v", err)
	}
}

// Whatever a server sends, reading it ends, takes no more than there is, and leaves
// it as it is.
func FuzzReader(f *testing.F) {
	f.Add([]byte(everything()))
	f.Add([]byte(Message(nil).Int32(-5).Text("x")))
	f.Add([]byte(Message(nil).Int32(1 << 30).Text("x")))
	f.Fuzz(func(t *testing.T, body []byte) {
		before := bytes.Clone(body)
		r := NewReader(body)
		size := 0
		for _, text := range r.Texts() {
			size += 4 + len(text)
		}
		size += len(r.Text())
		if size > len(body) {
			t.Errorf("%d bytes were read of %d", size, len(body))
		}
		r.Stat()
		if !bytes.Equal(body, before) {
			t.Error("the reply was changed")
		}
	})
}
