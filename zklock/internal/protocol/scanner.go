package protocol

import (
	"encoding/binary"
	"time"
)

// headSize is how much of each frame is kept: the fields of a handshake, which are
// its first, or a header.
const headSize = 24

// prefixSize is how many bytes of length are before each frame.
const prefixSize = 4

// A scanner finds the frames in one direction of a connection, however the stream
// is chopped. It keeps only the first bytes of each.
type scanner struct {
	prefix  [prefixSize]byte // the length
	size    int              // of the prefix, what has arrived
	length  int              // of the present frame
	left    int              // bytes of it still to come
	head    [headSize]byte
	kept    int
	last    byte
	started time.Time // when the first byte of the prefix passed
}

// A frame is what a scanner reports of one. It is valid during the call.
type frame struct {
	head    *Reader
	length  int
	last    byte // of the frame, 0 of an empty one
	started time.Time
}

// scan takes the next bytes of the stream, and calls found at each frame's end.
func (s *scanner) scan(p []byte, now time.Time, found func(frame)) {
	for len(p) > 0 {
		if s.size < prefixSize {
			p = s.scanPrefix(p, now)
		} else {
			p = s.scanBody(p)
		}
		if s.size == prefixSize && s.left == 0 {
			found(frame{NewReader(s.head[:s.kept]), s.length, s.last, s.started})
			s.size, s.kept, s.last = 0, 0, 0
		}
	}
}

func (s *scanner) scanPrefix(p []byte, now time.Time) (rest []byte) {
	if s.size == 0 {
		s.started = now
	}
	n := copy(s.prefix[s.size:], p)
	s.size += n
	if s.size == prefixSize {
		s.length = Length(s.prefix[:])
		s.left = s.length
	}
	return p[n:]
}

func (s *scanner) scanBody(p []byte) (rest []byte) {
	n := min(len(p), s.left)
	s.kept += copy(s.head[s.kept:], p[:n])
	s.last = p[n-1]
	s.left -= n
	return p[n:]
}

// unfinished returns how many bytes have arrived of a frame that is not complete.
func (s *scanner) unfinished() int {
	if s.size < prefixSize {
		return s.size
	}
	return prefixSize + s.length - s.left
}

// Length returns the length of the frame that begins with prefix, of 4 bytes. A
// length with the top bit set is no ZooKeeper's; the client fails on it, and here
// it must only do no harm.
func Length(prefix []byte) int { return max(0, int(int32(binary.BigEndian.Uint32(prefix)))) }
