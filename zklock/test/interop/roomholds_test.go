package interop

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// heldBelow is where a guest asks for a znode while it holds: HELD/LOCK/NAME. It asks
// twice, so it holds at least from the first question to the second answer.
const heldBelow = "/held/"

// A hold is such a time, by events of the log.
type hold struct {
	who, lock string
	client    int
	node      string // by which it holds, where that is in the lane's lock directory
	from, to  int64
}

// excludes says whether two holds exclude each other: both are of one lock, and not both
// shared.
func (h hold) excludes(other hold) bool {
	const shared = "-shared"
	one, reads := strings.CutSuffix(h.lock, shared)
	another, alsoReads := strings.CutSuffix(other.lock, shared)
	return one == another && !(reads && alsoReads)
}

type holds []hold

// holdsOf finds them in a log, those of simulated clients too.
func holdsOf(log []event.Event, lane event.Lane) (all holds) {
	nodes := make(map[int]string) // the newest of each client in the lock directory
	asked := make(map[string]int) // how often somebody has asked, by path
	begun := make(map[string]hold)
	for _, e := range log {
		name, held := strings.CutPrefix(e.Path, lane.Root+heldBelow)
		switch {
		case e.Kind == event.WireReceived && e.Op == "create" && e.Err == "" && path.Dir(e.Path) == lane.Path:
			nodes[e.Client] = e.Path
		case held && e.Kind == event.WireSent && asked[name]%2 == 0:
			lock, who, _ := strings.Cut(name, "/")
			begun[name] = hold{who: who, lock: lock, client: e.Client, node: nodes[e.Client], from: e.Seq}
			asked[name]++
		case held && e.Kind == event.WireSent:
			asked[name]++
		case held && e.Kind == event.WireReceived && asked[name]%2 == 0:
			h := begun[name]
			h.to = e.Seq
			all = append(all, h)
		case e.Kind == event.LockAcquired:
			begun[e.Path] = hold{who: "simulated", lock: "lock", client: e.Client, node: e.Path, from: e.Seq}
		case e.Kind == event.LockReleased:
			h := begun[e.Path]
			h.to = e.Seq
			all = append(all, h)
		}
	}
	return all
}

func (all holds) count(who, lock string) (n int) {
	for _, h := range all {
		if h.who == who && h.lock == lock {
			n++
		}
	}
	return n
}

// judge fails the test if two held at once that exclude each other, or if the guests and
// the simulated clients did not take turns.
func (all holds) judge(t *testing.T) {
	t.Helper()
	slices.SortFunc(all, func(a, b hold) int { return int(a.from - b.from) })
	mixed, last := 0, hold{}
	for i, h := range all {
		for _, other := range all[i+1:] {
			if other.from < h.to && h.excludes(other) {
				t.Errorf("%s holds %s from event %d to %d, and %s from %d on", h.who, h.lock, h.from, h.to, other.who, other.from)
			}
		}
		if h.lock == "lock" {
			if (h.who == "simulated") != (last.who == "simulated") && last.who != "" {
				mixed++
			}
			last = h
		}
	}
	t.Logf("%d holds, the lock went %d times from a guest to a simulated client or back", len(all), mixed)
	if mixed < visits {
		t.Errorf("the lock went %d times from a guest to a simulated client or back, want %d at least", mixed, visits)
	}
}

// recheck lets the playground's checks judge the log once more, with what is known now of
// the guests' holds told as their own.
func recheck(t *testing.T, run event.Run, log []event.Event, all holds) {
	t.Helper()
	told := make(map[int64][]event.Event)
	guests := 0
	for _, h := range all {
		if h.lock != "lock" || h.who == "simulated" {
			continue
		}
		guests++
		told[h.from] = append(told[h.from], event.Event{Kind: event.LockAcquired, Lane: run.Lanes[0].Name, Client: h.client, Path: h.node})
		told[h.to] = append(told[h.to], event.Event{Kind: event.LockReleased, Lane: run.Lanes[0].Name, Client: h.client, Path: h.node})
	}
	run.Lanes = slices.Clone(run.Lanes)
	run.Lanes[0].Clients = 1000 // they are all clients now
	checker := check.New(run)
	for _, e := range log {
		checker.Apply(e)
		for _, more := range told[e.Seq] {
			more.Seq, more.At = e.Seq, e.At
			checker.Apply(more)
		}
	}
	lane := checker.Summary().Lanes[0]
	for _, v := range lane.Verdicts {
		if slices.Contains([]string{"mutual-exclusion", "belief", "fifo"}, v.Check) {
			t.Logf("with %d holds of guests: %s %s: %s", guests, v.Check, v.Verdict, v.Why)
			if v.Verdict != event.Holds {
				t.Errorf("with the guests' holds %s is %s: %s", v.Check, v.Verdict, v.Why)
			}
		}
	}
}
