package site

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/check"
)

// TestFigures: every figure that a lesson can state is known, and no other.
func TestFigures(t *testing.T) {
	if diff := cmp.Diff(lessons.FigureNames(), slices.Sorted(maps.Keys(figures))); diff != "" {
		t.Errorf("(-lessons +site)\n%s", diff)
	}
}

func TestContradiction(t *testing.T) {
	least, most := 6.5, 7.0
	said := lessons.Statement{Says: "wakes seven clients", Measure: lessons.Measure{Lane: "herd", Figure: "woken per release", AtLeast: &least, AtMost: &most}}
	for name, test := range map[string]struct {
		lane check.Lane
		want string
	}{
		"as it is said": {check.Lane{Name: "herd", Rounds: check.Rounds{Complete: 3, Wakeups: 21}}, ""},
		"too few":       {check.Lane{Name: "herd", Rounds: check.Rounds{Complete: 3, Wakeups: 3}}, `woken per release of lane herd is 1.00, want at least 6.5 and at most 7`},
		"too many":      {check.Lane{Name: "herd", Rounds: check.Rounds{Complete: 1, Wakeups: 8}}, `is 8.00`},
		"nothing":       {check.Lane{Name: "herd"}, `is 0.00`},
		"another lane":  {check.Lane{Name: "mutex"}, `has no lane "herd"`},
	} {
		err := contradiction(check.Summary{Lanes: []check.Lane{test.lane}}, said)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}
