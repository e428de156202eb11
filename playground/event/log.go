package event

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrSealed is returned by Append after Seal, and by Wait when the log was
// sealed before the event that is waited for.
var ErrSealed = errors.New("the log is sealed")

// LogConfig says where a log keeps its events and how many it wants.
type LogConfig struct {
	// Clock gives the time since the run began; it must never go back.
	// Nil means the time since NewLog.
	Clock func() time.Duration
	// Dir is where older segments go; empty means the system's directory for
	// temporary files. The file appears only when there is something to put in.
	Dir string
	// SegmentBytes is the size of a segment; 0 means 1 MiB.
	SegmentBytes int
	// MemorySegments is how many segments stay in memory; 0 means 16.
	MemorySegments int
	// LimitBytes is the size from which Full is true; 0 means 1 GiB.
	LimitBytes int64
}

func (c LogConfig) withDefaults() LogConfig {
	if c.Clock == nil {
		began := time.Now()
		c.Clock = func() time.Duration { return time.Since(began) }
	}
	if c.SegmentBytes == 0 {
		c.SegmentBytes = 1 << 20
	}
	if c.MemorySegments == 0 {
		c.MemorySegments = 16
	}
	if c.LimitBytes == 0 {
		c.LimitBytes = 1 << 30
	}
	return c
}

// A Log is a gapless, append-only sequence of events. Its methods are safe for
// concurrent use. The zero value is not usable; see [NewLog].
type Log struct {
	config LogConfig

	mu       sync.Mutex
	segments []*segment
	spill    spillFile
	inMemory int // segments from this index on are in memory
	count    int64
	bytes    int64
	last     int64  // At of the newest event
	line     []byte // of the newest event; its room is used again
	sealed   bool
	grown    chan struct{} // closed at the next append; nil while nobody waits
}

// NewLog returns an empty log.
func NewLog(config LogConfig) *Log {
	config = config.withDefaults()
	return &Log{config: config, spill: spillFile{dir: config.Dir}}
}

// Append numbers and stamps e, adds it, and returns it as it was added.
// It fails with ErrSealed, or when an older segment cannot be put on disk.
func (l *Log) Append(e Event) (Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sealed {
		return e, ErrSealed
	}
	e.Seq = l.count + 1
	e.At = max(l.last, l.config.Clock().Microseconds())
	l.line = append(e.appendJSON(l.line[:0]), '\n')
	if err := l.makeRoom(len(l.line)); err != nil {
		return e, err
	}
	l.segments[len(l.segments)-1].append(l.line)
	l.count, l.last = e.Seq, e.At
	l.bytes += int64(len(l.line))
	l.wake()
	return e, nil
}

// makeRoom starts a new segment when the last one is full, and spills the
// oldest one that is still in memory when there are too many.
func (l *Log) makeRoom(size int) error {
	if n := len(l.segments); n > 0 && l.segments[n-1].fits(size) {
		return nil
	}
	l.segments = append(l.segments, newSegment(l.count+1, max(size, l.config.SegmentBytes)))
	for len(l.segments)-l.inMemory > l.config.MemorySegments {
		if err := l.spill.take(l.segments[l.inMemory]); err != nil {
			return fmt.Errorf("keep older events: %w", err)
		}
		l.inMemory++
	}
	return nil
}

func (l *Log) wake() {
	if l.grown != nil {
		close(l.grown)
		l.grown = nil
	}
}

// Now is the time since the run began, on the clock of the log.
func (l *Log) Now() time.Duration { return l.config.Clock() }

// Len is the number of events, and so the Seq of the newest.
func (l *Log) Len() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count
}

// Size is the length of the log in bytes, in memory and on disk.
func (l *Log) Size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes
}

// Full says that the log has reached its limit. Append still works, so that
// whoever owns the run can write down that it stops, and stop it.
func (l *Log) Full() bool { return l.Size() >= l.config.LimitBytes }

// Seal ends the log: readers may finish, nothing can be added. It is idempotent.
func (l *Log) Seal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sealed = true
	l.wake()
}

// Close seals the log and removes what it keeps on disk. Older events can not
// be read any more.
func (l *Log) Close() error {
	l.Seal()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spill.remove()
}
