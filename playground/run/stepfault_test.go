package run_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestStepOfTheGone: what a crashed client had on the way is gone with it, and
// the crash is part of the script.
func TestStepOfTheGone(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), stepped(2))
	frames := run.waiting("a frame of each", func(frames []step.Frame) bool { return len(heads(frames)) == 2 })
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: 1}))
	for _, f := range frames {
		c := step.Command{Do: step.Deliver, Lane: f.Lane, Client: f.Client, Dir: f.Dir, Frame: f.Frame}
		if f.Client == 1 {
			run.refuse("frame of the crashed", c, step.ErrNoFrame)
		} else {
			run.command(c)
		}
	}
	var script []string
	for _, step := range slices.Concat(run.Steps().Script...) {
		script = append(script, step.String())
	}
	if len(script) != 2 || script[0] != "client 1: crash" || !strings.HasPrefix(script[1], "client 2, lane lane: deliver") {
		t.Errorf("script %q", script)
	}
}

// TestStepDrop: TCP loses no single frame, so a dropped one takes the
// connection along. The client finds its way.
func TestStepDrop(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), stepped(1))
	frame := run.waiting("something to drop", some)[0]
	result := run.command(step.Command{Do: step.Drop, Lane: frame.Lane, Client: frame.Client, Dir: frame.Dir, Frame: frame.Frame})
	if len(result.Done) != 1 || result.Done[0].Drop != frame.Op {
		t.Errorf("done: %+v", result.Done)
	}
	for _, kind := range []event.Kind{event.WireDropped, event.SessionSuspended, event.SessionResumed} {
		run.rewound().untilKind(kind, 1)
	}
	for run.acquisitions()["lane 1"] == 0 {
		run.waiting("something to deliver", some)
		run.command(step.Command{Do: step.Next})
	}
	run.command(step.Command{Do: step.Off})
	run.untilCount(3, event.LockAcquired)
	run.finish()
	run.verdicts(nil)
}

// TestStopWhileStepping: a run ends whatever waits.
func TestStopWhileStepping(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), stepped(5))
	for range 30 {
		run.waiting("something to deliver", some)
		run.command(step.Command{Do: step.Next})
	}
	began := time.Now()
	run.finish()
	if took := time.Since(began); took > soon {
		t.Errorf("the end took %v", took)
	}
	if steps := run.Steps(); steps.Step || len(steps.Waiting) != 0 || len(steps.Script) != 30 {
		t.Errorf("in the end: step mode %v, %d wait, %d steps", steps.Step, len(steps.Waiting), len(steps.Script))
	}
	for _, v := range run.Summary().Lanes[0].Verdicts { // there may have been too few turns to decide all
		if v.Verdict == event.Violated {
			t.Errorf("%s is %s: %s", v.Check, v.Verdict, v.Why)
		}
	}
}

// TestStepOutOfOrder: in the herd a client hears of its own deletion before it
// has the reply, and TCP lets nothing overtake.
func TestStepOutOfOrder(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), stepped(1, "herd"))
	frame := run.waiting("something to deliver", some)[0]
	for ; frame.Op != "delete"; frame = run.waiting("something to deliver", some)[0] {
		run.deliver(frame)
	}
	run.deliver(frame)
	frames := run.waiting("a notification and a reply", func(frames []step.Frame) bool { return len(frames) == 2 })
	second := frames[1]
	if second.First || second.Op != "delete" {
		t.Fatalf("there wait %+v", frames)
	}
	run.refuse("the second", step.Command{Do: step.Deliver, Lane: "herd", Client: 1, Dir: event.In, Frame: second.Frame}, step.ErrOutOfOrder)
	if result := run.command(step.Command{Do: step.All}); len(result.Done) != 2 || result.Done[0].Deliver != "notification" {
		t.Errorf("done: %v", result.Done)
	}
}
