package run_test

import (
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// untilArmed reads on to the next event of a kind about armed faults.
func (w *watched) untilArmed(kind event.Kind) event.Event { return w.untilKind(kind, 0) }

// TestArmed: at each moment the first client that comes to it gets the fault, after
// it was armed, and no other.
func TestArmed(t *testing.T) {
	t.Parallel()
	moments := map[string]event.Kind{"hold": event.LockAcquired, "wait": event.LockWaiting, "create": event.TreeCreated}
	for when, kind := range moments {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			run := start(t, zktest.Start(t), fast("mutex", 4))
			run.untilCount(4, event.LockAcquired)
			fault := scenario.Fault{Name: "pause", When: when, Parameters: scenario.Parameters{For: scenario.Duration(50 * time.Millisecond)}}
			for range 3 {
				run.must(run.Inject(t.Context(), fault))
				armed := run.untilArmed(event.FaultArmed)
				if armed.Lane != "lane" || armed.Client != 0 || armed.Fault != "pause" || armed.When != when || armed.For != 50 {
					t.Errorf("armed %+v", armed)
				}
				first := run.untilKind(kind, 0)
				if triggered := run.untilArmed(event.FaultTriggered); triggered.Fault != "pause" || triggered.Client != 0 || triggered.When != when {
					t.Errorf("triggered %+v", triggered)
				}
				if injected := run.untilKind(event.FaultInjected, 0); injected.Client != first.Client {
					t.Errorf("client %d got it, client %d was the first", injected.Client, first.Client)
				}
				run.untilKind(event.FaultHealed, 0)
			}
			run.finish()
			run.verdicts(nil)
		})
	}
}

// TestArmedForOne: others pass the moment and nothing happens to them. In each lane
// it is armed by itself.
func TestArmedForOne(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 3)
	given.Lanes = append(given.Lanes, scenario.Lane{Name: "herd", Recipe: "herd"})
	run := start(t, zktest.Start(t), given)
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: 2, When: "hold"}))
	hit := make(map[string]bool)
	run.until("a crash in each lane", func(e event.Event) bool {
		if e.Kind == event.FaultInjected {
			if e.Client != 2 || hit[e.Lane] {
				t.Errorf("injected %+v", e)
			}
			hit[e.Lane] = true
		}
		return len(hit) == 2
	})
}

// TestDisarm: by hand, or with the run, and then nothing happens.
func TestDisarm(t *testing.T) {
	t.Parallel()
	run, holder := startHeld(t, slow(3)) // so that nobody comes to hold
	other := holder.Client%3 + 1
	arm := func(f scenario.Fault) {
		t.Helper()
		f.When = "hold"
		run.must(run.Inject(t.Context(), f))
	}
	disarm := func(lane string, number *int, fault string, want int) {
		t.Helper()
		n, err := run.Disarm(lane, number, fault)
		if n != want || (err == nil) != (want > 0) || err != nil && !errors.Is(err, client.ErrImpossible) {
			t.Errorf("disarmed %d, %v; want %d", n, err, want)
		}
	}
	anybody := 0
	disarm("", nil, "", 0)
	arm(scenario.Fault{Name: "crash"})
	arm(scenario.Fault{Name: "crash", Client: other})
	arm(scenario.Fault{Name: "expire", Client: other})
	arm(scenario.Fault{Name: "expire", Client: other}) // again
	disarm("lane", &anybody, "expire", 0)
	disarm("lane", &anybody, "", 1)
	disarm("", &other, "crash", 1)
	disarm("", nil, "", 1)
	disarm("", nil, "", 0)
	for range 3 {
		if e := run.untilArmed(event.FaultDisarmed); e.Fault == "" || e.Lane != "lane" || e.When != "hold" || e.Why == "" {
			t.Errorf("disarmed %+v", e)
		}
	}
	arm(scenario.Fault{Name: "crash", Client: other})
	run.finish()
	if e := run.untilArmed(event.FaultDisarmed); e.Client != other || e.Why != "the run ends" {
		t.Errorf("disarmed %+v", e)
	}
	for _, e := range run.all() {
		if e.Kind == event.FaultInjected || e.Kind == event.FaultTriggered {
			t.Errorf("event %d: %s %s", e.Seq, e.Kind, e.Fault)
		}
	}
	for name, test := range map[string]struct {
		lane, fault string
		client      int
		want        error
	}{
		"no lane":   {"nowhere", "", 1, step.ErrNoClient},
		"no client": {"", "", 4, step.ErrNoClient},
		"no fault":  {"", "flood", 1, scenario.ErrUnknownFault},
		"no run":    {"", "crash", 1, client.ErrNotRunning},
	} {
		if _, err := run.Disarm(test.lane, &test.client, test.fault); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// TestArmedHasBounds: so many at a time, and none while frames are delivered by hand.
func TestArmedHasBounds(t *testing.T) {
	t.Parallel()
	run, _ := startHeld(t, slow(30))
	for number := 1; number <= 20; number++ {
		run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: number, When: "create"}))
	}
	if err := run.Inject(t.Context(), scenario.Fault{Name: "crash", When: "create"}); !errors.Is(err, client.ErrImpossible) {
		t.Errorf("one more: %v", err)
	}
	if n, err := run.Disarm("", nil, ""); n != 20 || err != nil {
		t.Errorf("disarmed %d, %v", n, err)
	}
	run.command(step.Command{Do: step.On})
	if err := run.Inject(t.Context(), scenario.Fault{Name: "crash", When: "create"}); !errors.Is(err, client.ErrImpossible) {
		t.Errorf("in step mode: %v", err)
	}
}

// TestArmedThatCannotBe: the client that comes to it is in no state for the fault.
func TestArmedThatCannotBe(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), fast("mutex", 1))
	for _, number := range []int{0, 1} { // both come with the same hold
		run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: number, When: "hold"}))
	}
	run.untilKind(event.FaultInjected, 1)
	if missed := run.rewound().untilKind(event.NoteFault, 1); missed.Fault != "crash" {
		t.Errorf("missed %+v, want the second crash", missed)
	}
}

// TestScheduledArmed: a scenario can arm a fault, too.
func TestScheduledArmed(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 3)
	given.Faults = []scenario.ScheduledFault{{At: milliseconds(100), Fault: scenario.Fault{Name: "expire", When: "wait"}}}
	run := start(t, zktest.Start(t), given)
	armed := run.untilArmed(event.FaultArmed)
	waits := run.untilKind(event.LockWaiting, 0)
	if injected := run.untilKind(event.FaultInjected, 0); injected.Client != waits.Client || armed.At < 100_000 {
		t.Errorf("armed %+v, client %d waits, injected %+v", armed, waits.Client, injected)
	}
}
