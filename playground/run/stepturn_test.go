package run_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestFaultTakesItsTurn: a fault that comes while a frame's answer is awaited
// stands after the frame in the script.
func TestFaultTakesItsTurn(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), stepped(1))
	run.waiting("something to deliver", some)
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "partition", Client: 1}))
	stepped := make(chan error, 1)
	go func() {
		_, err := run.Step(t.Context(), step.Command{Do: step.Next})
		stepped <- err
	}()
	run.waiting("the frame has gone", func(frames []step.Frame) bool { return len(frames) == 0 })
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "heal", Client: 1}))
	run.must(<-stepped)
	var script []string
	for _, step := range slices.Concat(run.Steps().Script...) {
		script = append(script, step.Name+step.Deliver)
	}
	if len(script) != 3 || script[0] != "partition" || script[2] != "heal" {
		t.Errorf("the script is %q, want the frame between the faults", script)
	}
}

// TestStepOfAnEndedRequest delivers nothing: nobody would wait for the answers.
func TestStepOfAnEndedRequest(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), stepped(3))
	before := run.waiting("a frame of each", func(frames []step.Frame) bool { return len(frames) == 3 })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run.Step(ctx, step.Command{Do: step.All}); !errors.Is(err, context.Canceled) {
		t.Errorf("the step says %v", err)
	}
	if after := run.Steps(); !slices.Equal(heads(after.Waiting), heads(before)) || len(after.Script) != 0 {
		t.Errorf("there wait %v after %v, it was %v", heads(after.Waiting), after.Script, heads(before))
	}
}

// TestFaultOfAnEndedRequest does nothing to the clients, whether the network flows, is
// held, or another command has its turn: whoever asked for it was told that it failed.
func TestFaultOfAnEndedRequest(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		scenario scenario.Scenario
		before   func(*watched) (after func())
	}{
		"flows": {fast("mutex", 2), func(*watched) func() { return func() {} }},
		"held":  {stepped(2), func(*watched) func() { return func() {} }},
		"turn":  {stepped(2), (*watched).keepTurn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := start(t, zktest.Start(t), test.scenario)
			after := test.before(run)
			for _, fault := range []string{"crash", "close", "pause", "expire"} {
				if err := run.Inject(ended, scenario.Fault{Name: fault, Client: 1}); !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v, want that the request has ended", fault, err)
				}
			}
			after()
			run.finish()
			for _, e := range run.all() {
				if e.Kind == event.FaultInjected && e.Client == 1 {
					t.Errorf("event %d: %s was injected", e.Seq, e.Fault)
				}
			}
		})
	}
}

// keepTurn delivers a frame of client 2 that cannot arrive, so that a command waits for
// its answer. After returns when it does no more.
func (w *watched) keepTurn() (after func()) {
	w.t.Helper()
	w.waiting("a frame of each", func(frames []step.Frame) bool { return len(heads(frames)) == 2 })
	w.must(w.Inject(w.t.Context(), scenario.Fault{Name: "partition", Client: 2}))
	of2 := func(f step.Frame) bool { return f.Client == 2 }
	frames := w.Steps().Waiting
	f := frames[slices.IndexFunc(frames, of2)]
	stepped := make(chan error, 1)
	go func() {
		_, err := w.Step(w.t.Context(), step.Command{Do: step.Deliver, Lane: f.Lane, Client: f.Client, Dir: f.Dir, Frame: f.Frame})
		stepped <- err
	}()
	w.waiting("the frame has gone", func(frames []step.Frame) bool { return !slices.ContainsFunc(frames, of2) })
	return func() { w.t.Helper(); w.must(<-stepped) }
}

// TestChangedTellsTheState: a run that ends in step mode is not said to run
// again.
func TestChangedTellsTheState(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	var states []event.State
	told := make(chan event.State, 1000)
	run := startWith(t, run.Config{Backend: run.Backend{Servers: []string{server.Address()}},
		Base: server.Root(t) + "/playground", Room: "test", ID: "run", Scenario: stepped(1), Changed: func(s event.State) { told <- s }})
	run.waiting("something to deliver", some)
	run.command(step.Command{Do: step.Next})
	run.finish()
	for close(told); len(told) > 0; {
		states = append(states, <-told)
	}
	ending := slices.Index(states, event.Stopping)
	if ending < 1 || slices.Contains(states[ending:], event.Running) {
		t.Errorf("the states told are %v", states)
	}
}

// TestPlainKnowsWhose: each znode is said to be of the client that queues by it,
// however many ask at the same time.
func TestPlainKnowsWhose(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), fast("plain", 10))
	run.untilCount(150, event.LockAcquired)
	run.finish()
	made := make(map[string]int)
	queued := 0
	for _, e := range run.all() {
		if e.Kind == event.TreeCreated {
			made[e.Path] = e.Client
		}
	}
	for _, e := range run.all() {
		if e.Kind != event.LockEnqueued {
			continue
		}
		queued++
		if made[e.Path] != e.Client {
			t.Errorf("client %d queues by %s, which is said to be of client %d", e.Client, e.Path, made[e.Path])
		}
	}
	if queued < 100 {
		t.Errorf("they queued %d times only", queued)
	}
}
