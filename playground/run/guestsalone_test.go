package run_test

import (
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestNobody: a run without clients that no guest joins holds nothing.
func TestNobody(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 0))
	r.finish()
	for _, v := range r.Summary().Lanes[0].Verdicts {
		if v.Verdict != event.Undecided {
			t.Errorf("%s is %s: %s", v.Check, v.Verdict, v.Why)
		}
	}
}

// TestGuestsAlone: guests are all that a run has; they are numbered from 1, faults are
// scheduled, injected and armed on them, and nobody is said to hold who does not tell.
func TestGuestsAlone(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 0)
	given.Faults = []scenario.ScheduledFault{{At: scenario.Duration(4 * time.Second), Fault: scenario.Fault{Name: "expire", Client: 2}}}
	r := start(t, zktest.Start(t), given)
	first, second := joined(t, r, 30*time.Second, run.Joining{Name: "first"}), joined(t, r, 30*time.Second, run.Joining{Name: "second"})
	if first.Number() != 1 || second.Number() != 2 {
		t.Errorf("the guests are clients %d and %d", first.Number(), second.Number())
	}
	first.queue()
	r.untilKind(event.FaultInjected, second.Number())
	r.must(r.Inject(t.Context(), scenario.Fault{Name: "partition", Client: 1}))
	r.finish()
	r.verdicts(untold)
}

// TestInjectionOnGuests: faults that come again and again are injected into each guest that
// takes part, also when its program has come back.
func TestInjectionOnGuests(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 0)
	given.Inject = scenario.Injection{"expire": scenario.Duration(scenario.MinInject)}
	r := start(t, zktest.Start(t), given)
	guests := []*visitor{joined(t, r, 30*time.Second, run.Joining{Name: "first"}), joined(t, r, 30*time.Second, run.Joining{Name: "second"})}
	times := make(map[int]int)
	for times[1] < 2 || times[2] < 2 {
		e := r.untilKind(event.SessionSuspended, 0) // of either, as both may be gone at once
		times[e.Client]++
		_, err := r.Join(run.Joining{Name: guests[e.Client-1].Name()})
		r.must(err)
		guests[e.Client-1].connect(wire.Options{})
	}
}
