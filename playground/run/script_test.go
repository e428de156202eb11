package run_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// scripted is a scenario that begins with a script and then flows.
func scripted(steps ...scenario.Step) scenario.Scenario {
	s := stepped(2, "mutex", "herd")
	s.Step, s.Script = false, steps
	return s
}

func (w *watched) untilNote(begins string) event.Event {
	w.t.Helper()
	return w.until("the note "+begins, func(e event.Event) bool {
		return e.Kind == event.NoteStep && strings.HasPrefix(e.Why, begins)
	})
}

// TestScript has client 2 ask for the queue while client 1 holds, and answers it
// when client 1 has released: in both lanes, always in the same order.
func TestScript(t *testing.T) {
	t.Parallel()
	out := func(client int, op string) scenario.Step {
		return scenario.Step{Fault: scenario.Fault{Client: client}, Dir: event.Out, Deliver: op}
	}
	in := func(client int, op string) scenario.Step {
		return scenario.Step{Fault: scenario.Fault{Client: client}, Dir: event.In, Deliver: op}
	}
	given := scripted(
		scenario.Step{Fault: scenario.Fault{Client: 1}, Until: event.LockAcquired},
		scenario.Step{Fault: scenario.Fault{Client: 2}, Until: event.LockEnqueued},
		out(2, "getChildren"), in(2, "*"),
		scenario.Step{Fault: scenario.Fault{Client: 1}, Await: event.LockReleased},
		out(1, "delete"), in(1, "*"), // in the herd lane it hears of its own deletion first
		scenario.Step{Fault: scenario.Fault{Client: 2}, Until: event.LockAcquired},
	)
	given.Hold = between(3000, 3000) // longer than client 2 takes to queue up
	run := start(t, zktest.Start(t), given)
	if e := run.untilNote("the network is held"); !strings.HasSuffix(e.Why, "delivered by a script") {
		t.Errorf("who delivers is told by %q", e.Why)
	}
	if e := run.untilNote("the script"); e.Why != "the script is done, 8 steps" {
		t.Fatal(e.Why)
	}
	for _, lane := range []string{"mutex", "herd"} {
		run.order(lane, [][2]any{{event.LockAcquired, 1}, {event.LockEnqueued, 2}, {event.LockReleased, 1}, {event.LockAcquired, 2}})
	}
	run.untilNote("the network flows")
	if d := run.Describe(); d.Step || d.Steps != 8 {
		t.Errorf("step mode %v, %d steps", d.Step, d.Steps)
	}
	run.untilCount(2, event.LockAcquired)
	run.finish()
	run.verdicts(nil)
	run.heldTold(true, true, false)
}

// order makes sure that a lane's log has these first: a kind and a client each.
func (w *watched) order(lane string, want [][2]any) {
	w.t.Helper()
	for _, e := range w.all() {
		if len(want) > 0 && e.Lane == lane && e.Kind == want[0][0] && e.Client == want[0][1] {
			want = want[1:]
		}
	}
	if len(want) > 0 {
		w.t.Errorf("lane %s lacks %v, or has it earlier", lane, want)
	}
}

// TestScriptDiverges: a script that does not fit ends with a note that says
// where and why. The run goes on.
func TestScriptDiverges(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		step scenario.Step
		want string
	}{
		{"another operation", scenario.Step{Fault: scenario.Fault{Client: 2, Lane: "herd"}, Dir: event.Out, Deliver: "delete"},
			"the script ends after 1 steps: client 2, lane herd: deliver delete out: lane herd: it is not as the script has it: create is first there"},
		{"nothing comes", scenario.Step{Fault: scenario.Fault{Client: 2}, Dir: event.In, Drop: "*"},
			"the script ends after 1 steps: client 2: drop * in: lane mutex: it is not as the script has it: nothing of client 2 waits in, after 10s"},
		{"it does not come to it", scenario.Step{Fault: scenario.Fault{Client: 1}, Await: event.LockLost},
			"the script ends after 1 steps: client 1: await lock.lost: lane mutex: it is not as the script has it: client 1 does not come to lock.lost, after 10s"},
		{"impossible fault", scenario.Step{Fault: scenario.Fault{Name: "restart"}},
			"the script ends after 1 steps: restart: " + run.ErrNotOurs.Error()},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := start(t, zktest.Start(t), scripted(scenario.Step{Fault: scenario.Fault{Client: 1}, Until: event.LockEnqueued}, test.step))
			if e := w.untilNote("the script ends"); !strings.HasPrefix(e.Why, test.want) {
				t.Errorf("the note says %q, want %q", e.Why, test.want)
			}
			w.untilNote("the network flows")
			w.untilCount(20, event.LockAcquired)
			w.finish()
			w.verdicts(nil)
		})
	}
}

// TestScriptInStepMode goes on by hand, unless it does not come to that.
func TestScriptInStepMode(t *testing.T) {
	t.Parallel()
	given := scripted(scenario.Step{Fault: scenario.Fault{Client: 1}, Until: event.LockAcquired}, scenario.Step{Fault: scenario.Fault{Client: 1, Lane: "herd", Name: "crash"}})
	given.Step = true
	run := start(t, zktest.Start(t), given)
	run.untilNote("the script is done, 2 steps")
	run.waiting("something to deliver", func(frames []step.Frame) bool {
		return slices.ContainsFunc(frames, func(f step.Frame) bool { return f.Lane == "mutex" })
	})
	run.command(step.Command{Do: step.Next, Lane: "mutex"})
	script, whole := run.Script()
	if !whole || len(script) != 3 || script[1][0].Name != "crash" {
		t.Errorf("script %v, whole %v", script, whole)
	}
}

// TestOffEndsAScript breaks off a script that waits, and refuses hands before.
func TestOffEndsAScript(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), scripted(scenario.Step{Fault: scenario.Fault{Client: 1}, Await: event.LockAcquired}))
	run.waiting("something to deliver", some)
	run.refuse("next during a script", step.Command{Do: step.Next}, client.ErrImpossible)
	run.command(step.Command{Do: step.Off})
	run.untilCount(20, event.LockAcquired)
	run.command(step.Command{Do: step.On})
	run.waiting("something to deliver", some)
	run.command(step.Command{Do: step.Next})
	run.finish()
	run.verdicts(nil)
}

// TestMutexSurvivesEachScript: the textbook's lock survives the scripts and faults that
// break a flawed one.
func TestMutexSurvivesEachScript(t *testing.T) {
	t.Parallel()
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	server := zktest.Start(t)
	for _, given := range shipped {
		if len(given.Script) == 0 {
			continue
		}
		t.Run(given.Name, func(t *testing.T) {
			given.Delay, given.Expect, given.Session = 0, nil, milliseconds(30_000)
			given.Lanes = slices.Clone(given.Lanes)
			given.Lanes[0].Recipe = "mutex"
			run := start(t, server, given)
			run.until("the script is done", func(e event.Event) bool {
				return e.Kind == event.NoteStep && strings.HasPrefix(e.Why, "the script is done")
			})
			run.rewound().untilCount(len(given.Lanes)*given.Clients, event.LockReleased)
			run.finish()
			run.verdicts(nil)
		})
	}
}
