package lessons

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/check"
)

// A Statement is what a lesson says of a run in figures, so that a test can hold it
// against the run.
type Statement struct {
	// Says are words of the lesson, as they stand there.
	Says string `json:"says"`
	Measure
}

// A Measure is a figure of a lane of a run, within bounds.
type Measure struct {
	// Lane is a lane of the run, and Figure one of [FigureNames].
	Lane   string `json:"lane"`
	Figure string `json:"figure"`
	// AtLeast and AtMost bound it; what is left out does not.
	AtLeast *float64 `json:"atLeast,omitempty"`
	AtMost  *float64 `json:"atMost,omitempty"`
}

// figures are what can be stated of a lane. Those per something are 0 without any.
var figures = map[string]func(check.Lane) float64{
	"acquisitions":             func(l check.Lane) float64 { return float64(l.Acquisitions) },
	"releases":                 func(l check.Lane) float64 { return float64(l.Releases) },
	"requests per acquisition": func(l check.Lane) float64 { return per(l.Requests, l.Acquisitions) },
	"woken per release":        func(l check.Lane) float64 { return per(l.Rounds.Wakeups, l.Rounds.Complete) },
	"in vain per release":      func(l check.Lane) float64 { return per(l.Rounds.WastedWakeups, l.Rounds.Complete) },
	"woken by joining":         func(l check.Lane) float64 { return float64(l.WakeupsByJoining) },
	"hand-over in ms":          func(l check.Lane) float64 { return float64(l.HandoffMicros.P50) / 1000 },
	"longest hand-over in ms":  func(l check.Lane) float64 { return float64(l.HandoffMicros.P99) / 1000 },
	"false belief in s":        func(l check.Lane) float64 { return float64(l.FalseBeliefMicros) / 1e6 },
	"balance":                  func(l check.Lane) float64 { return float64(l.Balance) },
}

// FigureNames are the figures that a lesson can state, in order.
func FigureNames() []string { return slices.Sorted(maps.Keys(figures)) }

func per(some, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(some) / float64(of)
}

func (s Statement) check() error {
	if strings.TrimSpace(s.Says) == "" {
		return fmt.Errorf("states: says is missing: the words of the lesson that are checked")
	}
	if err := s.Measure.check(); err != nil {
		return fmt.Errorf("states %q: %w", s.Says, err)
	}
	return nil
}

func (m Measure) check() error {
	switch {
	case m.Lane == "":
		return fmt.Errorf("lane is missing")
	case figures[m.Figure] == nil:
		return fmt.Errorf("unknown figure %q, have %q", m.Figure, FigureNames())
	case m.AtLeast == nil && m.AtMost == nil:
		return fmt.Errorf("atLeast or atMost is missing")
	}
	return nil
}

// Check says how a run contradicts the statement; nil if it does not.
func (s Statement) Check(summary check.Summary) error {
	i := slices.IndexFunc(summary.Lanes, func(l check.Lane) bool { return l.Name == s.Lane })
	if i < 0 {
		return fmt.Errorf("states %q: the run has no lane %q", s.Says, s.Lane)
	}
	is := figures[s.Figure](summary.Lanes[i])
	if s.AtLeast != nil && is < *s.AtLeast || s.AtMost != nil && is > *s.AtMost {
		return fmt.Errorf("states %q: %s of lane %s is %.2f, want %s", s.Says, s.Figure, s.Lane, is, s.bounds())
	}
	return nil
}

// Contradictions are how a run is not what its scenario is made to be, or not what is
// stated of it.
func Contradictions(summary check.Summary, statements []Statement) (contradictions []error) {
	for _, v := range append(summary.Unexpected(), summary.Unmet()...) {
		contradictions = append(contradictions, fmt.Errorf("%s in lane %s is %s: %s", v.Check, v.Lane, v.Verdict.Verdict, v.Why))
	}
	for _, statement := range statements {
		if err := statement.Check(summary); err != nil {
			contradictions = append(contradictions, err)
		}
	}
	return contradictions
}

func (m Measure) bounds() string {
	var bounds []string
	if m.AtLeast != nil {
		bounds = append(bounds, fmt.Sprintf("at least %v", *m.AtLeast))
	}
	if m.AtMost != nil {
		bounds = append(bounds, fmt.Sprintf("at most %v", *m.AtMost))
	}
	return strings.Join(bounds, " and ")
}
