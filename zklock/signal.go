package zklock

import "sync"

// A signal is given once. It is a channel for those who ask for one, which few
// do; the zero value has not been given.
type signal struct {
	mu      sync.Mutex
	given   bool
	channel chan struct{} // nil before the first call of done
}

// give gives the signal, and reports whether it had not been given before.
func (s *signal) give() (first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.given {
		return false
	}
	s.given = true
	if s.channel != nil {
		close(s.channel)
	}
	return true
}

// done returns a channel that is closed when the signal is given.
func (s *signal) done() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.channel == nil {
		s.channel = make(chan struct{})
		if s.given {
			close(s.channel)
		}
	}
	return s.channel
}

// wait returns when the signal has been given.
func (s *signal) wait() {
	s.mu.Lock()
	given := s.given
	s.mu.Unlock()
	if !given {
		<-s.done()
	}
}
