package site

import (
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/check"
)

// figures are what lessons state of a lane, by name. Those per something are 0 without any.
var figures = map[string]func(check.Lane) float64{
	"acquisitions":             func(l check.Lane) float64 { return float64(l.Acquisitions) },
	"releases":                 func(l check.Lane) float64 { return float64(l.Releases) },
	"requests per acquisition": func(l check.Lane) float64 { return per(l.Requests, l.Acquisitions) },
	"woken per release":        func(l check.Lane) float64 { return per(l.Rounds.Wakeups, l.Rounds.Complete) },
	"for nothing per release":  func(l check.Lane) float64 { return per(l.Rounds.WastedWakeups, l.Rounds.Complete) },
	"woken by joining":         func(l check.Lane) float64 { return float64(l.WakeupsByJoining) },
	"hand-over in ms":          func(l check.Lane) float64 { return float64(l.HandoffMicros.P50) / 1000 },
	"longest hand-over in ms":  func(l check.Lane) float64 { return float64(l.HandoffMicros.P99) / 1000 },
	"false belief in s":        func(l check.Lane) float64 { return float64(l.FalseBeliefMicros) / 1e6 },
	"balance":                  func(l check.Lane) float64 { return float64(l.Balance) },
}

func per(some, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(some) / float64(of)
}

// Contradictions are how a run is not what its scenario is made to be, or not what is
// stated of it.
func Contradictions(summary check.Summary, statements []lessons.Statement) (contradictions []error) {
	for _, v := range append(summary.Unexpected(), summary.Unmet()...) {
		contradictions = append(contradictions, fmt.Errorf("%s in lane %s is %s: %s", v.Check, v.Lane, v.Verdict.Verdict, v.Why))
	}
	for _, statement := range statements {
		if err := contradiction(summary, statement); err != nil {
			contradictions = append(contradictions, err)
		}
	}
	return contradictions
}

func contradiction(summary check.Summary, s lessons.Statement) error {
	i := slices.IndexFunc(summary.Lanes, func(l check.Lane) bool { return l.Name == s.Lane })
	if i < 0 {
		return fmt.Errorf("states %q: the run has no lane %q", s.Says, s.Lane)
	}
	return s.Contradiction(figures[s.Figure](summary.Lanes[i]))
}
