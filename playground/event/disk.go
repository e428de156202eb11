package event

import (
	"errors"
	"fmt"
	"os"

	"github.com/zkplayground/zkplayground/playground/internal/disk"
)

// startMoving lets the goroutine that moves segments go on if there is anything
// to move. The caller holds the mutex.
func (l *Log) startMoving() {
	if l.busy || l.toMove() == nil {
		return
	}
	l.busy = true
	l.moving.Go(l.move)
}

// toMove is the oldest segment if there are too many in memory, else nil. The
// caller holds the mutex.
func (l *Log) toMove() *segment {
	if l.closed || l.failed != nil || len(l.segments)-l.inMemory <= l.config.MemorySegments {
		return nil
	}
	return l.segments[l.inMemory]
}

// move moves segments to disk until there are few enough in memory. A segment
// that is not the newest does not change, so it is written without the mutex.
func (l *Log) move() {
	for s := l.nextToMove(); s != nil; s = l.nextToMove() {
		file, offset, err := l.spill.write(s.text)
		l.mu.Lock()
		if err == nil {
			s.text, s.file, s.offset = nil, file, offset
			l.inMemory++
		}
		l.mu.Unlock()
		if err != nil {
			l.fail(err)
		}
		l.moved.Broadcast()
	}
}

func (l *Log) nextToMove() *segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.toMove()
	l.busy = s != nil
	return s
}

// fail closes the log for good and gives back the reserve.
func (l *Log) fail(err error) {
	l.mu.Lock()
	if l.failed == nil {
		l.failed = fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	l.mu.Unlock()
	l.reserve.free()
}

// Err is why the log could not be kept; nil if it is.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// CheckDisk looks after the disk while the log grows; its owner calls it about
// once a second. The first call sets some room aside, for what shares the disk
// with the log. When the disk is full, although the log may not need it yet, a
// call gives that room back, closes the log for good, and returns why, as when
// the log had failed before.
func (l *Log) CheckDisk() error {
	if err := l.Err(); err != nil {
		return err
	}
	if err := l.reserve.check(); err != nil {
		l.fail(err)
	}
	return l.Err()
}

// Crowded says that the disk is full, or was when the log needed it, so that its
// end would make room.
func (l *Log) Crowded() bool { return l.Err() != nil || diskFull(l.config.Dir) != nil }

// A spillFile keeps the text of older segments, one after the other, in one
// file that is made when the first segment comes.
type spillFile struct {
	dir  string
	file *os.File
	size int64
}

// write adds text, or nothing if it fails, and says where it is.
func (f *spillFile) write(text []byte) (file *os.File, offset int64, err error) {
	if f.file == nil {
		if f.file, err = disk.Temporary(f.dir, "run-*.ndjson"); err != nil {
			return nil, 0, err
		}
	}
	if _, err := f.file.WriteAt(text, f.size); err != nil {
		return nil, 0, errors.Join(err, f.file.Truncate(f.size))
	}
	offset = f.size
	f.size += int64(len(text))
	return f.file, offset, nil
}

func (f *spillFile) remove() error {
	file := f.file
	f.file = nil
	return disk.Remove(file)
}
