package web

import "sync"

// streams counts the streams that are open. A wait group alone would not do:
// one may begin while the server waits for the others.
type streams struct {
	mu     sync.Mutex
	closed bool
	open   sync.WaitGroup
}

// enter counts a stream in, unless the server is stopping. Each success is
// paired with leave.
func (s *streams) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.open.Add(1)
	}
	return !s.closed
}

func (s *streams) leave() { s.open.Done() }

// end lets no more in and waits until all have left.
func (s *streams) end() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.open.Wait()
}
