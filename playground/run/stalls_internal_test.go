package run

import (
	"slices"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// TestStallIsToldWithItsLength: a sleep that lasts too long is told with how much too
// long it was, one that is a little late is not, and the time that it takes to tell it
// is no stall.
func TestStallIsToldWithItsLength(t *testing.T) {
	var at time.Duration
	late := []time.Duration{0, stallBound - time.Millisecond, 2100 * time.Millisecond, 0, stallBound}
	sleep := func(d time.Duration) bool {
		if len(late) == 0 {
			return false
		}
		at += d + late[0]
		late = late[1:]
		return true
	}
	var told []int64
	watchStalls(func() time.Duration { return at }, sleep, func(e event.Event) {
		if e.Kind != event.NoteStalled {
			t.Errorf("told %s", e.Kind)
		}
		told = append(told, e.For)
		at += time.Minute
	})
	if want := []int64{2100, stallBound.Milliseconds()}; !slices.Equal(told, want) {
		t.Errorf("told stalls of %v ms, want %v", told, want)
	}
}
