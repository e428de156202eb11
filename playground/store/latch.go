package store

import (
	"context"
	"sync"
)

// A latch says whether something is so now, to who waits for it. Its methods are safe
// for concurrent use; set and clear take turns.
type latch struct {
	mu sync.Mutex
	is chan struct{} // closed while it is so
}

func newLatch() *latch { return &latch{is: make(chan struct{})} }

func (l *latch) set() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.is)
}

func (l *latch) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.is = make(chan struct{})
}

// wait returns when it is so, or with ctx's error.
func (l *latch) wait(ctx context.Context) error {
	l.mu.Lock()
	is := l.is
	l.mu.Unlock()
	select {
	case <-is:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
