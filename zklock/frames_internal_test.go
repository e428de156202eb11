package zklock

import (
	"bytes"
	"encoding/binary"
	"testing"
	"testing/iotest"
	"time"
)

// stream is the bytes of some frames.
func stream(frames ...[]byte) (b []byte) {
	for _, f := range frames {
		b = binary.BigEndian.AppendUint32(b, uint32(len(f)))
		b = append(b, f...)
	}
	return b
}

// replyFrame is the header of a reply, and what follows it.
func replyFrame(xid int32, zxid int64, code int32, body ...byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(xid))
	b = binary.BigEndian.AppendUint64(b, uint64(zxid))
	b = binary.BigEndian.AppendUint32(b, uint32(code))
	return append(b, body...)
}

func text(s string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(s))), s...)
}

func TestFrameScannerWithAnyChunks(t *testing.T) {
	long := bytes.Repeat([]byte{7}, 3*maxHead)
	want := [][]byte{[]byte("first"), {}, long[:maxHead], []byte("last")}
	b := stream(want[0], nil, long, want[3])
	for size := 1; size <= len(b); size++ {
		var got [][]byte
		var f frameScanner
		for rest := b; len(rest) > 0; rest = rest[min(size, len(rest)):] {
			f.scan(rest[:min(size, len(rest))], time.Time{}, func(head []byte, _ time.Time) {
				got = append(got, bytes.Clone(head))
			})
		}
		if len(got) != len(want) {
			t.Fatalf("chunks of %d: %d frames, want %d", size, len(got), len(want))
		}
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("chunks of %d: frame %d is %q, want %q", size, i, got[i], want[i])
			}
		}
	}
}

// A frame's time is that of its first byte: the server cannot have seen it
// before.
func TestFrameTimeIsItsStart(t *testing.T) {
	var f frameScanner
	b := stream([]byte("frame"))
	early := time.Unix(1, 0)
	f.scan(b[:2], early, nil)
	f.scan(b[2:], early.Add(time.Hour), func(_ []byte, started time.Time) {
		if !started.Equal(early) {
			t.Errorf("started at %v, want %v", started, early)
		}
	})
}

func TestCreatedPath(t *testing.T) {
	path, zxid, ok := createdPath(replyFrame(5, 77, 0, text("/lock/x")...))
	if !ok || path != "/lock/x" || zxid != 77 {
		t.Errorf("got %q, %d, %v", path, zxid, ok)
	}
	for name, head := range map[string][]byte{
		"failed":    replyFrame(5, 77, -101),
		"no path":   replyFrame(5, 77, 0),
		"cut short": replyFrame(5, 77, 0, text("/lock/x")[:6]...),
		"negative":  replyFrame(5, 77, 0, 0xff, 0xff, 0xff, 0xff),
		"short":     {1, 2},
		"empty":     nil,
	} {
		if path, _, ok := createdPath(head); ok {
			t.Errorf("%s: got %q", name, path)
		}
	}
}

// Whatever passes, the connection only looks on.
func FuzzFrameConn(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add(stream(make([]byte, 44), replyFrame(1, 1, 1)), stream(make([]byte, 37), replyFrame(1, 9, 0, text("/x")...)))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0}, []byte{0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, out, in []byte) {
		s := NewSession()
		defer s.stop()
		conn, err := s.observe(&memoryConn{Reader: iotest.HalfReader(bytes.NewReader(in))})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := conn.Write(out); err != nil || n != len(out) {
			t.Fatalf("wrote %d of %d: %v", n, len(out), err)
		}
		got := new(bytes.Buffer)
		if _, err := got.ReadFrom(conn); err != nil || !bytes.Equal(got.Bytes(), in) {
			t.Fatalf("read %q, %v; want %q", got.Bytes(), err, in)
		}
		if s.timer != nil {
			s.timer.Stop()
		}
	})
}

func TestSetsWatch(t *testing.T) {
	request := func(op int32, path string, watch byte) []byte {
		head := binary.BigEndian.AppendUint32(nil, 7)
		head = binary.BigEndian.AppendUint32(head, uint32(op))
		head = binary.BigEndian.AppendUint32(head, uint32(len(path)))
		return append(append(head, path...), watch)
	}
	for _, c := range []struct {
		head []byte
		want bool
	}{
		{request(opGetData, "/lock", 1), true},
		{request(opGetData, "/lock", 0), false},
		{request(opGetChildren2, "/lock", 1), true},
		{request(opCreate, "/lock", 1), false},
		{request(opExists, "/lock", 1)[:14], true}, // cut off: it may
		{request(opExists, "/lock", 1)[:6], false},
		{request(opAddWatch, "/lock", 0), true}, // the byte is of its mode
		{request(opSetWatches2, "", 0), true},
		{nil, false},
	} {
		if got := setsWatch(c.head); got != c.want {
			t.Errorf("setsWatch(%x) = %v", c.head, got)
		}
	}
}
