package zklock

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// A span ends with its grant, with its caller's context, and when it is ended,
// and says which of them it was, whenever it is asked for its channel.
func TestSpan(t *testing.T) {
	ends := []struct {
		name string
		end  func(g *grant, cancel context.CancelCauseFunc, s *span)
		want error // nil for one that is an interruption
	}{
		{"the grant", func(g *grant, _ context.CancelCauseFunc, _ *span) { g.cancel(errClosedSession) }, errClosedSession},
		{"the caller", func(_ *grant, cancel context.CancelCauseFunc, _ *span) { cancel(errClosedSession) }, nil},
		{"itself", func(_ *grant, _ context.CancelCauseFunc, s *span) { s.end() }, context.Canceled},
		{"both", func(g *grant, cancel context.CancelCauseFunc, _ *span) { cancel(nil); g.cancel(errClosedSession) }, errClosedSession},
	}
	for _, test := range ends {
		for _, asked := range []string{"before", "after"} {
			t.Run(test.name+", asked for "+asked, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					caller, cancel := context.WithCancelCause(t.Context())
					g := newGrant(1)
					s := g.within(caller)
					defer s.end()
					if asked == "before" {
						s.Done()
					}
					if s.Err() != nil || interrupted(s) != nil {
						t.Fatalf("it begins with %v, %v", s.Err(), interrupted(s))
					}
					test.end(g, cancel, s)
					<-s.Done()
					if s.Err() != context.Canceled {
						t.Errorf("it ends with %v", s.Err())
					}
					switch err := interrupted(s); {
					case test.want == nil && !errors.As(err, new(interruption)), test.want != nil && err != test.want:
						t.Errorf("its cause is %v", err)
					}
				})
			})
		}
	}
}

// The end of either ends a wait, and what is done before is done all the same.
func TestSpanFinished(t *testing.T) {
	for name, end := range map[string]func(*grant, context.CancelFunc){
		"the grant":  func(g *grant, _ context.CancelFunc) { g.cancel(errClosedSession) },
		"the caller": func(_ *grant, cancel context.CancelFunc) { cancel() },
	} {
		synctest.Test(t, func(t *testing.T) {
			caller, cancel := context.WithCancel(t.Context())
			defer cancel()
			g := newGrant(1)
			s := g.within(caller)
			defer s.end()
			done, got := make(chan struct{}), make(chan error)
			go func() { got <- finished(s, done) }()
			synctest.Wait()
			end(g, cancel)
			if err := <-got; err == nil || err != interrupted(s) && !errors.As(err, new(interruption)) {
				t.Errorf("%s: the wait ended with %v", name, err)
			}
			close(done)
			if err := finished(s, done); err != nil {
				t.Errorf("%s: %v, though it is done", name, err)
			}
		})
	}
}

// A span that has ended leaves nothing with the caller's context, which lives on.
func TestSpanLetsGo(t *testing.T) {
	caller := &registry{Context: t.Context(), done: make(chan struct{})}
	s := newGrant(1).within(caller)
	s.Done()
	if caller.registered != 1 {
		t.Errorf("%d registered with the caller's context, want 1", caller.registered)
	}
	s.end()
	if caller.registered != 0 {
		t.Errorf("%d left with the caller's context", caller.registered)
	}
}

// A registry is a context that counts who waits for its end.
type registry struct {
	context.Context
	done       chan struct{}
	registered int
}

func (r *registry) Done() <-chan struct{} { return r.done }

// AfterFunc is what context.AfterFunc calls.
func (r *registry) AfterFunc(func()) (stop func() bool) {
	r.registered++
	return func() bool { r.registered--; return true }
}
