package chaos

import (
	"slices"
	"testing"
)

// deal draws faults of a plan.
func deal(seed uint64, n int) (faults []Fault) {
	p := newPlan(seed, 4)
	for range n {
		f, _ := p.next()
		faults = append(faults, f)
	}
	return faults
}

func TestPlanRepeats(t *testing.T) {
	if !slices.Equal(deal(7, 300), deal(7, 300)) {
		t.Error("one seed gives two plans")
	}
	if slices.Equal(deal(7, 300), deal(8, 300)) {
		t.Error("two seeds give one plan")
	}
}

// A short round has each fault once.
func TestPlanBeginsWithAll(t *testing.T) {
	seen := make(map[FaultKind]int)
	for _, f := range deal(7, len(deck)) {
		seen[f.Kind]++
	}
	for _, card := range deck {
		if seen[card.kind] != 1 {
			t.Errorf("%d of %s among the first %d", seen[card.kind], card.kind, len(deck))
		}
	}
}

func TestPlanNamesVictims(t *testing.T) {
	for _, f := range deal(7, 300) {
		if (f.Kind == Restart) != (f.Client == 0) || f.Client > 4 {
			t.Errorf("%s of client %d", f.Kind, f.Client)
		}
	}
}
