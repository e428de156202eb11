package zklock

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/go-zookeeper/zk"
)

// What go-zookeeper makes of numbers that it does not know.
func TestAnswered(t *testing.T) {
	for text, want := range map[string]bool{
		"unknown error: -6":   true,  // not implemented
		"unknown error: -125": true,  // quota
		"unknown error: -122": false, // timed out
		"unknown error: -127": false, // throttled
		"unknown error: -4":   false,
		"unknown error: 125":  false,
		"unknown error: -":    false,
		"broken pipe":         false,
	} {
		if got := answered(errors.New(text)); got != want {
			t.Errorf("answered(%q) = %v", text, got)
		}
	}
	if !answered(zk.ErrNoNode) || answered(zk.ErrConnectionClosed) || answered(nil) {
		t.Error("the client's own errors are mistaken")
	}
}

// endedBy is a context that has ended with cause.
func endedBy(ctx context.Context, cause error) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	cancel(cause)
	return ctx
}

// Whatever the cause of a caller's context is, it is not taken for an answer of the
// server, and the caller finds it, with the error of the context.
func TestReasonOfCaller(t *testing.T) {
	s := NewSession()
	defer s.Close(context.Background())
	for name, cause := range map[string]error{
		"another request's": zk.ErrNoNode,
		"a lease's":         fmt.Errorf("%w: %w", ErrLost, zk.ErrNoNode),
	} {
		g := newGrant(1)
		ctx := endedBy(t.Context(), cause)
		within, end := g.within(ctx)
		err := wait(within, nil)
		end()
		if answered(err) || errors.Is(err, ErrLost) {
			t.Errorf("%s: %v is taken for an answer", name, err)
		}
		if told := s.reason(ctx, g, fmt.Errorf("waiting: %w", err)); !errors.Is(told, cause) || !errors.Is(told, context.Canceled) {
			t.Errorf("%s: the caller is told %v", name, told)
		}
	}
}

// Where both have ended, it is the grant's end, which may be what ended the caller's.
func TestReasonOfGrant(t *testing.T) {
	s := NewSession()
	defer s.Close(context.Background())
	g := newGrant(1)
	ctx := endedBy(t.Context(), errors.New("a sibling failed"))
	g.cancel(errClosedSession)
	if err := s.reason(ctx, g, errInterrupted); err != errClosedSession {
		t.Errorf("%v, want %v", err, errClosedSession)
	}
	if err := s.reason(t.Context(), nil, errInterrupted); err != ErrClosed {
		t.Errorf("%v of a session that has ended, want %v", err, ErrClosed)
	}
	if err := s.reason(ctx, g, zk.ErrNoNode); err != zk.ErrNoNode {
		t.Errorf("%v, want the answer", err)
	}
}

// A context is spoken of with its cause, if it has one of its own.
func TestContextError(t *testing.T) {
	for cause, want := range map[error]string{
		nil:                            "context canceled",
		errors.New("a sibling failed"): "context canceled: a sibling failed",
		fmt.Errorf("at once: %w", context.Canceled): "at once: context canceled",
	} {
		if got := contextError(endedBy(t.Context(), cause)).Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A failure is forgotten with the connection that follows it.
func TestForgottenFailure(t *testing.T) {
	s := NewSession()
	defer s.Close(context.Background())
	s.EventCallback(zk.Event{Type: zk.EventSession, State: zk.StateConnecting})
	if err := s.Bind(new(zk.Conn)); err != nil {
		t.Fatal(err)
	}
	s.noteFailure(false, errors.New("refused"))
	if got := s.whyNotConnected(); got != "not connected: no handshake with : refused" {
		t.Errorf("before: %q", got)
	}
	for _, step := range []struct {
		state zk.State
		want  string
	}{
		{zk.StateHasSession, ""},
		{zk.StateDisconnected, "not connected"},
	} {
		s.EventCallback(zk.Event{Type: zk.EventSession, State: step.state})
		if got := s.whyNotConnected(); got != step.want {
			t.Errorf("%v: %q, want %q", step.state, got, step.want)
		}
	}
}
