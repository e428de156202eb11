package sim

import (
	"testing"
	"time"
)

func TestPlanDependsOnSeedAndClientAlone(t *testing.T) {
	shipped, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := shipped.Find("read-write")
	if err != nil {
		t.Fatal(err)
	}
	one, same, other := newPlan(scenario, 3), newPlan(scenario, 3), newPlan(scenario, 4)
	if one.arrival != same.arrival || one.arrival == other.arrival {
		t.Errorf("arrivals %v %v %v", one.arrival, same.arrival, other.arrival)
	}
	differs, writers := false, 0
	const turns = 2000
	for range turns {
		a, b, c := one.next(), same.next(), other.next()
		if a != b {
			t.Fatalf("the same client differs: %+v %+v", a, b)
		}
		differs = differs || a != c
		if a.write {
			writers++
		}
		if a.hold < time.Duration(scenario.Hold.Min) || a.hold > time.Duration(scenario.Hold.Max) {
			t.Fatalf("a hold of %v is outside %v", a.hold, scenario.Hold)
		}
	}
	if !differs {
		t.Error("two clients have the same plan")
	}
	if share := float64(writers) / turns; share < 0.30 || share > 0.40 {
		t.Errorf("%.2f of the turns write, want about %v", share, scenario.Writers)
	}
}
