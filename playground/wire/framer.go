package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrFrameLength: a frame claims a length that is negative or above the limit.
// What follows it cannot be read.
var ErrFrameLength = errors.New("wire: impossible frame length")

// DefaultLimit is the longest frame that a [Framer] takes, in bytes, unless
// told otherwise. ZooKeeper's own limit is 1 MiB.
const DefaultLimit = 16 << 20

const prefix = 4 // bytes of a frame's length

// firstRoom bounds what a claimed length makes a Framer allocate at once.
const firstRoom = 64 << 10

// A Framer reassembles frames from a stream that arrives in any chunks. It is
// for one goroutine, but for Reuse.
type Framer struct {
	limit int
	head  []byte // the length, as long as it is not complete
	frame []byte // the frame with its length, once that is known
	want  int    // the length of the whole frame
	err   error
	spare chan []byte // the room of one frame, to be used again
}

// NewFramer returns a Framer for frames of up to limit bytes, not counting the
// length in front. A limit of 0 is DefaultLimit.
func NewFramer(limit int) *Framer {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &Framer{limit: limit, head: make([]byte, 0, prefix), spare: make(chan []byte, 1)}
}

// Reuse gives back a frame that was the caller's and that nobody looks at any
// more, so that a later one can have its room. It is for any goroutine.
func (f *Framer) Reuse(frame []byte) {
	if cap(frame) > firstRoom {
		return // seldom needed, and much to keep
	}
	select {
	case f.spare <- frame:
	default: // one is enough
	}
}

// Feed takes the next chunk of the stream and calls each for every frame that
// it completes, with the four bytes of the length in front; the frame belongs
// to each. Feed keeps no part of chunk. After an ErrFrameLength, every call
// returns it.
func (f *Framer) Feed(chunk []byte, each func(frame []byte)) error {
	for len(chunk) > 0 && f.err == nil {
		if f.frame == nil {
			chunk = f.measure(chunk)
		}
		chunk = f.fill(chunk)
		if f.frame != nil && len(f.frame) == f.want {
			each(f.frame)
			f.frame = nil
		}
	}
	return f.err
}

// measure takes the length off the chunk, and when it is complete makes room
// for the frame.
func (f *Framer) measure(chunk []byte) []byte {
	n := min(prefix-len(f.head), len(chunk))
	f.head = append(f.head, chunk[:n]...)
	if len(f.head) == prefix {
		f.begin(int(int32(binary.BigEndian.Uint32(f.head))))
	}
	return chunk[n:]
}

func (f *Framer) begin(length int) {
	if length < 0 || length > f.limit {
		f.err = fmt.Errorf("%w: %d bytes, the limit is %d", ErrFrameLength, length, f.limit)
		return
	}
	f.want = prefix + length
	f.frame = append(f.room(min(f.want, firstRoom)), f.head...)
	f.head = f.head[:0]
}

// room is for n bytes.
func (f *Framer) room(n int) []byte {
	select {
	case spare := <-f.spare:
		if cap(spare) >= n {
			return spare[:0]
		}
	default:
	}
	return make([]byte, 0, n)
}

// fill moves from the chunk what belongs to the frame.
func (f *Framer) fill(chunk []byte) []byte {
	if f.frame == nil {
		return chunk
	}
	n := min(f.want-len(f.frame), len(chunk))
	f.frame = append(f.frame, chunk[:n]...)
	return chunk[n:]
}
