package stream

import (
	"bytes"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/zkplayground/zkplayground/playground/event"
)

const (
	// mostEvents is how many a batch has.
	mostEvents = 2048
	// batchTick is the least time between two batches at the end of a log: a burst
	// becomes a few frames, and nobody waits longer than this.
	batchTick = 25 * time.Millisecond
	// newestBatches is how many batches of the end of a log are kept for the viewers
	// that have not sent them yet: a second and a half.
	newestBatches = 60
	// olderBatches is how many of the large ones are kept, with which late viewers
	// catch up: a class that comes or returns reads the same ones, up to 130,000 events
	// of them, in some 25 MB.
	olderBatches = 64
	// olderTime is how long they are kept when nobody reads them.
	olderTime = 10 * time.Second
)

// A Batch is some consecutive events of a log, as the frame that all viewers share.
type Batch struct {
	first int64
	// Next is the event after its last.
	Next int64
	// Message is compressed when the first viewer sends it, and framed once.
	Message *websocket.PreparedMessage
	// Size is that of its text, in bytes.
	Size int

	prepare func() error // makes the message, once
}

// Batches are the batches of one log. Viewers at the end of the log share each; one that
// is behind catches up with larger ones, until it comes to where a shared one begins.
// Its methods are safe for concurrent use.
type Batches struct {
	log  *event.Log
	most int // batches that are kept of each kind, at most

	mu      sync.Mutex
	viewers int       // who use it; guarded by the mutex of Shared
	head    int64     // the event after those that are in a batch
	due     time.Time // when what follows becomes a batch at the earliest
	newest  []*Batch  // at the end of the log, oldest first
	older   []*Batch
	late    time.Time // when one of the older ones was last sent
}

// Next returns the batch that begins with an event; nil when there is none yet: the
// log has no such event, or it is not time. The others do not wait for what that has to
// read from the disk.
func (b *Batches) Next(first int64) (*Batch, error) {
	next, err := b.next(first)
	if next == nil || err != nil {
		return nil, err
	}
	if err := next.prepare(); err != nil {
		b.forget(next)
		return nil, err
	}
	return next, nil
}

func (b *Batches) next(first int64) (*Batch, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if kept := find(b.newest, first); kept != nil {
		return kept, nil
	}
	now := time.Now()
	there := b.log.Len() - first + 1
	if first < b.head || there >= mostEvents {
		b.late = now
		if kept := find(b.older, first); kept != nil {
			return kept, nil
		}
		return b.make(first, b.behind(first), &b.older, olderBatches)
	}
	if there <= 0 || now.Before(b.due) && !b.log.Sealed() {
		return nil, nil
	}
	b.due = now.Add(batchTick)
	if now.Sub(b.late) > olderTime {
		b.older = nil
	}
	return b.make(first, int(there), &b.newest, newestBatches)
}

// find finds the batch that begins with an event; most often it is one of the last.
func find(kept []*Batch, first int64) *Batch {
	for _, b := range slices.Backward(kept) {
		if b.first == first {
			return b
		}
	}
	return nil
}

// behind is how many events a viewer that is behind gets at once. Wherever it began, it
// comes to a multiple of mostEvents, as others do, and to the newest batches.
func (b *Batches) behind(first int64) int {
	end := first + mostEvents
	if first < b.head {
		end = min(b.head, end-(first-1)%mostEvents)
	}
	for _, shared := range b.newest {
		if shared.first > first {
			end = min(end, shared.first)
		}
	}
	return int(end - first)
}

// make makes a batch of so many events at most, and keeps it.
func (b *Batches) make(first int64, limit int, kept *[]*Batch, most int) (*Batch, error) {
	piece, err := b.log.Find(first, limit)
	if err != nil {
		return nil, err
	}
	made := &Batch{first: first, Next: first + int64(piece.Events)}
	made.prepare = sync.OnceValue(func() error { return made.read(piece) })
	b.head = max(b.head, made.Next)
	*kept = append(*kept, made)
	if over := len(*kept) - min(most, b.most); over > 0 {
		clear((*kept)[:over])
		*kept = (*kept)[over:]
	}
	return made, nil
}

// read reads the events and makes the message.
func (b *Batch) read(piece event.Piece) error {
	lines, err := piece.Read()
	if err != nil {
		return err
	}
	text := frameOf(lines)
	b.Size = len(text)
	b.Message, err = websocket.NewPreparedMessage(websocket.TextMessage, text)
	return err
}

// forget drops a batch that could not be read: the next viewer tries again.
func (b *Batches) forget(failed *Batch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	is := func(kept *Batch) bool { return kept == failed }
	b.newest, b.older = slices.DeleteFunc(b.newest, is), slices.DeleteFunc(b.older, is)
}

// Wait is how long it takes until there may be a next batch at the end of the log.
func (b *Batches) Wait() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.log.Sealed() {
		return 0
	}
	return time.Until(b.due)
}

// frameOf makes one frame out of lines of JSON, which hold no newline but at the end.
func frameOf(lines []byte) []byte {
	frame := make([]byte, 0, len(lines)+len(`{"events":[]}`))
	frame = append(frame, `{"events":[`...)
	frame = append(frame, bytes.TrimSuffix(lines, []byte{'\n'})...)
	for rest := frame; ; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			return append(frame, `]}`...)
		}
		rest[end] = ','
		rest = rest[end+1:]
	}
}

// Shared are the batches of the logs that somebody follows. Its methods are safe for
// concurrent use.
type Shared struct {
	// Keep is how many batches of each kind are kept for a log, at most; it is set
	// before anybody follows.
	Keep int

	mu sync.Mutex
	of map[*event.Log]*Batches
}

// NewShared returns those of no log yet.
func NewShared() *Shared {
	return &Shared{Keep: newestBatches, of: make(map[*event.Log]*Batches)}
}

// Follow returns the batches of a log. Each call is paired with Leave.
func (s *Shared) Follow(log *event.Log) *Batches {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.of[log]
	if !ok {
		b = &Batches{log: log, most: s.Keep}
		s.of[log] = b
	}
	b.viewers++
	return b
}

// Leave forgets the batches when nobody follows the log any more.
func (s *Shared) Leave(b *Batches) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.viewers--
	if b.viewers == 0 {
		delete(s.of, b.log)
	}
}
