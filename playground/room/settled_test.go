package room_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// heads are the frames that may be delivered, without what differs from run to run.
func heads(run *run.Run) []string {
	var heads []string
	for _, f := range run.Steps().Waiting {
		if f.First {
			heads = append(heads, fmt.Sprintf("%s/%d %s %s", f.Lane, f.Client, f.Dir, f.Op))
		}
	}
	slices.Sort(heads)
	return heads
}

// waiting returns the heads once there are so many.
func (h *house) waiting(run *run.Run, n int) []string {
	h.Helper()
	ctx := within(h)
	for {
		next := run.Log().Len() + 1
		if heads := heads(run); len(heads) == n {
			return heads
		}
		if err := run.Log().Wait(ctx, next); err != nil {
			h.Fatalf("there wait %v, not %d: %v", heads(run), n, err)
		}
	}
}

// quiet says whether no client will do anything before a frame is delivered:
// each has one that waits, or waits for the lock itself.
func (h *house) quiet(run *run.Run) bool {
	h.Helper()
	idle := make(map[string]bool)
	for e, err := range run.Log().Events(1) {
		if err != nil {
			h.Fatal(err)
		}
		if strings.HasPrefix(string(e.Kind), "lock.") {
			idle[fmt.Sprintf("%s/%d", e.Lane, e.Client)] = e.Kind == event.LockWaiting
		}
	}
	for _, f := range run.Steps().Waiting {
		idle[fmt.Sprintf("%s/%d", f.Lane, f.Client)] = true
	}
	for _, lane := range run.Describe().Lanes {
		for number := range lane.Clients {
			if !idle[fmt.Sprintf("%s/%d", lane.Name, number+1)] {
				return false
			}
		}
	}
	return true
}

// synced says whether the server has answered a question that was asked after
// all else that the log has: what it had to say to others by then, it has said.
func (h *house) synced(run *run.Run) bool {
	h.Helper()
	last, asked := int64(0), int64(-1)
	for e, err := range run.Log().Events(1) {
		if err != nil {
			h.Fatal(err)
		}
		switch {
		case e.Kind == event.TreeSynced:
			asked = e.Sent
		case !e.Kind.Follows():
			last = e.At
		}
	}
	return asked >= last
}

// settled returns the heads once no client will add to them by itself, the
// server has nothing more to say, and they have been the same for so many
// looks: what it has said to others takes its time through this process.
func (h *house) settled(run *run.Run) []string {
	h.Helper()
	last, same := heads(run), 0
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := within(h)
	for same < 20 || !h.quiet(run) || !h.synced(run) {
		select {
		case <-tick.C:
			same++
		case <-deadline.Done():
			h.Fatalf("what waits does not settle: %v", last)
		}
		if now := heads(run); !slices.Equal(now, last) {
			last, same = now, 0
		}
	}
	return last
}

// awaitNote waits for a note of step mode that begins like that.
func awaitNote(h *house, run *run.Run, begins string) {
	h.Helper()
	await(h, run, func(e event.Event) bool { return e.Kind == event.NoteStep && strings.HasPrefix(e.Why, begins) })
}

func steppedQuick(clients int) scenario.Scenario {
	s := quick(clients)
	s.Step = true
	s.Lanes = append(s.Lanes, scenario.Lane{Name: "herd", Title: "Herd", Recipe: "herd"})
	return s
}
