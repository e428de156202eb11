package queue

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
)

// A turn is told one fact after the other: the listing of a queue, in brackets, or
// the number of a znode that has gone, or "doubt".
func TestTurn(t *testing.T) {
	for _, c := range []struct {
		name, own, facts string
		recipe           Recipe
		want             string // to list, to hold, or the numbers to watch
	}{
		{name: "begins in doubt", own: "L1", want: "list"},
		{name: "alone", own: "L1", facts: "[L1]", want: "hold"},
		{name: "those behind do not matter", own: "L1", facts: "[L1 L2 L3]", want: "hold"},
		{name: "next", own: "L2", facts: "[L1 L2]", want: "watch 1"},
		{name: "handed over", own: "L2", facts: "[L1 L2] 1", want: "hold"},
		{name: "two ahead", own: "L3", facts: "[L1 L2 L3]", want: "watch 2 1"},
		{name: "many ahead", own: "L5", facts: "[L1 L2 L3 L4 L5]", want: "watch 4 3"},
		{name: "look-ahead", own: "L3", facts: "[L1 L2 L3] 1", want: "list"},
		{name: "look-ahead shows the one ahead", own: "L3", facts: "[L1 L2 L3] 1 [L2 L3]", want: "watch 2"},
		{name: "look-ahead, and then the hand-over", own: "L3", facts: "[L1 L2 L3] 1 [L2 L3] 2", want: "hold"},
		{name: "look-ahead comes too late", own: "L3", facts: "[L1 L2 L3] 1 [L3]", want: "hold"},
		{name: "the one ahead gives up", own: "L3", facts: "[L1 L2 L3] 2", want: "list"},
		{name: "the one ahead gave up", own: "L3", facts: "[L1 L2 L3] 2 [L1 L3]", want: "watch 1"},
		{name: "both have gone, the last first", own: "L3", facts: "[L1 L2 L3] 2 1", want: "list"},
		{name: "both have gone, the first first", own: "L3", facts: "[L1 L2 L3] 1 2", want: "list"},
		{name: "another's going is nothing", own: "L3", facts: "[L2 L3] 1", want: "watch 2"},
		{name: "told twice", own: "L3", facts: "[L1 L2 L3] 1 [L2 L3] 1", want: "watch 2"},
		{name: "doubt", own: "L2", facts: "[L1 L2] doubt", want: "list"},
		{name: "doubt outlives a hand-over", own: "L2", facts: "[L1 L2] doubt 1", want: "list"},
		{name: "doubt of the first", own: "L1", facts: "[L1] doubt", want: "list"},
		{name: "a listing ends doubt", own: "L2", facts: "[L1 L2] doubt [L2]", want: "hold"},
		{name: "the own znode is missing", own: "L2", facts: "[L1 L3]", want: "vanished"},
		{name: "the own znode goes missing", own: "L2", facts: "[L1 L2] doubt [L1]", want: "vanished"},

		{name: "textbook watches one", own: "L3", recipe: Textbook, facts: "[L1 L2 L3]", want: "watch 2"},
		{name: "textbook lists after each change", own: "L2", recipe: Textbook, facts: "[L1 L2] 1", want: "list"},
		{name: "textbook holds by a listing", own: "L2", recipe: Textbook, facts: "[L1 L2] 1 [L2]", want: "hold"},

		{name: "readers do not wait for readers", own: "R3", facts: "[R1 R2 R3]", want: "hold"},
		{name: "a reader waits for writers", own: "R4", facts: "[W1 R2 W3 R4]", want: "watch 3 1"},
		{name: "a reader's one writer goes", own: "R3", facts: "[W1 R2 R3] 1", want: "hold"},
		{name: "a reader does not mind a downgrade", own: "R2", facts: "[W1 R2] 1", want: "hold"},
		{name: "a reader's two writers", own: "R3", facts: "[W1 W2 R3] 1", want: "list"},
		{name: "a writer waits for all", own: "W3", facts: "[R1 R2 W3]", want: "watch 2 1"},
		{name: "a writer behind a reader", own: "W2", facts: "[R1 W2] 1", want: "hold"},
		{name: "a writer doubts a writer's going", own: "W2", facts: "[W1 W2] 1", want: "list"},
		{name: "a writer that became a reader", own: "W2", facts: "[W1 W2] 1 [R1 W2]", want: "watch 1"},
		{name: "and that then goes", own: "W2", facts: "[W1 W2] 1 [R1 W2] 1", want: "hold"},
		{name: "a writer that has gone for good", own: "W2", facts: "[W1 W2] 1 [W2]", want: "hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			recipe := cmp.Or(c.recipe, Default)
			if got := told(t, c.own, recipe, c.facts); got != c.want {
				t.Errorf("%s, told %q, wants to %s, want %s", c.own, c.facts, got, c.want)
			}
		})
	}
}

// told returns what a turn wants to do after the facts.
func told(t *testing.T, own string, recipe Recipe, facts string) string {
	turn := NewTurn(kindOf(own), named(own)[0], recipe)
	for facts = strings.TrimSpace(facts); facts != ""; facts = strings.TrimSpace(facts) {
		var fact string
		if listing, found := strings.CutPrefix(facts, "["); found {
			fact, facts, _ = strings.Cut(listing, "]")
			names := named(fact)
			slices.Reverse(names) // the server tells them in no order
			contenders, _ := Read(names, Markers(), math.MaxInt32)
			if !turn.Listed(contenders) {
				return "vanished"
			}
			continue
		}
		fact, facts, _ = strings.Cut(facts, " ")
		if fact == "doubt" {
			turn.Doubt()
			continue
		}
		gone := "lock-000000000" + fact
		for _, c := range turn.nearest {
			if numberOf(c.Name) == fact {
				gone = c.Name
			}
		}
		turn.Gone(gone)
	}
	return wanted(t, turn)
}

func wanted(t *testing.T, turn *Turn) string {
	if turn.IsNext() != (!turn.MustList() && turn.Ahead() == 1) {
		t.Errorf("IsNext is %v with %d ahead", turn.IsNext(), turn.Ahead())
	}
	switch {
	case turn.MustList():
		return "list"
	case turn.Holds():
		return "hold"
	}
	want := "watch"
	for _, name := range turn.Watches() {
		want += " " + numberOf(name)
	}
	return want
}

func numberOf(name string) string { return name[len(name)-1:] }

// What a turn was told stays as it is: others may look at the same listing.
func TestTurnLeavesTheListingAlone(t *testing.T) {
	contenders, _ := Read(named("L1 L2 L3 L4"), mutexMarkers, math.MaxInt32)
	before := slices.Clone(contenders)
	turn := NewTurn(Mutex, named("L4")[0], Default)
	turn.Listed(contenders)
	for _, c := range before[:3] {
		turn.Gone(c.Name)
	}
	if !slices.Equal(contenders, before) {
		t.Errorf("the listing became %v", contenders)
	}
}
