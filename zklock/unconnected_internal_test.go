package zklock

import (
	"context"
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"
)

// A failure is forgotten with the connection that follows it.
func TestForgottenFailure(t *testing.T) {
	t.Parallel()
	s := NewSession()
	defer s.Close(context.Background())
	s.Bind(new(zk.Conn))
	s.unreachable(errors.New("refused"))
	if got := s.unlinked(); got != "not connected: refused" {
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
		if got := s.unlinked(); got != step.want {
			t.Errorf("%v: %q, want %q", step.state, got, step.want)
		}
	}
}
