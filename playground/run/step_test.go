package run_test

import (
	"context"
	"errors"
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var stepHold = flag.Duration("hold", 10*time.Second, "how long TestStepKeepsSessions lets frames wait")

// stepped is a scenario whose frames wait from the beginning. Its clients come
// back for more at once.
func stepped(clients int, lanes ...string) scenario.Scenario {
	s := fast("mutex", clients)
	s.Step, s.Hold, s.Think = true, between(0, 1), between(0, 1)
	if len(lanes) > 0 {
		s.Lanes = nil
	}
	for _, lane := range lanes {
		s.Lanes = append(s.Lanes, scenario.Lane{Name: lane, Recipe: lane})
	}
	return s
}

// command does a command that must succeed.
func (w *watched) command(c step.Command) step.Result {
	w.t.Helper()
	result, err := w.Step(w.t.Context(), c)
	if err != nil {
		w.t.Fatalf("%+v: %v", c, err)
	}
	return result
}

// waiting polls until what waits pleases, and returns it.
func (w *watched) waiting(what string, pleases func([]step.Frame) bool) []step.Frame {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), timeout)
	defer cancel()
	for {
		next := w.Log().Len() + 1
		if frames := w.Steps().Waiting; pleases(frames) {
			return frames
		}
		if err := w.Log().Wait(ctx, next); err != nil {
			w.t.Fatalf("never: %s, but %v", what, heads(w.Steps().Waiting))
		}
	}
}

func some(frames []step.Frame) bool { return len(frames) > 0 }

// heads are what may be delivered, without what differs from run to run.
func heads(frames []step.Frame) []string {
	var heads []string
	for _, f := range frames {
		if f.First {
			step := scenario.Step{Fault: scenario.Fault{Lane: f.Lane, Client: f.Client}, Dir: f.Dir, Deliver: f.Op}
			heads = append(heads, step.String())
		}
	}
	slices.Sort(heads)
	return heads
}

// TestStepByHand delivers every frame of two clients in two lanes by its number.
func TestStepByHand(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), stepped(2, "mutex", "herd"))
	acquired := map[string]int{}
	for len(acquired) < 4 || slices.Min([]int{acquired["mutex 1"], acquired["mutex 2"], acquired["herd 1"], acquired["herd 2"]}) < 2 {
		frame := run.waiting("something to deliver", some)[0]
		result := run.command(step.Command{Do: step.Deliver, Lane: frame.Lane, Client: frame.Client, Dir: frame.Dir, Frame: frame.Frame})
		if len(result.Done) != 1 || result.Done[0].Deliver != frame.Op || !result.Step {
			t.Fatalf("after %+v: %+v", frame, result)
		}
		acquired = run.acquisitions()
	}
	if description := run.Describe(); !description.Step || description.Steps < 20 {
		t.Errorf("%d steps, step mode %v", description.Steps, description.Step)
	}
	run.onlyByHand()
	run.finish()
	run.verdicts(nil)
}

// acquisitions counts them for each lane and client.
func (w *watched) acquisitions() map[string]int {
	counts := map[string]int{}
	for _, e := range w.all() {
		if e.Kind == event.LockAcquired {
			counts[e.Lane+" "+string(rune('0'+e.Client))]++
		}
	}
	return counts
}

// onlyByHand makes sure that what has passed so far was held before.
func (w *watched) onlyByHand() {
	w.t.Helper()
	passed := 0
	for _, e := range w.all() {
		if e.Kind == event.WireDelivered {
			passed++
		}
	}
	script, whole := w.Script()
	out := 0
	for _, step := range slices.Concat(script...) {
		if step.Dir == event.Out && step.Deliver != "" {
			out++
		}
	}
	if !whole || passed != out {
		w.t.Errorf("%d frames reached the server, %d were delivered by hand, whole: %v", passed, out, whole)
	}
}

// TestStepKeepsSessions lets a request and a reply wait for many times a session
// timeout, and a release.
func TestStepKeepsSessions(t *testing.T) {
	t.Parallel()
	given := stepped(3)
	given.Session = milliseconds(3000)
	run := start(t, zktest.Start(t), given)
	run.toTheDelete()
	run.waiting("a request and a reply, and the third client's frame", func(frames []step.Frame) bool {
		return len(heads(frames)) == 3 && slices.ContainsFunc(frames, func(f step.Frame) bool { return f.Dir == event.In }) &&
			slices.ContainsFunc(frames, func(f step.Frame) bool { return f.Op == "delete" })
	})
	before := heads(run.Steps().Waiting)
	hold := time.NewTimer(*stepHold)
	defer hold.Stop()
	select {
	case <-hold.C:
	case <-run.Done():
		t.Fatal("the run has ended")
	}
	if after := heads(run.Steps().Waiting); !slices.Equal(before, after) {
		t.Errorf("after %v there waits %v, before it was %v", *stepHold, after, before)
	}
	run.keptSessions()
	run.command(step.Command{Do: step.Off})
	run.untilCount(20, event.LockReleased)
	run.keptSessions()
	run.finish()
	run.verdicts(nil)
}

// toTheDelete has client 1 come to its release, and client 2 to a reply.
func (w *watched) toTheDelete() {
	w.t.Helper()
	of := func(client int) step.Frame {
		frames := w.waiting("a frame of the client", func(frames []step.Frame) bool {
			return slices.ContainsFunc(frames, func(f step.Frame) bool { return f.Client == client })
		})
		return frames[slices.IndexFunc(frames, func(f step.Frame) bool { return f.Client == client })]
	}
	for f := of(1); f.Op != "delete"; f = of(1) {
		w.deliver(f)
	}
	w.deliver(of(2))
}

func (w *watched) deliver(f step.Frame) {
	w.t.Helper()
	w.command(step.Command{Do: step.Deliver, Lane: f.Lane, Client: f.Client, Dir: f.Dir, Frame: f.Frame})
}

func (w *watched) keptSessions() {
	w.t.Helper()
	for _, e := range w.all() {
		switch e.Kind {
		case event.SessionSuspended, event.SessionLost, event.SessionRefused, event.LockLost:
			w.t.Errorf("event %d: client %d: %s: %s", e.Seq, e.Client, e.Kind, e.Why)
		}
	}
}

func TestStepCommands(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), stepped(2))
	frame := run.waiting("something to deliver", some)[0]
	good := step.Command{Do: step.Deliver, Lane: frame.Lane, Client: frame.Client, Dir: frame.Dir, Frame: frame.Frame}
	changed := func(change func(*step.Command)) step.Command {
		c := good
		change(&c)
		return c
	}
	tests := []struct {
		name    string
		command step.Command
		want    error
	}{
		{"nothing", step.Command{}, step.ErrCommand},
		{"unknown", step.Command{Do: "jump"}, step.ErrCommand},
		{"no lane", changed(func(c *step.Command) { c.Lane = "" }), step.ErrCommand},
		{"unknown lane", changed(func(c *step.Command) { c.Lane = "x" }), step.ErrCommand},
		{"next in an unknown lane", step.Command{Do: step.Next, Lane: "x"}, step.ErrCommand},
		{"client 0", changed(func(c *step.Command) { c.Client = 0 }), step.ErrNoClient},
		{"client 3", changed(func(c *step.Command) { c.Client = 3 }), step.ErrNoClient},
		{"no direction", changed(func(c *step.Command) { c.Dir = "" }), step.ErrCommand},
		{"other direction", changed(func(c *step.Command) { c.Dir = event.In }), step.ErrNoFrame},
		{"frame 0", changed(func(c *step.Command) { c.Frame = 0 }), step.ErrCommand},
		{"frame to come", changed(func(c *step.Command) { c.Frame = 1e6 }), step.ErrNoFrame},
		{"frame gone", changed(func(c *step.Command) { c.Frame = 1 }), step.ErrNoFrame}, // the handshake
		{"drop of nothing", changed(func(c *step.Command) { c.Do, c.Frame = step.Drop, 1e6 }), step.ErrNoFrame},
		{"next with a frame", changed(func(c *step.Command) { c.Do = step.Next }), step.ErrCommand},
		{"off in one lane", step.Command{Do: step.Off, Lane: frame.Lane}, step.ErrCommand},
	}
	for _, test := range tests {
		if _, err := run.Step(t.Context(), test.command); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	if _, steps := run.Describe().Step, run.Describe().Steps; steps != 0 {
		t.Errorf("they were %d steps", steps)
	}
	run.command(good)
	run.refuse("the same again", good, step.ErrNoFrame)
	run.command(step.Command{Do: step.Off})
	run.refuse("flowing", good, step.ErrNotStepping)
	run.refuse("next when flowing", step.Command{Do: step.Next}, step.ErrNotStepping)
	run.refuse("all when flowing", step.Command{Do: step.All}, step.ErrNotStepping)
	run.command(step.Command{Do: step.Off})
	run.untilCount(10, event.LockReleased)
	run.command(step.Command{Do: step.On})
	run.command(step.Command{Do: step.On})
	run.waiting("something after the network flowed", some)
	run.command(step.Command{Do: step.All})
	if _, whole := run.Script(); whole {
		t.Error("a script that began later is said to be whole")
	}
	run.finish()
	run.refuse("finished", step.Command{Do: step.On}, client.ErrNotRunning)
	run.verdicts(nil)
	run.heldTold(true, false, true, false)
}

// heldTold checks what the notes say in turn of whether the network is held.
func (w *watched) heldTold(want ...bool) {
	w.t.Helper()
	var got []bool
	for _, e := range w.all() {
		if e.Kind == event.NoteStep {
			got = append(got, e.Held)
		}
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("the log says that the network is held: %v, want %v", got, want)
	}
}

func (w *watched) refuse(what string, c step.Command, want error) {
	w.t.Helper()
	if _, err := w.Step(w.t.Context(), c); !errors.Is(err, want) {
		w.t.Errorf("%s: %v, want %v", what, err, want)
	}
}
