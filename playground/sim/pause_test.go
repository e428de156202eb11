package sim_test

import (
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/sim"
)

// TestPause: the server gives up a process that stands still; the process
// learns nothing until it goes on, and then at once.
func TestPause(t *testing.T) {
	t.Parallel()
	stalls := watchStalls(t)
	run, holder := startHeld(t, slow(2))
	run.must(run.Inject(t.Context(), sim.Fault{Name: sim.Pause, Client: holder.Client, For: 2500 * time.Millisecond}))
	injected := run.untilKind(event.FaultInjected, holder.Client)
	deleted := run.untilDeleted(holder.Path)
	after := micros(deleted.At - run.lastContact(holder.Client, deleted).At)
	t.Logf("the znode went %v after the last contact", after)
	if after < second || after > second+2*tick+stalls.slack() || deleted.Cause != "expiry" {
		t.Errorf("the znode went %v after the last contact, by %s", after, deleted.Cause)
	}
	run.untilKind(event.LockAcquired, 3-holder.Client)
	healed := run.untilKind(event.FaultHealed, holder.Client)
	if length := micros(healed.At - injected.At); length < 2500*time.Millisecond || length > 2500*time.Millisecond+stalls.slack() {
		t.Errorf("the pause took %v", length)
	}
	lost := run.untilKind(event.LockLost, holder.Client)
	if late := micros(lost.At - healed.At); late > stalls.slack() {
		t.Errorf("the process learnt of its loss %v after it went on", late)
	}
	run.untilKind(event.SessionRefused, holder.Client)
	run.finish()
	for _, e := range run.all()[injected.Seq : healed.Seq-1] {
		if e.Client == holder.Client && e.Kind != event.TreeDeleted && e.Kind != event.WireHeld && e.Kind != event.CheckChanged {
			t.Errorf("event %d: the process that stands still did %s", e.Seq, e.Kind)
		}
	}
	run.verdicts(map[string]event.Verdict{"belief": event.Violated})
}

// TestShortPause: a process that goes on in time has lost nothing.
func TestShortPause(t *testing.T) {
	t.Parallel()
	run, holder := startHeld(t, slow(2))
	run.must(run.Inject(t.Context(), sim.Fault{Name: sim.Pause, Client: holder.Client, For: 400 * time.Millisecond}))
	healed := run.untilKind(event.FaultHealed, holder.Client)
	run.until("it lives for a while", func(e event.Event) bool { return e.At > healed.At+2*second.Microseconds() })
	for _, e := range run.all() {
		if e.Kind == event.SessionLost || e.Kind == event.SessionSuspended {
			t.Errorf("event %d: client %d: %s", e.Seq, e.Client, e.Kind)
		}
	}
	run.finish()
	run.verdicts(onlyOnce)
}
