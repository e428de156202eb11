package run_test

import (
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// TestPause: the server gives up a process that stands still; the process
// learns nothing until it goes on, and then at once.
func TestPause(t *testing.T) {
	t.Parallel()
	stalls := watchStalls(t)
	const length = 2*briefly + time.Second // somebody else is to hold before it ends
	run, holder := startHeld(t, brief(2))
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "pause", Client: holder.Client, Parameters: scenario.Parameters{For: scenario.Duration(length)}}))
	injected := run.untilKind(event.FaultInjected, holder.Client)
	run.mustExpireInTime(holder, stalls)
	run.untilKind(event.LockAcquired, 3-holder.Client)
	healed := run.untilKind(event.FaultHealed, holder.Client)
	if took := micros(healed.At - injected.At); took < length || took > length+stalls.slack() {
		t.Errorf("the pause took %v", took)
	}
	lost := run.untilKind(event.LockLost, holder.Client)
	if late := micros(lost.At - healed.At); late > stalls.slack() {
		t.Errorf("the process learnt of its loss %v after it went on", late)
	}
	run.rewound().untilKind(event.SessionRefused, holder.Client)
	run.finish()
	for _, e := range run.all()[injected.Seq : healed.Seq-1] {
		if e.Client == holder.Client && e.Kind != event.TreeDeleted && e.Kind != event.WireHeld && !e.Kind.Follows() {
			t.Errorf("event %d: the process that stands still did %s", e.Seq, e.Kind)
		}
	}
	run.verdicts(map[string]event.Verdict{"belief": event.Violated})
}

// TestShortPause: a process that goes on in time has lost nothing.
func TestShortPause(t *testing.T) {
	t.Parallel()
	given := slow(2)
	given.Session = milliseconds(12_000)
	run, holder := startHeld(t, given)
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "pause", Client: holder.Client, Parameters: scenario.Parameters{For: scenario.Duration(400 * time.Millisecond)}}))
	run.untilKind(event.FaultHealed, holder.Client)
	run.until("the server answers that it lives", func(e event.Event) bool {
		return e.Kind == event.WireReceived && e.Op == "ping" && e.Client == holder.Client
	})
	for _, e := range run.all() {
		if e.Kind == event.SessionLost || e.Kind == event.SessionSuspended {
			t.Errorf("event %d: client %d: %s", e.Seq, e.Client, e.Kind)
		}
	}
	run.finish()
	run.verdicts(onlyOnce)
}
