package zkserver

import (
	"context"
	"fmt"
	"time"

	"github.com/zkplayground/zkplayground/playground/internal/child"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
)

// The wait before a dead server is started again: at once, then longer and
// longer while it fails to boot.
const (
	firstBackoff = 100 * time.Millisecond
	lastBackoff  = 5 * time.Second
)

// A Change is news about a supervised server.
type Change struct {
	// Up says whether the server serves again, or has died or failed to boot.
	Up bool
	// Restarts counts how often it came back, this time included.
	Restarts int
	// Err says why it is not up; nil if it is.
	Err error
}

// supervise keeps a server alive until Stop, but for the times in which it is
// halted, and then cleans up.
func (s *Server) supervise() {
	defer close(s.stopped)
	for {
		current := s.currentPeriod()
		s.keepUp(current.ctx)
		close(current.over)
		if !s.awaitRevive() {
			s.stopErr = s.dir.close()
			return
		}
	}
}

// keepUp has a JVM run until ctx ends, when it leaves none.
func (s *Server) keepUp(ctx context.Context) {
	if !s.life().Alive() {
		s.revive(ctx) // it was halted
	}
	for {
		jvm := s.life()
		select {
		case <-ctx.Done():
			s.end(jvm)
			return
		case <-jvm.Dead():
			if ctx.Err() != nil {
				continue // it may be our own doing
			}
			s.notify(fmt.Errorf("the server died: %w", jvm.Err()))
			s.revive(ctx)
		}
	}
}

// end stops a JVM: gently if it is stopped for good, as a crash if it is halted.
func (s *Server) end(jvm *child.Process) {
	if s.lifetime.Err() != nil {
		jvm.Terminate()
		return
	}
	jvm.Kill()
}

// revive boots a dead server on the same port and data until that succeeds or
// ctx ends.
func (s *Server) revive(ctx context.Context) {
	for backoff := firstBackoff; ; backoff = min(2*backoff, lastBackoff) {
		err := s.boot(ctx)
		if err == nil {
			s.countRestart()
			s.notify(nil)
			return
		}
		if ctx.Err() != nil {
			return
		}
		s.notify(err)
		if !clock.Sleep(ctx, backoff) {
			return
		}
	}
}

func (s *Server) countRestart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restarts++
}

func (s *Server) notify(err error) {
	s.config.Notify(Change{Up: err == nil, Restarts: s.Restarts(), Err: err})
}

// A period is one in which a server is to run. The supervisor ends it after
// Halt or Stop, and closes over when no JVM is left.
type period struct {
	ctx  context.Context
	end  context.CancelFunc
	over chan struct{}
}

func newPeriod(life context.Context) *period {
	ctx, end := context.WithCancel(life)
	return &period{ctx: ctx, end: end, over: make(chan struct{})}
}

// Restart kills the server with SIGKILL, as a power cut would, and returns when
// it is dead. It comes back by itself, on the same port and data. A server that
// is on its way up begins again, and one that is down is left alone.
func (s *Server) Restart() { s.life().Kill() }

// Halt kills the server with SIGKILL and keeps it down until [Server.Revive].
// It returns when no process is left. [Config.Notify] is not called. Calls for a
// server that is down already change nothing.
func (s *Server) Halt() {
	current := s.currentPeriod()
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
	case <-s.period.over:
		s.period = newPeriod(s.lifetime)
		s.revived <- struct{}{}
	default: // it was not halted
	}
}

func (s *Server) currentPeriod() *period {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.period
}

// awaitRevive returns when there is a new period, or false when there will be none.
func (s *Server) awaitRevive() bool {
	select {
	case <-s.revived:
		return s.lifetime.Err() == nil
	case <-s.lifetime.Done():
		return false
	}
}
