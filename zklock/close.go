package zklock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-zookeeper/zk"
)

// closeGrace is how long Close goes on after the end of its context.
const closeGrace = 500 * time.Millisecond

// Close ends the session. Calls of Lock that wait return [ErrClosed], and all
// leases are lost. Then it waits until the znodes of a session that was not
// made by [Dial] have been deleted; the znodes of one that was go with it, and
// its connection is closed. The state becomes Lost.
//
// Close returns when all that has ended, or else with the error of ctx; then
// the rest ends in the background, as soon as go-zookeeper lets it, and the
// znodes on a connection that was brought are deleted all the same. Further
// calls wait for the same. After the end of ctx Close still takes half a second:
// a process that a signal ends, and ctx with it, has to tell the server before, or
// its locks stay taken for the session's timeout.
//
// A connection that was brought is left open, and should be closed after the
// session: closing it ends all of this at once. Do not call Close from a hook: it
// waits for the hooks.
func (s *Session) Close(ctx context.Context) error {
	until, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(closeGrace, cancel) })()
	s.mu.Lock()
	if !s.closing {
		s.closing = true
		s.follow(s.clock.Abandon(ErrClosed))
		go s.shutdown(ctx)
	}
	s.broadcast()
	s.mu.Unlock()
	if wait(until, s.closed) != nil {
		return fmt.Errorf("zklock: close session: %w", contextError(ctx))
	}
	return nil
}

// shutdown is the end of the session. It owns what is left of it.
func (s *Session) shutdown(ctx context.Context) {
	defer close(s.closed)
	if s.owned == nil {
		ctx = s.background // nobody else deletes what is left on a connection that lives on
	}
	_ = s.idle(ctx) // when ctx ends first, what is left is left
	s.mu.Lock()
	s.stop() // no goroutine begins after this
	s.broadcast()
	stopTimer(s.deadlineTimer)
	stopTimer(s.syncTimer)
	stopTimer(s.closedTimer)
	s.mu.Unlock()
	if s.owned != nil {
		s.closeConnection()
	}
	s.work.Wait()
	s.hooks.wait()
}

// stopTimer stops a timer that may never have been set.
func stopTimer(timer *time.Timer) {
	if timer != nil {
		timer.Stop()
	}
}

// idle waits until nobody uses the session. It gives up when a connection of
// our own is broken: its end will do the cleaning. Where orphans wait for one
// that was brought, it finds out whether that will ever come.
func (s *Session) idle(ctx context.Context) error {
	return s.await(ctx, func() (bool, error) {
		if s.orphans > 0 && s.owned == nil && !s.linked && s.client != nil {
			s.askWhetherClosed()
		}
		return s.users == 0 || s.owned != nil && !s.linked, nil
	})
}

// closeConnection closes the connection and waits until go-zookeeper's own
// goroutine has ended.
func (s *Session) closeConnection() {
	s.hosts.close()
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

// connectionClosed ends the session because its connection is being closed, by
// brought or dialed: the server may give the locks to others at once. Nothing
// can be cleaned any more, nor need be. It does not block. The caller holds s.mu.
func (s *Session) connectionClosed() {
	s.follow(s.clock.Close(errConnectionClosed))
	s.stop()
	s.hosts.close() // or go-zookeeper may dial forever: it looks only then whether it should stop
	s.broadcast()
	if !s.closing {
		s.closing = true
		go s.shutdown(s.background)
	}
}

// errConnectionClosed ends what is still open when the connection is closed, for
// which go-zookeeper knows no way back.
var errConnectionClosed = fmt.Errorf("the connection was closed: %w", ErrClosed)

// After a connection has ended, go-zookeeper connects again at once. When it does
// nothing for this long it is asked whether somebody has closed it. The connection
// of [Dial] is ours to close, so it takes longer until that is suspected of anybody
// else: a busy machine takes more than a moment to connect, and should not see a
// request for that in each of its sessions.
const (
	suspectAfter    = 100 * time.Millisecond
	suspectOwnAfter = 10 * time.Second
)

// suspectClosed has it found out whether the connection was closed where no request
// said so: without our Dialer we do not see it, and none is sent when the
// connection breaks first. The caller holds s.mu.
func (s *Session) suspectClosed() {
	after := suspectAfter
	if s.owned != nil {
		after = suspectOwnAfter
	}
	switch {
	case s.linked || s.background.Err() != nil:
	case s.closedTimer == nil:
		s.closedTimer = time.AfterFunc(after, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.client != nil && !s.linked {
				s.askWhetherClosed()
			}
		})
	default:
		s.closedTimer.Reset(after)
	}
}

// askWhetherClosed makes a request while there is no connection, which go-zookeeper
// refuses only when it has been closed: else the answer comes after the next
// connection has been made. Nobody waits for it: there may be nothing else to
// be cleaned. The caller holds s.mu.
func (s *Session) askWhetherClosed() {
	client, resumed := s.client, s.resumed
	if s.asking || s.background.Err() != nil {
		return
	}
	s.asking = true
	go func() { // ends with the outage, or with the connection
		_, _, err := client.Exists("/")
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asking = false
		switch {
		case s.resumed != resumed:
			s.suspectClosed()
			s.broadcast() // that may have ended too, and nobody has asked
		case errors.Is(err, zk.ErrConnectionClosed):
			s.connectionClosed()
		}
	}()
}
