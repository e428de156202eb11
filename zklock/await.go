package zklock

import (
	"context"
	"time"
)

// await returns when ready says so, or when ready or ctx has an error. It
// calls ready with s.mu held, at each change of the session.
func (s *Session) await(ctx context.Context, ready func() (bool, error)) error {
	for ctx.Err() == nil {
		s.mu.Lock()
		ok, err := ready()
		changed := s.changed
		s.mu.Unlock()
		if ok || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return interrupted(ctx)
}

// finished waits for done, which goes first, or returns why ctx has ended.
func finished(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	default:
	}
	if s, ok := ctx.(*span); ok {
		return s.finished(done)
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return interrupted(ctx)
	}
}

// broadcast wakes those who await a change. The caller holds s.mu.
func (s *Session) broadcast() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// connected waits for a connection, and returns the grant that it serves.
func (s *Session) connected(ctx context.Context) (g *grant, err error) {
	err = s.await(ctx, func() (bool, error) {
		if s.closing {
			return false, ErrClosed
		}
		s.checkClock(time.Now())
		g = s.grant
		return s.state == Connected && s.client != nil, nil
	})
	return g, s.explain(ctx, err)
}

// online waits for a connection on behalf of clean-up, which goes on while the
// session is closing, and returns the id of the session that it serves.
func (s *Session) online(ctx context.Context) (id int64, err error) {
	err = s.await(ctx, func() (bool, error) {
		if s.background.Err() != nil {
			return false, ErrClosed
		}
		id = s.grant.id
		return s.linked && s.client != nil, nil
	})
	return id, s.explain(ctx, err)
}

// enter counts a user in, whom Close then waits for. Each success is paired
// with a call of leave.
func (s *Session) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return ErrClosed
	}
	s.users++
	return nil
}

// detain counts in a user who may have something left to be cleaned, however
// the session stands. Each call is paired with one of leave.
func (s *Session) detain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users++
}

func (s *Session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	if s.closing {
		s.broadcast()
	}
}

// idle waits until nobody uses the session. It gives up when a connection of
// our own is broken: its end will do the cleaning. Where orphans wait for one
// that was brought, it finds out whether that will ever come.
func (s *Session) idle(ctx context.Context) error {
	return s.await(ctx, func() (bool, error) {
		if s.orphans > 0 && s.owned == nil && !s.linked && s.client != nil {
			s.inquireNow()
		}
		return s.users == 0 || s.owned != nil && !s.linked, nil
	})
}
