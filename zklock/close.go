package zklock

import (
	"context"
	"fmt"
	"time"
)

// Close ends the session. Calls of Lock that wait return [ErrClosed], and all
// leases are lost. Then it waits until the znodes of a session that was not
// made by [Dial] have been deleted; the znodes of one that was go with it, and
// its connection is closed. The state becomes Lost.
//
// Close returns when all that has ended, or else with the error of ctx; then
// the rest ends in the background, as soon as go-zookeeper lets it, and the
// znodes on a connection that was brought are deleted all the same. Further
// calls wait for the same. A connection that was brought is left open, and
// should be closed after the session: closing it ends all of this at once. Do
// not call Close from a hook: it waits for the hooks.
func (s *Session) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closing {
		s.closing = true
		s.end(false, errClosedSession)
		go s.shutdown(ctx)
	}
	s.broadcast()
	s.mu.Unlock()
	if err := finished(ctx, s.closed); err != nil {
		return fmt.Errorf("zklock: close session: %w", reported(err))
	}
	return nil
}

// shutdown is the end of the session. It owns what is left of it.
func (s *Session) shutdown(ctx context.Context) {
	defer close(s.closed)
	if s.owned == nil {
		ctx = s.background // nobody else deletes what is left on a connection that lives on
	}
	s.idle(ctx) // if ctx ends first, so does the patience with what is left
	s.mu.Lock()
	s.stop() // no goroutine begins after this
	s.broadcast()
	halt(s.timer)
	halt(s.quiet)
	s.mu.Unlock()
	s.reminders.stop()
	if s.owned != nil {
		s.closeConnection()
	}
	s.work.Wait()
	s.hooks.wait()
}

// halt stops a timer that may never have been set.
func halt(timer *time.Timer) {
	if timer != nil {
		timer.Stop()
	}
}

// closeConnection closes the connection and waits until go-zookeeper's own
// goroutine has ended.
func (s *Session) closeConnection() {
	s.pacer.hangUp()
	s.mu.Lock()
	conn, linked := s.conn, s.linked
	s.mu.Unlock()
	if conn != nil && !linked {
		conn.Close() // frees a handshake that waits for its answer
	}
	s.owned.Close()
	s.mu.Lock()
	conn = s.conn
	s.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
	for range s.events {
	}
}
