package protocol

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"
)

// stream is the bytes of some frames.
func stream(frames ...Message) (b []byte) {
	for _, f := range frames {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(f))), f...)
	}
	return b
}

// A seen frame is what a scanner told of it.
type seen struct {
	head   string
	length int
	last   byte
}

// inChunks scans a stream in pieces of the given size.
func inChunks(b []byte, size int) (all []seen) {
	var s scanner
	for ; len(b) > 0; b = b[min(size, len(b)):] {
		s.scan(b[:min(size, len(b))], time.Time{}, func(f frame) {
			all = append(all, seen{string(f.head.rest), f.length, f.last})
		})
	}
	return all
}

// frames are the complete frames of a stream, as a slow reader finds them.
func frames(b []byte) (all []seen) {
	for len(b) >= prefixSize {
		length := max(0, int(int32(binary.BigEndian.Uint32(b))))
		if len(b) < prefixSize+length {
			break
		}
		body := b[prefixSize : prefixSize+length]
		f := seen{string(body[:min(length, headSize)]), length, 0}
		if length > 0 {
			f.last = body[length-1]
		}
		all = append(all, f)
		b = b[prefixSize+length:]
	}
	return all
}

func TestScanner(t *testing.T) {
	long := Message(bytes.Repeat([]byte{7}, 3*headSize))
	b := stream(Message("first"), long, Message("last"), Message("x"))
	for size := 1; size <= len(b); size++ {
		wantFrames(t, inChunks(b, size), frames(b))
	}
}

func wantFrames(t *testing.T, got, want []seen) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d frames, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("frame %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

// A frame's time is that of its first byte: the server cannot have seen it before.
func TestScannerTime(t *testing.T) {
	var s scanner
	b := stream(Message("frame"))
	early := time.Unix(1, 0)
	s.scan(b[:1], early, nil)
	s.scan(b[1:], early.Add(time.Hour), func(f frame) {
		if !f.started.Equal(early) {
			t.Errorf("started at %v, want %v", f.started, early)
		}
	})
}

// A frame that has not ended counts with the bytes that have arrived, and its length
// is among them.
func TestScannerUnfinished(t *testing.T) {
	var s scanner
	b := stream(Message("frame"), Message(""), Message("another"))
	arrived := 0
	for i := range b {
		arrived++
		s.scan(b[i:i+1], time.Time{}, func(f frame) { arrived -= prefixSize + f.length })
		if got := s.unfinished(); got != arrived {
			t.Errorf("after %d bytes: %d, want %d", i+1, got, arrived)
		}
	}
}

func FuzzScanner(f *testing.F) {
	f.Add(stream(Message("first"), nil, Message("second")), uint8(3))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 9}, uint8(1))
	f.Add([]byte{0x7f, 0xff, 0xff, 0xff, 0}, uint8(2))
	f.Fuzz(func(t *testing.T, b []byte, size uint8) {
		wantFrames(t, inChunks(b, max(1, int(size))), frames(b))
	})
}
