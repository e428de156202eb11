package lessons

import (
	"fmt"
	"slices"
	"strings"
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

// figures are what can be stated of a lane; playground/site takes them from a run.
var figures = []string{"acquisitions", "balance", "false belief in s", "for nothing per release", "hand-over in ms",
	"longest hand-over in ms", "releases", "requests per acquisition", "woken by joining", "woken per release"}

// FigureNames are the figures that a lesson can state, in order.
func FigureNames() []string { return slices.Clone(figures) }

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
	case !slices.Contains(figures, m.Figure):
		return fmt.Errorf("unknown figure %q, have %q", m.Figure, FigureNames())
	case m.AtLeast == nil && m.AtMost == nil:
		return fmt.Errorf("atLeast or atMost is missing")
	}
	return nil
}

// Contradiction says how a lane in which the figure is that contradicts the statement; nil
// if it does not.
func (s Statement) Contradiction(is float64) error {
	if s.AtLeast != nil && is < *s.AtLeast || s.AtMost != nil && is > *s.AtMost {
		return fmt.Errorf("states %q: %s of lane %s is %.2f, want %s", s.Says, s.Figure, s.Lane, is, s.bounds())
	}
	return nil
}

// equal says whether both are of the same figure within the same bounds.
func (m Measure) equal(other Measure) bool {
	return m.Lane == other.Lane && m.Figure == other.Figure && m.bounds() == other.bounds()
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
