package room_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
)

// TestUndoRepeats takes ten steps and takes four back: each time the same
// frames wait as did before that step.
func TestUndoRepeats(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	run, err := r.Start(within(t), steppedQuick(2))
	if err != nil {
		t.Fatal(err)
	}
	var before [][]string
	for i := range 10 {
		before = append(before, h.settled(run))
		command := step.Command{Do: step.Next}
		if i == 8 {
			command.Do = step.All
		}
		if _, err := run.Step(within(t), command); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	for i := 9; i > 5; i-- {
		script, _ := run.Script()
		if run, err = r.Undo(within(t)); err != nil {
			t.Fatalf("undo of step %d: %v", i, err)
		}
		if current, _ := r.Current(); current != run {
			t.Fatal("the new run is not the room's")
		}
		awaitNote(h, run, "replayed")
		if got := h.settled(run); !slices.Equal(got, before[i]) {
			t.Errorf("after the undo of step %d there waits %v, before the step it was %v", i, got, before[i])
		}
		again, whole := run.Script()
		if !whole || fmt.Sprint(again) != fmt.Sprint(script[:i]) {
			t.Errorf("repeated %v, whole %v, want %v", again, whole, script[:i])
		}
	}
}

func TestUndoRefused(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	refuse := func(what string, want error, message string) {
		t.Helper()
		before, _ := r.Current()
		_, err := r.Undo(within(t))
		if !errors.Is(err, want) || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v, want %v: %s", what, err, want, message)
		}
		if after, _ := r.Current(); after != before {
			t.Errorf("%s: the run is another one", what)
		}
	}
	refuse("no run", client.ErrNotRunning, "")
	run, err := r.Start(within(t), steppedQuick(2))
	if err != nil {
		t.Fatal(err)
	}
	refuse("no step", room.ErrNoUndo, "nothing has been done")
	h.settled(run)
	for _, do := range []string{step.Next, step.Off, step.On} {
		if _, err := run.Step(within(t), step.Command{Do: do}); err != nil {
			t.Fatal(err)
		}
	}
	refuse("step mode off and on", room.ErrNoUndo, "")
	h.settled(run)
	if _, err := run.Step(within(t), step.Command{Do: step.Next}); err != nil {
		t.Fatal(err)
	}
	refuse("stepping began later", room.ErrNoUndo, "flowed by itself")
	scheduled := steppedQuick(2)
	scheduled.Faults = []scenario.ScheduledFault{{At: scenario.Duration(time.Hour), Fault: scenario.Fault{Name: "crash", Client: 1}}}
	if run, err = r.Start(within(t), scheduled); err != nil {
		t.Fatal(err)
	}
	h.settled(run)
	if _, err := run.Step(within(t), step.Command{Do: step.Next}); err != nil {
		t.Fatal(err)
	}
	refuse("faults on schedule", room.ErrNoUndo, "faults on schedule")
	if err := r.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	refuse("finished", client.ErrNotRunning, "")
}

// TestUndoOfTheOnlyStep begins anew.
func TestUndoOfTheOnlyStep(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	run, err := r.Start(within(t), steppedQuick(1))
	if err != nil {
		t.Fatal(err)
	}
	before := h.settled(run)
	if err := run.Inject(within(t), scenario.Fault{Name: "crash", Client: 1}); err != nil {
		t.Fatal(err)
	}
	if run, err = r.Undo(within(t)); err != nil {
		t.Fatal(err)
	}
	awaitNote(h, run, "replayed 0 steps")
	if after := h.settled(run); !slices.Equal(after, before) {
		t.Errorf("there waits %v, before the crash it was %v", after, before)
	}
	if d := run.Describe(); !d.Step || d.Steps != 0 {
		t.Errorf("step mode %v, %d steps; want none", d.Step, d.Steps)
	}
}

// TestUndoRepeatsFaults: what was broken by hand between two steps is broken
// again between them.
func TestUndoRepeatsFaults(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	run, err := r.Start(within(t), steppedQuick(2))
	if err != nil {
		t.Fatal(err)
	}
	step := func() {
		t.Helper()
		if _, err := run.Step(within(t), step.Command{Do: step.All}); err != nil {
			t.Fatal(err)
		}
	}
	h.settled(run)
	step()
	h.settled(run)
	if err := run.Inject(within(t), scenario.Fault{Name: "expire", Client: 2, Lane: "mutex"}); err != nil {
		t.Fatal(err)
	}
	awaitKind(t, run, event.SessionLost)
	before := h.settled(run)
	step()
	h.settled(run)
	if run, err = r.Undo(within(t)); err != nil {
		t.Fatal(err)
	}
	awaitNote(h, run, "replayed")
	awaitKind(t, run, event.SessionLost)
	if after := h.settled(run); !slices.Equal(after, before) {
		t.Errorf("after the undo there waits %v, before the step it was %v", after, before)
	}
}

// TestUndoRepeatsTheFirstFault: what was broken first is broken again when its
// client has come as far, not before it has a session.
func TestUndoRepeatsTheFirstFault(t *testing.T) {
	for _, fault := range []string{"expire", "pause"} {
		t.Run(fault, func(t *testing.T) {
			h := open(t)
			r := h.room(room.Main)
			late := steppedQuick(2)
			late.Arrive = scenario.Duration(300 * time.Millisecond)
			run, err := r.Start(within(t), late)
			if err != nil {
				t.Fatal(err)
			}
			h.waiting(run, 4)
			if err := run.Inject(within(t), scenario.Fault{Name: fault, Client: 2, Lane: "mutex"}); err != nil {
				t.Fatal(err)
			}
			before := h.waiting(run, 4)
			if _, err := run.Step(within(t), step.Command{Do: step.Next, Lane: "herd"}); err != nil {
				t.Fatal(err)
			}
			if run, err = r.Undo(within(t)); err != nil {
				t.Fatal(err)
			}
			awaitNote(h, run, "replayed 1 steps")
			if after := h.waiting(run, 4); !slices.Equal(after, before) {
				t.Errorf("after the undo there waits %v, before the step it was %v", after, before)
			}
		})
	}
}

// TestUndoAfterAScript repeats the scenario's own steps in place of its script.
func TestUndoAfterAScript(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	scripted := steppedQuick(2)
	scripted.Script = []scenario.Step{{Fault: scenario.Fault{Client: 1}, Until: event.LockAcquired}, {Fault: scenario.Fault{Client: 2}, Until: event.LockEnqueued}}
	run, err := r.Start(within(t), scripted)
	if err != nil {
		t.Fatal(err)
	}
	awaitNote(h, run, "the script is done, 2 steps")
	before := h.settled(run)
	if _, err := run.Step(within(t), step.Command{Do: step.Next}); err != nil {
		t.Fatal(err)
	}
	if run, err = r.Undo(within(t)); err != nil {
		t.Fatal(err)
	}
	awaitNote(h, run, "replayed 2 steps")
	if after := h.settled(run); !slices.Equal(after, before) {
		t.Errorf("after the undo there waits %v, before the step it was %v", after, before)
	}
	if r, err := r.Undo(within(t)); err != nil {
		t.Fatal(err)
	} else {
		awaitNote(h, r, "replayed 1 steps")
	}
}

// TestUndoRepeatsANewStart: a client that crashed and was started again is so again.
func TestUndoRepeatsANewStart(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	run, err := r.Start(within(t), steppedQuick(2))
	if err != nil {
		t.Fatal(err)
	}
	h.settled(run)
	for _, fault := range []string{"crash", "start-again"} {
		if err := run.Inject(within(t), scenario.Fault{Name: fault, Client: 2, Lane: "mutex"}); err != nil {
			t.Fatal(err)
		}
	}
	before := h.settled(run)
	if _, err := run.Step(within(t), step.Command{Do: step.Next}); err != nil {
		t.Fatal(err)
	}
	if run, err = r.Undo(within(t)); err != nil {
		t.Fatal(err)
	}
	awaitNote(h, run, "replayed 2 steps")
	if after := h.settled(run); !slices.Equal(after, before) {
		t.Errorf("after the undo there waits %v, before the step it was %v", after, before)
	}
}
