package event

import (
	"errors"
	"sync"
	"time"
)

var (
	// ErrSealed is returned by Append after Seal, and by Wait when the log was
	// sealed before the event that is waited for.
	ErrSealed = errors.New("the log is sealed")
	// ErrNotKept is wrapped by the error of Append once the log's disk has failed.
	ErrNotKept = errors.New("the log cannot be kept")
)

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
	// MemorySegments is how many segments stay in memory; 0 means 16. While the
	// disk is slower than the run there are up to twice as many; then Append waits.
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
//
// A goroutine that ends by itself moves older segments to disk, so that Append
// does not wait for that. If it cannot, the log is closed for good: Append fails
// from then on, also for events that would still have their place in memory, so
// that none is missing between two that are there. What the log has by then can
// be read, and [Log.AppendLast] says in it why it ends.
type Log struct {
	config  LogConfig
	moving  sync.WaitGroup // the goroutine that moves segments
	spill   spillFile      // its own
	reserve reserve

	mu       sync.Mutex
	moved    sync.Cond // a segment has gone to disk, or none will any more
	segments []*segment
	inMemory int  // segments from this index on are in memory
	busy     bool // the goroutine is there
	count    int64
	bytes    int64
	last     int64  // At of the newest event
	line     []byte // of the newest event; its room is used again
	failed   error  // why the log is not kept
	sealed   bool
	closed   bool
	grown    chan struct{} // closed at the next append; nil while nobody waits
}

// NewLog returns an empty log.
func NewLog(config LogConfig) *Log {
	config = config.withDefaults()
	l := &Log{config: config, spill: spillFile{dir: config.Dir}, reserve: reserve{dir: config.Dir}}
	l.moved.L = &l.mu
	return l
}

// Append numbers and stamps e, adds it, and returns it as it was added. It fails
// with ErrSealed, or with ErrNotKept for good.
func (l *Log) Append(e Event) (Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.sealed && l.failed == nil && len(l.segments)-l.inMemory > 2*l.config.MemorySegments {
		l.moved.Wait()
	}
	if l.failed != nil && !l.sealed {
		return e, l.failed
	}
	return l.add(e)
}

// AppendLast is Append, but works also on a log that could not be kept: its last
// words stay in memory. Seal is to follow.
func (l *Log) AppendLast(e Event) (Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.add(e)
}

// add does it. The caller holds the mutex.
func (l *Log) add(e Event) (Event, error) {
	if l.sealed {
		return e, ErrSealed
	}
	e.Seq = l.count + 1
	e.At = l.last // what follows from an event comes with it
	if !e.Kind.Follows() {
		e.At = max(l.last, l.config.Clock().Microseconds())
	}
	if e.Reason != nil {
		e.Why = e.Reason.English()
	}
	l.line = append(e.appendJSON(l.line[:0]), '\n')
	if n := len(l.segments); n == 0 || !l.segments[n-1].fits(len(l.line)) {
		l.segments = append(l.segments, newSegment(e.Seq, max(len(l.line), l.config.SegmentBytes)))
		l.startMoving()
	}
	l.segments[len(l.segments)-1].append(l.line)
	l.count, l.last = e.Seq, e.At
	l.bytes += int64(len(l.line))
	l.wake()
	return e, nil
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

// Last is the Seq and the At of the newest event; 0 while there is none.
func (l *Log) Last() (seq, at int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count, l.last
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
	l.sealed = true
	l.wake()
	l.moved.Broadcast()
	l.mu.Unlock()
	l.reserve.free()
}

// Close seals the log and removes what it keeps on disk. Older events can not
// be read any more. It is idempotent.
func (l *Log) Close() error {
	l.Seal()
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.moving.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spill.remove()
}
