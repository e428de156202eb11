package run_test

import (
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// overlap is the longest time for which two clients of a lane believed that
// they held, when both have learned the truth.
func overlap(events []event.Event, lane string) time.Duration {
	longest := int64(0)
	since := make(map[int]int64)
	for _, e := range events {
		switch {
		case e.Lane != lane:
		case e.Kind == event.LockAcquired:
			since[e.Client] = e.At
		case e.Kind == event.FaultInjected && e.Fault == "crash" || e.Kind == event.SessionClosed:
			delete(since, e.Client) // it believes nothing any more
		case e.Kind == event.LockReleased || e.Kind == event.LockLost:
			began, held := since[e.Client]
			delete(since, e.Client)
			for _, other := range since {
				if held {
					longest = max(longest, e.At-max(began, other))
				}
			}
		}
	}
	return micros(longest)
}

// excuses says whether two clients of a lane held at once for no longer than
// this process stood still. A client's clock and the server's end a session at
// most a tick apart, at worst a millisecond: one that gets no processor then is
// late, whatever it does.
func (m *stallMeter) excuses(t *testing.T, events []event.Event, lane string) bool {
	t.Helper()
	late, stood := overlap(events, lane), m.total()
	if late == 0 || late > stood {
		return false
	}
	t.Logf("lane %s: two held for %v, the process stood still for %v", lane, late, stood)
	return true
}

func TestOverlap(t *testing.T) {
	of := func(at int64, client int, kind event.Kind) event.Event {
		return event.Event{At: at, Lane: "a", Client: client, Kind: kind}
	}
	tests := []struct {
		name   string
		events []event.Event
		want   time.Duration
	}{
		{"one after the other", []event.Event{of(1, 1, event.LockAcquired), of(5, 1, event.LockReleased), of(5, 2, event.LockAcquired), of(9, 2, event.LockLost)}, 0},
		{"a late loss", []event.Event{of(1, 1, event.LockAcquired), of(5, 2, event.LockAcquired), of(8, 1, event.LockLost), of(9, 2, event.LockReleased)}, 3 * time.Microsecond},
		{"the second ends first", []event.Event{of(1, 1, event.LockAcquired), of(5, 2, event.LockAcquired), of(7, 2, event.LockReleased), of(9, 1, event.LockLost)}, 2 * time.Microsecond},
		{"a crash", []event.Event{of(1, 1, event.LockAcquired), {At: 3, Lane: "a", Client: 1, Kind: event.FaultInjected, Fault: "crash"}, of(5, 2, event.LockAcquired), of(9, 2, event.LockReleased)}, 0},
		{"a loss that is told again", []event.Event{of(1, 1, event.LockAcquired), of(2, 2, event.LockLost)}, 0},
	}
	for _, test := range tests {
		if got := overlap(test.events, "a"); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if got := overlap(test.events, "b"); got != 0 {
			t.Errorf("%s: %v in a lane without events", test.name, got)
		}
	}
}
