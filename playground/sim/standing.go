package sim

import (
	"context"
	"sync"
)

// A standing says whether the observer's watch stands. Its methods are safe for
// concurrent use; only the observer begins and ends it.
type standing struct {
	mu    sync.Mutex
	begun chan struct{} // closed while it stands
}

func newStanding() *standing { return &standing{begun: make(chan struct{})} }

func (s *standing) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.begun)
}

func (s *standing) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = make(chan struct{})
}

// wait returns when it stands, or when ctx ends.
func (s *standing) wait(ctx context.Context) {
	s.mu.Lock()
	begun := s.begun
	s.mu.Unlock()
	select {
	case <-begun:
	case <-ctx.Done():
	}
}
