package run_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A retelling is what the seed decides of one lane of a run.
type retelling struct {
	arrivals map[int]int64 // by client, in microseconds
	faults   []told
	holds    map[int][]int64 // the first few of each client
}

// told is a fault as the log tells it.
type told struct {
	Fault  string
	Client int
	For    int64
	at     int64
}

// TestSameSeedSameFaults: two runs of the same seed, and the two lanes of each,
// get the same clients at the same time, the same faults, and the same holds.
func TestSameSeedSameFaults(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	stalls := watchStalls(t)
	var tales []retelling
	for _, name := range []string{"one", "two"} {
		t.Run(name, func(t *testing.T) {
			run := start(t, server, seeded())
			run.untilCount(2*len(seeded().Faults), event.FaultHealed)
			run.untilHeld(seeded(), comparedHolds)
			run.finish()
			for _, lane := range []string{"mutex", "herd"} {
				tales = append(tales, retell(run.all(), lane))
			}
		})
	}
	late := stalls.slack().Microseconds()
	for _, other := range tales[1:] {
		if difference := gocmp.Diff(tales[0].faults, other.faults, gocmp.FilterPath(func(p gocmp.Path) bool {
			return p.Last().String() == ".at"
		}, gocmp.Ignore())); difference != "" {
			t.Errorf("the faults differ:\n%s", difference)
		}
		for i := range min(len(tales[0].faults), len(other.faults)) {
			if !near(tales[0].faults[i].at, other.faults[i].at, late) {
				t.Errorf("fault %d came at %d and %d", i, tales[0].faults[i].at, other.faults[i].at)
			}
		}
		tales[0].compare(t, other, late)
	}
}

// seeded is a scenario that leaves much to the seed.
func seeded() scenario.Scenario {
	s := fast("mutex", 4)
	s.Lanes = []scenario.Lane{{Name: "mutex", Recipe: "mutex"}, {Name: "herd", Recipe: "herd"}}
	s.Seed, s.Arrive, s.Hold, s.Think = 42, milliseconds(500), between(5, 120), between(0, 50)
	for _, fault := range []string{"slow", "slow", "lose-reply"} {
		f := scenario.ScheduledFault{At: milliseconds(700 + 900*len(s.Faults)), Spread: milliseconds(500), Fault: scenario.Fault{Name: fault, Client: -1, Parameters: scenario.Parameters{For: milliseconds(200)}}}
		if fault == "slow" {
			f.Delay = milliseconds(10)
		}
		s.Faults = append(s.Faults, f)
	}
	return s
}

const comparedHolds = 3

// untilHeld reads the log until every client of each lane has held so often.
func (w *watched) untilHeld(s scenario.Scenario, times int) {
	w.t.Helper()
	released := make(map[string]int)
	full := 0
	w.rewound().until("every client has held", func(e event.Event) bool {
		if who := fmt.Sprint(e.Lane, e.Client); e.Kind == event.LockReleased {
			if released[who]++; released[who] == times {
				full++
			}
		}
		return full == len(s.Lanes)*s.Clients
	})
}

func retell(log []event.Event, lane string) retelling {
	tale := retelling{arrivals: make(map[int]int64), holds: make(map[int][]int64)}
	began := make(map[int]int64)
	for _, e := range log {
		if e.Lane != lane {
			continue
		}
		switch _, arrived := tale.arrivals[e.Client]; {
		case e.Kind == event.WireSent && e.Op == "connect" && !arrived:
			tale.arrivals[e.Client] = e.At
		case e.Kind == event.FaultInjected:
			tale.faults = append(tale.faults, told{e.Fault, e.Client, e.For, e.At})
		case e.Kind == event.LockAcquired:
			began[e.Client] = e.At
		case e.Kind == event.LockReleased && len(tale.holds[e.Client]) < comparedHolds:
			tale.holds[e.Client] = append(tale.holds[e.Client], e.At-began[e.Client])
		}
	}
	// A machine that stands still between two faults has both come at once.
	slices.SortStableFunc(tale.faults, func(a, b told) int {
		return cmp.Or(cmp.Compare(a.Fault, b.Fault), cmp.Compare(a.Client, b.Client))
	})
	return tale
}

func (r retelling) compare(t *testing.T, other retelling, late int64) {
	t.Helper()
	for client := range 4 {
		if !near(r.arrivals[client+1], other.arrivals[client+1], late) {
			t.Errorf("client %d arrived at %d and %d", client+1, r.arrivals[client+1], other.arrivals[client+1])
		}
		if !slices.EqualFunc(r.holds[client+1], other.holds[client+1], func(a, b int64) bool { return near(a, b, late/2) }) {
			t.Errorf("client %d held for %v and %v", client+1, r.holds[client+1], other.holds[client+1])
		}
	}
}

func near(a, b, within int64) bool { return max(a-b, b-a) <= within }
