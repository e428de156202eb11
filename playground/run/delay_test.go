package run_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestDelay: a frame is under way for as long as the scenario says, each way,
// and a change takes effect at once.
func TestDelay(t *testing.T) {
	t.Parallel()
	const slow, quick = 120 * time.Millisecond, 20 * time.Millisecond
	given := fast("mutex", 2)
	given.Delay = scenario.Duration(slow)
	run := start(t, zktest.Start(t), given)
	reply := func(e event.Event) bool { return e.Kind == event.WireReceived && e.Op == "create" }
	if latency := micros(run.until("a create's reply", reply).Latency); latency < 2*slow {
		t.Errorf("with %v each way a create took %v", slow, latency)
	}
	run.must(run.SetDelay(quick))
	if got := run.Describe().Delay; got != "20ms" {
		t.Errorf("the run says that its delay is %s", got)
	}
	run.until("a quick reply", func(e event.Event) bool {
		return reply(e) && micros(e.Latency) >= 2*quick && micros(e.Latency) < 2*slow
	})
	run.untilCount(2, event.LockAcquired)
	if err := run.SetDelay(scenario.MaxDelay + 1); !errors.Is(err, scenario.ErrInvalid) {
		t.Errorf("a delay out of range: %v", err)
	}
	run.finish()
	run.verdicts(nil)
	if err := run.SetDelay(quick); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("a delay after the end: %v", err)
	}
	stages(t, run.all())
	run.delaysTold(slow, quick, 0)
}

// TestDelayTold: whatever changes the delay at the same time, what the log says last
// is what the links do.
func TestDelayTold(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), fast("mutex", 2))
	var changing sync.WaitGroup
	for i := range 8 {
		changing.Go(func() {
			for j := range 5 {
				if err := run.SetDelay(time.Duration(1+5*i+j) * time.Millisecond); err != nil {
					t.Error(err)
				}
			}
		})
	}
	changing.Wait()
	told := run.delays()
	if last, now := told[len(told)-1], run.Describe().Delay; len(told) != 1+8*5 || last.String() != now {
		t.Errorf("of %d notes the last says %v, the links have %s", len(told), last, now)
	}
	run.must(run.SetDelay(0))
	run.finish()
	if told := run.delays(); told[len(told)-1] != 0 || len(told) != 1+8*5+1 {
		t.Errorf("the notes say %v", told)
	}
}

// delays are what the notes say of the delay, in order.
func (w *watched) delays() []time.Duration {
	w.t.Helper()
	var delays []time.Duration
	for _, e := range w.all() {
		if e.Kind == event.NoteDelay {
			delays = append(delays, micros(e.Delay))
		}
	}
	return delays
}

// delaysTold checks that the notes say these delays, the first one before any frame.
func (w *watched) delaysTold(want ...time.Duration) {
	w.t.Helper()
	if got := w.delays(); !slices.Equal(got, want) {
		w.t.Errorf("the log says that the delay is %v, want %v", got, want)
	}
	first := slices.IndexFunc(w.all(), func(e event.Event) bool { return e.Kind == event.NoteDelay || e.Op != "" })
	if e := w.all()[first]; e.Kind != event.NoteDelay {
		w.t.Errorf("event %d, %s, stands before the first delay", e.Seq, e.Kind)
	}
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// stages checks that a delayed frame was seen at both ends of its way, no
// sooner than it was due.
func stages(t *testing.T, log []event.Event) {
	t.Helper()
	type frame struct {
		client int
		dir    event.Direction
		number int64
	}
	// The end of a run lifts the delay.
	ending := slices.IndexFunc(log, func(e event.Event) bool { return e.Kind == event.NoteStopping })
	due := make(map[frame]int64)
	arrived := 0
	for _, e := range log[:ending] {
		switch {
		case e.Kind == event.WireSent && e.Due > 0:
			due[frame{e.Client, event.Out, e.Frame}] = e.Due
		case e.Kind == event.WireHeld && e.Dir == event.In && e.Due > 0:
			due[frame{e.Client, event.In, e.Frame}] = e.Due
		case e.Kind == event.WireDelivered || e.Kind == event.WireReceived:
			dir := event.In
			if e.Kind == event.WireDelivered {
				dir = event.Out
			}
			if when, ok := due[frame{e.Client, dir, e.Frame}]; ok {
				arrived++
				if e.At < when-2000 {
					t.Errorf("event %d: a frame due at %d arrived at %d", e.Seq, when, e.At)
				}
			}
		}
	}
	if arrived == 0 {
		t.Error("no delayed frame was seen to arrive")
	}
}
