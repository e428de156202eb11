package client

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// TestSameFaultAgain: what another takes the place of is told as healed only if
// it was over before, and is undone only if it could end by itself.
func TestSameFaultAgain(t *testing.T) {
	over, lasts := make(chan struct{}), make(chan struct{})
	close(over)
	tests := []struct {
		name         string
		over         <-chan struct{}
		undone, told bool
	}{
		{"one that is over", over, true, true},
		{"one that could end by itself", lasts, true, false},
		{"one that lasts until it is healed", nil, false, false},
	}
	for _, test := range tests {
		c, log := newBare(t)
		undone := false
		before := &activeFault{undone: make(chan struct{}), effect: effect{undo: func() { undone = true },
			over: test.over, ended: func() *event.Reason { return event.Text("it has caught a reply") }}}
		c.active.byName["lose-reply"] = before
		c.replace("lose-reply")
		if told := log.count(event.FaultHealed) == 1; undone != test.undone || told != test.told {
			t.Errorf("%s: undone %t, told %t; want %t and %t", test.name, undone, told, test.undone, test.told)
		}
	}
}

// TestFaultsEndWithTheClient: one that takes its time is broken off, and none
// begins any more.
func TestFaultsEndWithTheClient(t *testing.T) {
	c, _ := newBare(t)
	ctx, done, err := c.faultContext(t.Context())
	if err != nil || ctx.Err() != nil {
		t.Fatalf("a fault on a client that is there: %v, %v", err, ctx.Err())
	}
	defer done()
	c.endFaults(RunEnds.With())
	<-ctx.Done()
	if _, _, err := c.faultContext(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("a fault after the end: %v, want %v", err, ErrNotRunning)
	}
}

// TestMissed: only a server's answer says that a fault did not happen.
func TestMissed(t *testing.T) {
	tests := []struct {
		asked  bool
		err    error
		reason error
		why    string
	}{
		{true, wire.SessionExpired, ErrImpossible, "it did not happen"},
		{true, wire.NoNode, ErrImpossible, "it did not happen"},
		{true, wire.NotEmpty, ErrImpossible, "it did not happen"},
		{true, errNobodyHas, ErrImpossible, "it did not happen"},
		{true, context.DeadlineExceeded, ErrZooKeeper, "it may have happened"},
		{false, context.DeadlineExceeded, ErrZooKeeper, "it did not happen"},
	}
	for _, test := range tests {
		c, log := newBare(t)
		err := c.missed(event.Event{Kind: event.FaultInjected, Fault: "delete"}, test.asked, test.err)
		told := log.last()
		if !errors.Is(err, test.reason) || !errors.Is(err, test.err) {
			t.Errorf("%v: returned %v, want %v", test.err, err, test.reason)
		}
		if told.Kind != event.NoteFault || !strings.Contains(told.Reason.English(), test.why) {
			t.Errorf("%v: told %s %q, want %q", test.err, told.Kind, told.Reason.English(), test.why)
		}
	}
}

// TestFaultBrokenOffByTheEnd: who asked for it is told that the run has ended, and not
// that it broke off by itself.
func TestFaultBrokenOffByTheEnd(t *testing.T) {
	c, _ := newBare(t)
	told := event.Event{Kind: event.FaultInjected, Fault: "expire"}
	if err := c.missed(told, true, context.Canceled); errors.Is(err, ErrNotRunning) {
		t.Errorf("while the client is there: %v", err)
	}
	c.endFaults(RunEnds.With())
	if err := c.missed(told, true, context.Canceled); !errors.Is(err, ErrNotRunning) {
		t.Errorf("after its end: %v, want %v", err, ErrNotRunning)
	}
}
