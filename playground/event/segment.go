package event

import (
	"errors"
	"fmt"
	"os"
)

// A segment is a run of consecutive events as lines of JSON. Its text only
// grows, within a capacity fixed at the start, so slices of it stay valid; once
// on disk, text is nil, and file and offset say where it lies.
type segment struct {
	first  int64 // Seq of the first event
	ends   []uint32
	text   []byte
	file   *os.File
	offset int64
}

func newSegment(first int64, capacity int) *segment {
	return &segment{first: first, text: make([]byte, 0, capacity)}
}

func (s *segment) fits(size int) bool { return len(s.text)+size <= cap(s.text) }

// append adds a line with its newline, which must fit.
func (s *segment) append(line []byte) {
	s.text = append(s.text, line...)
	s.ends = append(s.ends, uint32(len(s.text)))
}

// span is where at most limit lines lie in the text, from event from on, and
// how many they are.
func (s *segment) span(from int64, limit int) (begin, end uint32, n int) {
	start := int(from - s.first)
	n = min(limit, len(s.ends)-start)
	if n <= 0 {
		return 0, 0, 0
	}
	if start > 0 {
		begin = s.ends[start-1]
	}
	return begin, s.ends[start+n-1], n
}

// piece returns the part of s that has at most limit lines, from event from on, wherever
// it is.
func (s *segment) piece(from int64, limit int) Piece {
	begin, end, n := s.span(from, limit)
	p := Piece{Events: n, length: int(end - begin)}
	if s.text != nil {
		p.text = s.text[begin:end:end]
	} else {
		p.file, p.offset = s.file, s.offset+int64(begin)
	}
	return p
}

// A Piece is consecutive lines of a log: their text, or where that lies on disk.
type Piece struct {
	// Events is how many there are.
	Events int

	text   []byte
	file   *os.File
	offset int64
	length int
}

// Read returns the lines. The bytes are shared: do not change them.
func (p Piece) Read() ([]byte, error) {
	if p.length == 0 || p.text != nil {
		return p.text, nil
	}
	text := make([]byte, p.length)
	if _, err := p.file.ReadAt(text, p.offset); errors.Is(err, os.ErrClosed) {
		return nil, fmt.Errorf("the older part of the log was removed: %w", err)
	} else if err != nil {
		return nil, err
	}
	return text, nil
}
