package run_test

import (
	"path"
	"slices"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A believed hold is what a client believes that it holds by, and since when.
type believedHold struct {
	path string
	at   int64
	read bool
}

// overlap is the longest time for which more clients of a lane than may believed
// that they held a lock of it, when all of them have learned the truth. Readers may
// share.
func overlap(events []event.Event, lane event.Lane) time.Duration {
	longest := int64(0)
	for _, dir := range lane.Directories() {
		longest = max(longest, overlapIn(events, lane, dir))
	}
	return micros(longest)
}

func overlapIn(events []event.Event, lane event.Lane, dir string) int64 {
	longest := int64(0)
	holds := make(map[int]believedHold)
	for _, e := range events {
		switch {
		case e.Lane != lane.Name:
		case len(lane.Locks) > 0 && e.Path != "" && path.Dir(e.Path) != dir: // of another lock
		case e.Kind == event.LockAcquired:
			holds[e.Client] = believedHold{e.Path, e.At, e.Mode == "read"}
		case e.Kind == event.FaultInjected && (e.Fault == "crash" || e.Fault == "close") || e.Kind == event.SessionClosed:
			delete(holds, e.Client) // it believes nothing any more
		case e.Kind == event.LockReleased || e.Kind == event.LockLost:
			held, ok := holds[e.Client]
			if !ok || e.Path != "" && e.Path != held.path { // else it is told late, of a former znode
				continue
			}
			delete(holds, e.Client)
			if others := held.excludes(holds); len(others) >= lane.MostHolders() {
				longest = max(longest, e.At-max(held.at, others[lane.MostHolders()-1]))
			}
		}
	}
	return longest
}

// excludes returns since when those believe that they hold who may not beside h, the
// first in front.
func (h believedHold) excludes(holds map[int]believedHold) (others []int64) {
	for _, other := range holds {
		if !h.read || !other.read {
			others = append(others, other.at)
		}
	}
	slices.Sort(others)
	return others
}

// excuses says whether too many clients of a lane held at once, and for no longer than
// this process stood still. A client's clock and the server's end a session at
// most a tick apart, at worst a millisecond: one that gets no processor then is
// late, whatever it does.
func (m *stallMeter) excuses(t *testing.T, events []event.Event, lane event.Lane) bool {
	t.Helper()
	late, stood := overlap(events, lane), m.total()
	if late == 0 || late > stood {
		return false
	}
	t.Logf("lane %s: too many held for %v, the process stood still for %v", lane.Name, late, stood)
	return true
}

func TestOverlap(t *testing.T) {
	of := func(at int64, client int, kind event.Kind) event.Event {
		return event.Event{At: at, Lane: "a", Client: client, Kind: kind}
	}
	reader := func(at int64, client int, kind event.Kind) event.Event {
		e := of(at, client, kind)
		e.Mode = "read"
		return e
	}
	by := func(path string, e event.Event) event.Event { e.Path = path; return e }
	tests := []struct {
		name   string
		events []event.Event
		want   time.Duration
	}{
		{"one after the other", []event.Event{of(1, 1, event.LockAcquired), of(5, 1, event.LockReleased), of(5, 2, event.LockAcquired), of(9, 2, event.LockLost)}, 0},
		{"a late loss", []event.Event{of(1, 1, event.LockAcquired), of(5, 2, event.LockAcquired), of(8, 1, event.LockLost), of(9, 2, event.LockReleased)}, 3 * time.Microsecond},
		{"the second ends first", []event.Event{of(1, 1, event.LockAcquired), of(5, 2, event.LockAcquired), of(7, 2, event.LockReleased), of(9, 1, event.LockLost)}, 2 * time.Microsecond},
		{"a crash", []event.Event{of(1, 1, event.LockAcquired), {At: 3, Lane: "a", Client: 1, Kind: event.FaultInjected, Fault: "crash", Effects: []event.Effect{event.EndsProcess, event.LeavesSession}}, of(5, 2, event.LockAcquired), of(9, 2, event.LockReleased)}, 0},
		{"two readers", []event.Event{reader(1, 1, event.LockAcquired), reader(2, 2, event.LockAcquired), reader(9, 1, event.LockReleased), reader(9, 2, event.LockReleased)}, 0},
		{"a reader and a writer", []event.Event{reader(1, 1, event.LockAcquired), of(2, 2, event.LockAcquired), reader(9, 1, event.LockReleased), of(9, 2, event.LockReleased)}, 7 * time.Microsecond},
		{"a loss of a former znode", []event.Event{by("a", of(1, 1, event.LockAcquired)), by("b", of(3, 1, event.LockAcquired)), by("a", of(4, 1, event.LockLost)), of(5, 2, event.LockAcquired), by("b", of(8, 1, event.LockReleased))}, 3 * time.Microsecond},
		{"a loss that is told again", []event.Event{of(1, 1, event.LockAcquired), of(2, 2, event.LockLost)}, 0},
	}
	for _, test := range tests {
		if got := overlap(test.events, event.Lane{Name: "a"}); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if got := overlap(test.events, event.Lane{Name: "b"}); got != 0 {
			t.Errorf("%s: %v in a lane without events", test.name, got)
		}
	}
	three := []event.Event{of(1, 1, event.LockAcquired), of(3, 2, event.LockAcquired), of(6, 3, event.LockAcquired), of(8, 1, event.LockReleased), of(9, 2, event.LockReleased)}
	for permits, want := range []time.Duration{5 * time.Microsecond, 5 * time.Microsecond, 2 * time.Microsecond, 0} {
		if got := overlap(three, event.Lane{Name: "a", Permits: permits}); got != want {
			t.Errorf("%d permits: %v, want %v", permits, got, want)
		}
	}
	two := event.Lane{Name: "a", Locks: []string{"/one", "/two"}}
	locks := []event.Event{by("/one/n", of(1, 1, event.LockAcquired)), by("/two/n", of(2, 2, event.LockAcquired)), by("/two/n", of(8, 2, event.LockReleased)), by("/one/n", of(9, 1, event.LockReleased))}
	if got := overlap(locks, two); got != 0 {
		t.Errorf("two locks: %v", got)
	}
	locks[1], locks[2] = by("/one/m", locks[1]), by("/one/m", locks[2])
	if got, want := overlap(locks, two), 6*time.Microsecond; got != want {
		t.Errorf("the same of two locks: %v, want %v", got, want)
	}
}
