package zklock

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/go-zookeeper/zk"
)

// ended is a context that has ended with cause.
func ended(ctx context.Context, cause error) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	cancel(cause)
	return ctx
}

// The cause of a caller's context is hidden from this package, and shown to
// the caller, with the error of the context.
func TestInterrupted(t *testing.T) {
	for name, ctx := range map[string]context.Context{
		"a caller's":          ended(t.Context(), zk.ErrNoNode),
		"a lease's":           ended(t.Context(), fmt.Errorf("%w: %w", ErrLost, zk.ErrNoNode)),
		"made of a caller's":  ended(ended(t.Context(), zk.ErrNoNode), nil),
		"a grant's":           ended(disown(own(t.Context())), zk.ErrNoNode),
		"within a live grant": within(newGrant(1), ended(t.Context(), zk.ErrNoNode)),
	} {
		err := fmt.Errorf("waiting: %w", interrupted(ctx))
		if errors.Is(err, zk.ErrNoNode) || errors.Is(err, context.Canceled) || answered(err) {
			t.Errorf("%s: %v is taken for an answer", name, err)
		}
		if told := reported(err); !errors.Is(told, zk.ErrNoNode) || !errors.Is(told, context.Canceled) || told.Error() != err.Error() {
			t.Errorf("%s: the caller is told %v", name, told)
		}
	}
}

// within returns what is left of ctx in the grant.
func within(g *grant, ctx context.Context) context.Context {
	both := g.within(ctx)
	<-both.Done()
	return both
}

// The causes of own contexts are what this package has put there.
func TestInterruptedOwn(t *testing.T) {
	g := newGrant(1)
	both := g.within(t.Context())
	defer both.end()
	if err := interrupted(both); err != nil {
		t.Errorf("%v before the end", err)
	}
	g.cancel(errClosedSession)
	for _, ctx := range []context.Context{g.ctx, both} {
		if err := interrupted(ctx); err != errClosedSession {
			t.Errorf("%v, want %v", err, errClosedSession)
		}
	}
	if err := interrupted(g.shown); errors.Is(err, ErrLost) || !errors.Is(reported(err), ErrLost) {
		t.Errorf("as a caller's: %v", err)
	}
}

// A context without a cause of its own is spoken of as ever.
func TestReportedWithoutCause(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := reported(interrupted(ctx)); err != context.Canceled {
		t.Errorf("%v", err)
	}
	if err := reported(zk.ErrNoNode); err != zk.ErrNoNode {
		t.Errorf("another error: %v", err)
	}
	for cause, want := range map[error]string{
		errors.New("a sibling failed"):              "context canceled: a sibling failed",
		fmt.Errorf("at once: %w", context.Canceled): "at once: context canceled",
	} {
		if got := reported(interrupted(ended(t.Context(), cause))).Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
