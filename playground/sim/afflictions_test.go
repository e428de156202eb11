package sim

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// newBare is a client with nothing but a log, and what can be wrong with it.
func newBare(t *testing.T) *client {
	log := event.NewLog(event.LogConfig{Dir: t.TempDir()})
	t.Cleanup(func() { _ = log.Close() })
	c := &client{afflictions: newAfflictions()}
	c.recorder = newRecorder(log, event.Run{})
	return c
}

// last is the last event of the client's log.
func (c *client) last(t *testing.T) event.Event {
	t.Helper()
	if c.recorder.log.Len() == 0 {
		return event.Event{}
	}
	events, err := c.recorder.log.Read(c.recorder.log.Len(), 1)
	if err != nil || len(events) != 1 {
		t.Fatalf("the last event: %d, %v", len(events), err)
	}
	return events[0]
}

// TestSupersede: what another takes the place of is told as healed only if it
// was over before.
func TestSupersede(t *testing.T) {
	for _, why := range []string{"", "it has caught a reply"} {
		c := newBare(t)
		undone := false
		c.afflictions.lasting[LoseReply] = &affliction{heal: func() { undone = true }, ended: func() string { return why }}
		c.supersede(LoseReply)
		if e := c.last(t); !undone || e.Why != why || why != "" && e.Kind != event.FaultHealed {
			t.Errorf("ended %q: undone %t, told %s %q", why, undone, e.Kind, e.Why)
		}
	}
}

// TestFaultsEndWithTheClient: one that takes its time is broken off, and none
// begins any more.
func TestFaultsEndWithTheClient(t *testing.T) {
	c := newBare(t)
	ctx, done, err := c.whileThere(t.Context())
	if err != nil || ctx.Err() != nil {
		t.Fatalf("a fault on a client that is there: %v, %v", err, ctx.Err())
	}
	defer done()
	c.endAfflictions("the run ends")
	<-ctx.Done()
	if _, _, err := c.whileThere(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("a fault after the end: %v, want %v", err, ErrNotRunning)
	}
}

// TestMissed: only a server's answer says that a fault did not happen.
func TestMissed(t *testing.T) {
	tests := []struct {
		asked      bool
		err        error
		impossible bool
		why        string
	}{
		{true, wire.SessionExpired, true, "it did not happen"},
		{true, wire.NoNode, true, "it did not happen"},
		{true, wire.NotEmpty, false, "it did not happen"},
		{true, context.DeadlineExceeded, false, "it may have happened"},
		{false, context.DeadlineExceeded, false, "it did not happen"},
	}
	for _, test := range tests {
		c := newBare(t)
		err := c.missed(event.Event{Kind: event.FaultInjected, Fault: Delete}, test.asked, test.err)
		told := c.last(t)
		if errors.Is(err, ErrImpossible) != test.impossible || !errors.Is(err, test.err) {
			t.Errorf("%v: returned %v", test.err, err)
		}
		if told.Kind != event.NoteFault || !strings.Contains(told.Why, test.why) {
			t.Errorf("%v: told %s %q, want %q", test.err, told.Kind, told.Why, test.why)
		}
	}
}
