package zkserver

import (
	"context"
	"fmt"
	"time"
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
		current := s.currentSpell()
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
	if !s.life().alive() {
		s.revive(ctx) // it was halted
	}
	for {
		jvm := s.life()
		select {
		case <-ctx.Done():
			s.end(jvm)
			return
		case <-jvm.dead:
			if ctx.Err() != nil {
				continue // it may be our own doing
			}
			s.notify(fmt.Errorf("the server died: %w", jvm.err))
			s.revive(ctx)
		}
	}
}

// end stops a JVM: gently if it is stopped for good, as a crash if it is halted.
func (s *Server) end(jvm *process) {
	if s.lifetime.Err() != nil {
		jvm.terminate()
		return
	}
	jvm.kill()
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
		if !pause(ctx, backoff) {
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

// pause waits, and reports false if ctx ended the wait.
func pause(ctx context.Context, length time.Duration) bool {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
