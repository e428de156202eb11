package scenario_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

func TestPlanDependsOnSeedAndClientAlone(t *testing.T) {
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	given, err := shipped.Find("read-write")
	if err != nil {
		t.Fatal(err)
	}
	one, same, other := scenario.NewPlan(given, 3), scenario.NewPlan(given, 3), scenario.NewPlan(given, 4)
	if one.Arrival != same.Arrival || one.Arrival == other.Arrival {
		t.Errorf("arrivals %v %v %v", one.Arrival, same.Arrival, other.Arrival)
	}
	differs, writers := false, 0
	const turns = 2000
	for range turns {
		a, b, c := one.Next(), same.Next(), other.Next()
		if a != b {
			t.Fatalf("the same client differs: %+v %+v", a, b)
		}
		differs = differs || a != c
		if a.Write {
			writers++
		}
		if a.Hold < time.Duration(given.Hold.Min) || a.Hold > time.Duration(given.Hold.Max) {
			t.Fatalf("a hold of %v is outside %v", a.Hold, given.Hold)
		}
	}
	if !differs {
		t.Error("two clients have the same plan")
	}
	if share := float64(writers) / turns; share < 0.30 || share > 0.40 {
		t.Errorf("%.2f of the turns write, want about %v", share, given.Writers)
	}
}

func TestFaultPlan(t *testing.T) {
	drawn := scenario.ScheduledFault{At: scenario.Duration(time.Second), Spread: scenario.Duration(time.Second), Fault: scenario.Fault{Name: "crash", Client: -1}}
	fixed := scenario.ScheduledFault{At: scenario.Duration(3 * time.Second), Fault: scenario.Fault{Name: "expire", Client: 2}}
	planned := func(seed int64) []scenario.ScheduledFault {
		return scenario.PlanFaults(scenario.Scenario{Clients: 10, Seed: seed, Faults: []scenario.ScheduledFault{drawn, fixed, drawn, {Fault: scenario.Fault{Name: "restart"}}}})
	}
	clients := make(map[int]bool)
	for seed := range int64(200) {
		plan := planned(seed)
		if again := planned(seed); !reflect.DeepEqual(plan, again) {
			t.Fatalf("seed %d: %+v and then %+v", seed, plan, again)
		}
		if plan[1] != fixed || plan[3] != (scenario.ScheduledFault{Fault: scenario.Fault{Name: "restart"}}) {
			t.Errorf("seed %d changes what is fixed: %+v", seed, plan)
		}
		for _, f := range []scenario.ScheduledFault{plan[0], plan[2]} {
			if f.At < drawn.At || f.At > drawn.At+drawn.Spread || f.Client < 1 || f.Client > 10 || f.Spread != 0 {
				t.Errorf("seed %d draws %+v", seed, f)
			}
			clients[f.Client] = true
		}
		if plan[0].At == plan[2].At {
			t.Errorf("seed %d: two faults come at the same time", seed)
		}
	}
	if len(clients) != 10 {
		t.Errorf("only %d of 10 clients were drawn", len(clients))
	}
	given := scenario.Scenario{Clients: 10, Seed: 1, Faults: []scenario.ScheduledFault{drawn}}
	if scenario.PlanFaults(given)[0] == drawn || given.Faults[0] != drawn {
		t.Error("the scenario was changed, or not planned")
	}
}

// TestFirstReleaseFindsAllQueued: where releases are compared, everybody waits with
// a watch set before the first holder leaves, and who leaves is not back before all
// whom that woke wait again.
func TestFirstReleaseFindsAllQueued(t *testing.T) {
	const slack = 1400 * time.Millisecond // for a slow machine
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"herd-vs-predecessor", "herd", "predecessor"} {
		given, err := shipped.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for given.Seed = 1; given.Seed <= 10; given.Seed++ {
			first, last, hold := time.Hour, time.Duration(0), time.Duration(0)
			for client := range given.Clients {
				plan := scenario.NewPlan(given, client+1)
				turn := plan.Next()
				if plan.Arrival < first {
					first, hold = plan.Arrival, turn.Hold
				}
				last = max(last, plan.Arrival)
				if turn.Think < 350*time.Millisecond {
					t.Errorf("%s, seed %d: client %d is back in the queue after %v", name, given.Seed, client+1, turn.Think)
				}
			}
			// Both frames of a create and of a list come before the first holds and before
			// the last asks for its watch. A release takes as long to the server as that.
			if left := hold - (last - first); left < slack {
				t.Errorf("%s, seed %d: the last watch is set %v before the first release, want %v at least", name, given.Seed, left, slack)
			}
		}
	}
}

// TestPlanOfOneClient: what a scenario says of single clients goes before what it says
// of all, and changes nothing for the others.
func TestPlanOfOneClient(t *testing.T) {
	own := func(d time.Duration) *scenario.Range {
		return &scenario.Range{Min: scenario.Duration(d), Max: scenario.Duration(d)}
	}
	arrive := scenario.Duration(3 * time.Second)
	given := scenario.Scenario{Seed: 1, Clients: 3, Arrive: scenario.Duration(time.Second), Hold: *own(time.Second), Think: *own(time.Minute)}
	same := given
	given.Each = []scenario.ClientPlan{{Client: 2, Arrive: &arrive, Hold: own(5 * time.Second), Write: true, Timeout: scenario.Duration(time.Second), Try: true}}
	second := scenario.NewPlan(given, 2)
	want := scenario.Turn{Write: true, Hold: 5 * time.Second, Think: time.Minute, Timeout: time.Second, Try: true}
	if turn := second.Next(); turn != want || second.Arrival != 3*time.Second {
		t.Errorf("client 2 arrives at %v, and does %+v, want %+v", second.Arrival, turn, want)
	}
	for _, client := range []int{1, 3} {
		with, without := scenario.NewPlan(given, client), scenario.NewPlan(same, client)
		if with.Arrival != without.Arrival || with.Next() != without.Next() {
			t.Errorf("client %d does something else", client)
		}
	}
}

// TestPlansOfThreads: each thread has a plan of its own, the first that of a client
// with one, and a recipe without threads has one plan for all.
func TestPlansOfThreads(t *testing.T) {
	given := scenario.Scenario{Seed: 1, Clients: 3, Hold: scenario.Range{Max: scenario.Duration(time.Hour)},
		Each: []scenario.ClientPlan{{Client: 2, Threads: 3}}}
	plans := scenario.NewPlans(given, 2, true)
	if len(plans) != 3 {
		t.Fatalf("there are %d plans", len(plans))
	}
	first, second, alone := plans[0].Next(), plans[1].Next(), scenario.NewPlan(given, 2).Next()
	if first.Thread != 1 || second.Thread != 2 || first.Hold != alone.Hold || first.Hold == second.Hold {
		t.Errorf("thread 1 does %+v, thread 2 %+v, a client with one %+v", first, second, alone)
	}
	if all := scenario.NewPlans(given, 2, false); len(all) != 1 || all[0].Next() != alone {
		t.Errorf("without threads there are %d plans", len(all))
	}
	if all := scenario.NewPlans(given, 1, true); len(all) != 1 || all[0].Next().Thread != 0 {
		t.Errorf("who has no threads of its own has %d plans", len(all))
	}
}
