package exercise_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/goal"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/site/exercise"
)

// TestPerformReadsTheLogOnce: however many waits there are, an event is read a few times at
// most. It counts what is allocated, which no load changes.
func TestPerformReadsTheLogOnce(t *testing.T) { // not parallel: it counts for the whole process
	const waits, most = 300, 8
	hurry := scenario.Scenario{Name: "hurry", Clients: 2, Session: scenario.Duration(30 * time.Second), Lanes: []scenario.Lane{{Name: "lane", Recipe: "mutex"}}}
	room, r := setting{T: t, scenario: hurry}.begin(nil)
	acts := make([]lessons.Act, waits)
	for i := range acts {
		acts[i].Wait = &goal.Pattern{Kind: event.LockReleased}
	}
	perform := func() {
		leave, err := exercise.Perform(t.Context(), room, acts, 0)
		leave()
		if err != nil {
			t.Fatal(err)
		}
	}
	perform() // they have come, and nothing comes beside
	if err := room.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	reading := allocated(func() {
		for _, err := range r.Log().Events(1) {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if performing := allocated(perform); performing > most*reading {
		t.Errorf("%d waits allocate %d times, and reading the %d events once %d times", waits, performing, r.Log().Len(), reading)
	}
}

func allocated(by func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	by()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}
