package run_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestHerdAgainstPredecessor measures the difference that the project is about.
func TestHerdAgainstPredecessor(t *testing.T) {
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	given, err := shipped.Find("herd-vs-predecessor")
	if err != nil {
		t.Fatal(err)
	}
	given.Clients, given.Delay, given.Arrive, given.Session = 16, 0, milliseconds(100), milliseconds(30_000)
	given.Hold, given.Think = between(150, 250), between(10, 40) // time for all to be back
	run := start(t, zktest.Start(t), given)
	run.untilCount(50, event.LockAcquired)
	run.finish()
	summary := run.verdicts(nil)
	herd, predecessor := summary.Lanes[0], summary.Lanes[1]
	if each := perRelease(predecessor); each > 1.05 || predecessor.WastedWakeups != 0 {
		t.Errorf("predecessor: %.2f woken by a release, %d in vain; want at most 1.05, and none", each, predecessor.WastedWakeups)
	}
	if each := perRelease(herd); each < 10 || each > 15 {
		t.Errorf("herd: %.2f woken by a release, want at least 10 of the 15 others", each)
	}
	for _, lane := range summary.Lanes {
		if late := wokenByUntold(run.all(), lane.Name); lane.WakeupsUnexplained > late {
			t.Errorf("%s: of %d wake-ups it is not known what caused %d; %d were by what was told too late", lane.Name, lane.Wakeups, lane.WakeupsUnexplained, late)
		}
	}
	if herd.Requests < 3*predecessor.Requests {
		t.Errorf("the herd made %d requests, the other %d: no difference to show", herd.Requests, predecessor.Requests)
	}
}

// wokenByUntold is how many were woken since a change that was told only when the clients
// had been told to stop, and nothing was counted any more. On a quiet machine it is 0.
func wokenByUntold(events []event.Event, lane string) (woken int64) {
	stop := slices.IndexFunc(events, func(e event.Event) bool { return e.Kind == event.NoteStopping })
	toldLate := func(kind event.Kind, path string) bool {
		return slices.ContainsFunc(events[stop:], func(e event.Event) bool {
			return e.Kind == kind && e.Lane == lane && strings.HasPrefix(e.Path, path) // a create asks without the number
		})
	}
	untold := false
	for _, e := range events[:stop] {
		switch {
		case e.Lane != lane:
		case e.Kind == event.WireSent && e.Op == "delete":
			untold = untold || toldLate(event.TreeDeleted, e.Path)
		case e.Kind == event.WireSent && e.Op == "create":
			untold = untold || toldLate(event.TreeCreated, e.Path)
		case e.Kind == event.LockWoken && untold:
			woken++
		}
	}
	return woken
}

func perRelease(l check.Lane) float64 {
	return float64(l.Rounds.Wakeups) / float64(max(l.Rounds.Complete, 1))
}

// TestLanesShareArrivals: a comparison is fair when both lanes get the same clients.
func TestLanesShareArrivals(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 6)
	given.Lanes = append(given.Lanes, scenario.Lane{Name: "other", Recipe: "herd"})
	given.Arrive = milliseconds(600)
	stalls := watchStalls(t)
	run := start(t, zktest.Start(t), given)
	run.untilCount(2*given.Clients, event.SessionGranted)
	run.finish()
	late := stalls.slack().Microseconds()
	arrivals, others := retell(run.all(), "lane").arrivals, retell(run.all(), "other").arrivals
	for client := range given.Clients {
		if at, other := arrivals[client+1], others[client+1]; at == 0 || !near(at, other, late) {
			t.Errorf("client %d arrived at %d and %d microseconds, want the same in both lanes", client+1, at, other)
		}
	}
}
