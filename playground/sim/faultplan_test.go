package sim

import (
	"reflect"
	"testing"
	"time"
)

func TestFaultPlan(t *testing.T) {
	drawn := FaultSpec{At: Duration(time.Second), Spread: Duration(time.Second), Fault: Crash, Client: -1}
	fixed := FaultSpec{At: Duration(3 * time.Second), Fault: Expire, Client: 2}
	scenario := func(seed int64) Scenario {
		return Scenario{Clients: 10, Seed: seed, Faults: []FaultSpec{drawn, fixed, drawn, {Fault: Restart}}}
	}
	victims := make(map[int]bool)
	for seed := range int64(200) {
		plan := planFaults(scenario(seed))
		if again := planFaults(scenario(seed)); !reflect.DeepEqual(plan, again) {
			t.Fatalf("seed %d: %+v and then %+v", seed, plan, again)
		}
		if plan[1] != fixed || plan[3] != (FaultSpec{Fault: Restart}) {
			t.Errorf("seed %d changes what is fixed: %+v", seed, plan)
		}
		for _, f := range []FaultSpec{plan[0], plan[2]} {
			if f.At < drawn.At || f.At > drawn.At+drawn.Spread || f.Client < 1 || f.Client > 10 || f.Spread != 0 {
				t.Errorf("seed %d draws %+v", seed, f)
			}
			victims[f.Client] = true
		}
		if plan[0].At == plan[2].At {
			t.Errorf("seed %d: two faults come at the same time", seed)
		}
	}
	if len(victims) != 10 {
		t.Errorf("only %d of 10 clients were drawn", len(victims))
	}
	if given := scenario(1); planFaults(given)[0] == drawn || given.Faults[0] != drawn {
		t.Error("the scenario was changed, or not planned")
	}
}
