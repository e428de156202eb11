package client

import (
	"context"
	"sync"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A recording keeps what it is given, in the order in which it comes.
type recording struct {
	mu     sync.Mutex
	events []event.Event
	more   chan struct{} // closed at the next event, if somebody waits
}

func (r *recording) Record(e event.Event) { r.RecordIf(func() bool { return true }, e) }

func (r *recording) RecordIf(still func() bool, e event.Event) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !still() {
		return false
	}
	r.events = append(r.events, e)
	if r.more != nil {
		close(r.more)
		r.more = nil
	}
	return true
}

func (r *recording) Now() int64 { return 0 }

// count is how many events of a kind there are; no kind is any.
func (r *recording) count(kind event.Kind) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, e := range r.events {
		if kind == "" || e.Kind == kind {
			n++
		}
	}
	return n
}

// last is the newest event, or an empty one.
func (r *recording) last() event.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.events) == 0 {
		return event.Event{}
	}
	return r.events[len(r.events)-1]
}

// await returns when an event of a kind has been recorded.
func (r *recording) await(ctx context.Context, t *testing.T, kind event.Kind) {
	t.Helper()
	for {
		more := r.next()
		if r.count(kind) > 0 {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			t.Fatalf("no %s", kind)
		}
	}
}

// next is closed at the next event.
func (r *recording) next() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.more == nil {
		r.more = make(chan struct{})
	}
	return r.more
}

// newBare is a client without a connection, and what it records.
func newBare(*testing.T) (*Process, *recording) {
	r := new(recording)
	p := &Participant{active: newActiveFaults(), config: Config{Recorder: r}}
	return &Process{Participant: p}, r
}
