package zklock

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A span is what a grant and a caller's context have in common: a context that
// ends with either. That it ends with the grant is at once, before anything can be
// sent in a later session; so where it is alive after a reply, the request was one
// of this session.
//
// context.WithCancel and context.AfterFunc would make such a context, too. Most
// spans are over after one reply, though, and nobody has asked them for more than
// whether they have ended; a channel of its own is made for the first who wants
// one. That saves more than a quarter of the objects of an uncontended acquisition.
//
// A span is of the goroutine that ends it: no other waits for it, and no context of
// another package is derived from it.
type span struct {
	grant  *grant
	caller context.Context
	over   atomic.Bool

	mu     sync.Mutex
	joint  context.Context // nil before the first call of Done
	cancel context.CancelCauseFunc
	detach func() bool
}

var _ context.Context = (*span)(nil)

// within returns the span of the grant and ctx, which is to be ended.
func (g *grant) within(ctx context.Context) *span { return &span{grant: g, caller: ctx} }

// Deadline returns none: the caller's is the caller's to keep.
func (s *span) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Value returns what makes it an own context, and nothing of the caller's.
func (s *span) Value(key any) any {
	if key == (ownKey{}) {
		return true
	}
	return nil
}

// Err returns context.Canceled once the span has ended.
func (s *span) Err() error {
	if s.grant.live() && s.caller.Err() == nil && !s.over.Load() {
		return nil
	}
	return context.Canceled
}

// cause returns why the span has ended, nil while it has not. Where both have, it
// is the grant's end, which may be what ended the caller's context.
func (s *span) cause() error {
	switch {
	case !s.grant.live():
		return context.Cause(s.grant.ctx)
	case s.caller.Err() != nil:
		return interrupted(s.caller)
	default:
		return s.Err()
	}
}

// Done returns a channel that is closed when the span ends.
func (s *span) Done() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.joint == nil {
		s.joint, s.cancel = context.WithCancelCause(s.grant.ctx)
		s.detach = context.AfterFunc(s.caller, func() { s.cancel(nil) })
		if s.over.Load() {
			s.cancel(nil)
		}
	}
	return s.joint.Done()
}

// finished waits for done, or for the end of s, and returns why that has ended. It
// needs no channel of s.
func (s *span) finished(done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-s.caller.Done():
	case <-s.grant.ctx.Done():
	}
	return s.cause()
}

// end ends the span, and lets go of the two.
func (s *span) end() {
	s.over.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.joint != nil {
		s.detach()
		s.cancel(nil)
	}
}
