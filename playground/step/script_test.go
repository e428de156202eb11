package step

import (
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/scenario"
)

// TestStepTimeout: a step may have to wait until a client arrives, thinks and
// holds.
func TestStepTimeout(t *testing.T) {
	s := scenario.Scenario{Arrive: scenario.Duration(time.Minute), Hold: scenario.Range{Max: scenario.Duration(30 * time.Second)}, Think: scenario.Range{Max: scenario.Duration(20 * time.Second)}}
	if got, want := stepTimeout(s), 110*time.Second+scriptTimeout; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
