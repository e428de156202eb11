package run_test

import (
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// injected is a scenario of two lanes into which faults come again and again.
func injected(i scenario.Injection) scenario.Scenario {
	s := fast("mutex", 5)
	s.Lanes = append(s.Lanes, scenario.Lane{Name: "herd", Recipe: "herd"})
	s.Session = scenario.Duration(briefly)
	s.Inject = i
	return s
}

// TestInjection: in both lanes the faults come when the plan has them, and who
// crashed is started again.
func TestInjection(t *testing.T) {
	t.Parallel()
	const every, rounds = 2 * time.Second, 4
	stalls := watchStalls(t)
	given := injected(scenario.Injection{"crash": scenario.Duration(every)})
	plan := scenario.NewInjectionPlan(given, run.Catalogue(), scenario.Repeated{Fault: "crash", Every: every})
	run := start(t, zktest.Start(t), given)
	if on := run.untilKind(event.NoteInjection, 0); on.Fault != "crash" || on.Every != every.Milliseconds() {
		t.Errorf("on: %+v", on)
	}
	crashes := make(map[string][]event.Event)
	alive := make(map[string]bool)
	run.until("crashes and new starts in each lane", func(e event.Event) bool {
		if e.Kind == event.FaultInjected && e.Fault == "crash" {
			crashes[e.Lane] = append(crashes[e.Lane], e)
		}
		if e.Kind == event.FaultInjected && e.Fault == client.StartAgain {
			alive[e.Lane] = true
		}
		return min(len(crashes["lane"]), len(crashes["herd"])) >= rounds && len(alive) == 2
	})
	began := micros(crashes["lane"][0].At)
	for i := range rounds {
		next := plan.Next()
		for lane, told := range crashes {
			// the first comes after the clients are let loose, and a holder may be waited for
			at, slack := micros(told[i].At), every/4+stalls.slack()
			if i == 0 {
				began = min(began, at)
				continue
			}
			if late := at - began; late < next.After-slack || late > next.After+slack {
				t.Errorf("lane %s: crash %d came %v after the one before, want %v", lane, i, late, next.After)
			}
		}
		if i > 0 {
			began += next.After
		}
	}
	run.finish()
	for _, e := range run.all() {
		if e.Kind == event.NoteFault {
			t.Errorf("event %d: %s", e.Seq, e.Why)
		}
	}
	run.mustSummarizeLike(nil)
}

// TestInjectionSwitch: it is turned on and off for the run under way.
func TestInjectionSwitch(t *testing.T) {
	t.Parallel()
	given := injected(nil)
	given.Session = milliseconds(30_000)
	run := start(t, zktest.Start(t), given)
	run.untilCount(10, event.LockAcquired)
	run.must(run.SetInjection(scenario.Injection{"expire": scenario.Duration(scenario.MinInject)}))
	for range 3 {
		if e := run.untilKind(event.FaultInjected, 0); e.Fault != "expire" {
			t.Errorf("injected %s", e.Fault)
		}
	}
	if got := run.Scenario().Inject; len(got) != 1 || time.Duration(got["expire"]) != scenario.MinInject {
		t.Errorf("on is %v", got)
	}
	run.must(run.SetInjection(scenario.Injection{"expire": 0}))
	off := run.until("off", func(e event.Event) bool { return e.Kind == event.NoteInjection && e.Every == 0 })
	for run.Log().Now() < time.Duration(off.At)*time.Microsecond+3*scenario.MinInject {
		run.untilCount(10, event.LockAcquired)
	}
	run.finish()
	late := 0
	for _, e := range run.all()[off.Seq:] {
		if e.Kind == event.FaultInjected {
			late++ // one that was under way in each lane
		}
	}
	if late > 2 {
		t.Errorf("%d faults came after it was turned off", late)
	}
	if err := run.SetInjection(scenario.Injection{"crash": scenario.Duration(time.Minute)}); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("on after the end: %v", err)
	}
}

// TestInjectionRefused: what is wrong changes nothing.
func TestInjectionRefused(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), injected(scenario.Injection{"crash": scenario.Duration(time.Hour)}))
	for _, wrong := range []scenario.Injection{{"flood": 0}, {"pause": scenario.Duration(time.Minute)}, {"crash": 1}, {"crash": -1},
		{"expire": scenario.Duration(2 * time.Hour)}} {
		if err := run.SetInjection(wrong); !errors.Is(err, scenario.ErrInvalid) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	if got := run.Scenario().Inject; len(got) != 1 || time.Duration(got["crash"]) != time.Hour {
		t.Errorf("on is %v", got)
	}
}

// TestInjectionInStepMode: nothing comes between the steps that are taken by hand.
func TestInjectionInStepMode(t *testing.T) {
	t.Parallel()
	given := injected(scenario.Injection{"expire": scenario.Duration(scenario.MinInject)})
	given.Session, given.Step = milliseconds(30_000), true
	run := start(t, zktest.Start(t), given)
	for run.Log().Now() < 4*scenario.MinInject {
		run.untilKind(event.TreeSynced, 0)
	}
	run.command(step.Command{Do: step.Off})
	flows := run.until("the network flows", func(e event.Event) bool { return e.Kind == event.NoteStep && !e.Held })
	run.untilKind(event.FaultInjected, 0)
	for _, e := range run.all()[:flows.Seq] {
		if e.Kind == event.FaultInjected {
			t.Errorf("event %d: %s while the network was held", e.Seq, e.Fault)
		}
	}
}

// TestInjectionLeavesOneAlive: the last client is not crashed.
func TestInjectionLeavesOneAlive(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 2)
	given.Inject = scenario.Injection{"crash": scenario.Duration(scenario.MinInject)}
	given.Session = milliseconds(60_000)
	run := start(t, zktest.Start(t), given)
	crashed := run.untilKind(event.FaultInjected, 0)
	for run.Log().Now() < time.Duration(crashed.At)*time.Microsecond+3*scenario.MinInject {
		run.untilKind(event.TreeSynced, 0)
	}
	for _, e := range run.all()[crashed.Seq:] {
		if e.Kind == event.FaultInjected {
			t.Errorf("event %d: client %d too: %s", e.Seq, e.Client, e.Fault)
		}
	}
}
