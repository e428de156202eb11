package chaos

import (
	"slices"
	"testing"
	"time"
)

// draw returns the first faults of a plan.
func draw(seed uint64, n int) (faults []Fault) {
	p := newPlan(seed, 4, time.Second, []ServerFault{{Kind: Restart, Count: 1}})
	for range n {
		f, _ := p.next()
		faults = append(faults, f)
	}
	return faults
}

func TestPlanRepeats(t *testing.T) {
	if !slices.Equal(draw(7, 300), draw(7, 300)) {
		t.Error("one seed gives two plans")
	}
	if slices.Equal(draw(7, 300), draw(8, 300)) {
		t.Error("two seeds give one plan")
	}
}

// A short round has each fault once.
func TestPlanBeginsWithAll(t *testing.T) {
	seen := make(map[FaultKind]int)
	for _, f := range draw(7, len(faultKinds)+1) {
		seen[f.Kind]++
	}
	for kind, n := range seen {
		if n != 1 || len(seen) != len(faultKinds)+1 {
			t.Errorf("%d of %s among the first %d of %d kinds", n, kind, len(faultKinds)+1, len(seen))
		}
	}
}

func TestPlanNamesClients(t *testing.T) {
	for _, f := range draw(7, 300) {
		if (f.Kind == Restart) != (f.Client == 0) || f.Client > 4 {
			t.Errorf("%s of client %d", f.Kind, f.Client)
		}
	}
}
