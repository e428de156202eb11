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

func (s *segment) append(line []byte) {
	s.text = append(append(s.text, line...), '\n')
	s.ends = append(s.ends, uint32(len(s.text)))
}

// lines cuts at most limit lines out of text, from event from on.
func (s *segment) lines(text []byte, from int64, limit int) ([]byte, int) {
	start := int(from - s.first)
	n := min(limit, len(s.ends)-start)
	if n <= 0 {
		return nil, 0
	}
	begin := uint32(0)
	if start > 0 {
		begin = s.ends[start-1]
	}
	end := s.ends[start+n-1]
	return text[begin:end:end], n
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

// textOf returns the text of s, wherever it is.
func (f *spillFile) textOf(s *segment) ([]byte, error) {
	if s.text != nil {
		return s.text, nil
	}
	if f.file == nil {
		return nil, fmt.Errorf("the older part of the log was removed: %w", os.ErrClosed)
	}
	text := make([]byte, s.length())
	if _, err := f.file.ReadAt(text, s.offset); err != nil {
		return nil, err
	}
	return text, nil
}

func (f *spillFile) remove() error {
	if f.file == nil {
		return nil
	}
	name := f.file.Name()
	err := f.file.Close()
	f.file = nil
	return errors.Join(err, os.Remove(name))
}
