package scenario_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

func TestInjectionValidation(t *testing.T) {
	tests := []struct{ inject, want string }{
		{`{}`, ""}, {`{"crash": "1s"}`, ""}, {`{"crash": 0, "expire": "1h"}`, ""},
		{`{"flood": "5s"}`, `"flood" cannot come again and again, there are crash, expire`},
		{`{"pause": "5s"}`, `"pause" cannot`},
		{`{"crash": "999ms"}`, "inject.crash is 999ms, must be 0 or 1s to 1h"},
		{`{"expire": "61m"}`, "inject.expire is 1h1m0s"},
		{`{"expire": "-5s"}`, "inject.expire is -5s"},
		{`{"expire": "often"}`, "often"},
		{`["crash"]`, "cannot unmarshal"},
	}
	for _, test := range tests {
		text := `{"name": "a", "lanes": [{"name": "a", "recipe": "herd"}], "clients": 1, "session": "1s", "inject": ` + test.inject + `}`
		_, err := scenario.Parse([]byte(text), run.Catalogue())
		if test.want == "" && err != nil || test.want != "" && (!errors.Is(err, scenario.ErrInvalid) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.inject, err, test.want)
		}
	}
}

// TestInjectionPlan: it depends on the seed and the fault, and draws every role and
// each of four places, between half the time and half as much again.
func TestInjectionPlan(t *testing.T) {
	const every, draws = 8 * time.Second, 500
	const clients = 4
	var given scenario.Scenario
	plan := func(fault string, seed int64) *scenario.InjectionPlan {
		given.Seed = seed
		return scenario.NewInjectionPlan(given, run.Catalogue(), scenario.Repeated{Fault: fault, Every: every})
	}
	one, same, seed, fault := plan("crash", 7), plan("crash", 7), plan("crash", 8), plan("expire", 7)
	drawn := make(map[scenario.Injected]bool)
	bySeed, byFault, sum := false, false, time.Duration(0)
	for range draws {
		a, b := one.Next(), same.Next()
		if a != b {
			t.Fatalf("the same plan differs: %+v %+v", a, b)
		}
		if a.After < every/2 || a.After > every*3/2 {
			t.Errorf("%v after the one before", a.After)
		}
		bySeed, byFault, sum = bySeed || a != seed.Next(), byFault || a != fault.Next(), sum+a.After
		a.After, a.From = 0, math.Floor(a.From*clients)
		drawn[a] = true
	}
	if mean := sum / draws; !bySeed || !byFault || len(drawn) != 3*clients || mean < every*9/10 || mean > every*11/10 {
		t.Errorf("differs by seed %v, by fault %v; %d of %d choices; every %v", bySeed, byFault, len(drawn), 3*clients, mean)
	}
}

func TestInjectionWith(t *testing.T) {
	second := scenario.Duration(time.Second)
	before := scenario.Injection{"crash": second}
	after := before.With(scenario.Injection{"expire": 2 * second, "crash": 0})
	if len(after) != 1 || after["expire"] != 2*second || len(before) != 1 {
		t.Errorf("%v became %v", before, after)
	}
}
