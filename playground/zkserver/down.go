package zkserver

import "context"

// A spell is a time in which a server is to run. The supervisor ends it after
// Halt or Stop, and closes over when no JVM is left.
type spell struct {
	ctx  context.Context
	end  context.CancelFunc
	over chan struct{}
}

func newSpell(life context.Context) *spell {
	ctx, end := context.WithCancel(life)
	return &spell{ctx: ctx, end: end, over: make(chan struct{})}
}

// Restart kills the server with SIGKILL, as a power cut would, and returns when
// it is dead. It comes back by itself, on the same port and data. A server that
// is on its way up begins again, and one that is down is left alone.
func (s *Server) Restart() { s.life().kill() }

// Halt kills the server with SIGKILL and keeps it down until [Server.Revive].
// It returns when no process is left. [Config.Notify] is not told. Calls for a
// server that is down already change nothing.
func (s *Server) Halt() {
	current := s.currentSpell()
	current.end()
	select {
	case <-current.over:
	case <-s.stopped:
	}
}

// Revive ends what [Server.Halt] began: the server boots on the same port and
// data. It does not wait for that, as one server of an ensemble may not serve
// before others are back; see [Ready].
func (s *Server) Revive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.spell.over:
		s.spell = newSpell(s.lifetime)
		s.revived <- struct{}{}
	default: // it was not halted
	}
}

func (s *Server) currentSpell() *spell {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spell
}

// awaitRevive returns when there is a new spell, or false when there will be none.
func (s *Server) awaitRevive() bool {
	select {
	case <-s.revived:
		return s.lifetime.Err() == nil
	case <-s.lifetime.Done():
		return false
	}
}
