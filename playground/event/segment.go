package event

import (
	"errors"
	"fmt"
	"os"
)

// A segment is a run of consecutive events as lines of JSON. Its text only
// grows, within a capacity fixed at the start, so slices of it stay valid; once
// on disk, text is nil and offset says where it lies.
type segment struct {
	first  int64 // Seq of the first event
	ends   []uint32
	text   []byte
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

// A piece is a part of a segment's text: the text itself, or where it lies on
// disk.
type piece struct {
	text   []byte
	file   *os.File
	offset int64
	length int
}

func (p piece) read() ([]byte, error) {
	if p.length == 0 || p.text != nil {
		return p.text, nil
	}
	if p.file == nil {
		return nil, fmt.Errorf("the older part of the log was removed: %w", os.ErrClosed)
	}
	text := make([]byte, p.length)
	_, err := p.file.ReadAt(text, p.offset)
	return text, err
}

// A spillFile keeps the text of older segments, one after the other, in one
// file that is made when the first segment comes.
type spillFile struct {
	dir  string
	file *os.File
	size int64
}

// take moves the segment's text to disk.
func (f *spillFile) take(s *segment) error {
	if f.file == nil {
		file, err := os.CreateTemp(f.dir, "run-*.ndjson")
		if err != nil {
			return err
		}
		// Where the system allows it the file loses its name at once, so that
		// nothing is left of a program that was killed.
		_ = os.Remove(file.Name())
		f.file = file
	}
	if _, err := f.file.WriteAt(s.text, f.size); err != nil {
		return err
	}
	s.offset, s.text = f.size, nil
	f.size += int64(s.length())
	return nil
}

func (s *segment) length() uint32 { return s.ends[len(s.ends)-1] }

// piece returns the part of s between two offsets, wherever it is.
func (f *spillFile) piece(s *segment, begin, end uint32) piece {
	if s.text != nil {
		return piece{text: s.text[begin:end:end], length: int(end - begin)}
	}
	return piece{file: f.file, offset: s.offset + int64(begin), length: int(end - begin)}
}

func (f *spillFile) remove() error {
	if f.file == nil {
		return nil
	}
	name := f.file.Name()
	err := f.file.Close()
	f.file = nil
	if again := os.Remove(name); !errors.Is(again, os.ErrNotExist) {
		err = errors.Join(err, again)
	}
	return err
}
