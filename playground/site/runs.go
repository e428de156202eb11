package site

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A Run is one that the site has a recording of.
type Run struct {
	// Name is that of its file, without an ending.
	Name string
	// Scenario is what is run, with the settings of the card.
	Scenario scenario.Scenario
	// Check is what it solves; nil for the run of a card.
	Check *lessons.Check
}

// RecordingPath is where a recording lies below the site's directory.
func RecordingPath(name string) string { return "runs/" + name + ".ndjson.zst" }

// CardName names the run of a card. Cards that ask for the same have the same one.
func CardName(card lessons.RunCard) string {
	return fmt.Sprintf("%s-%d-%s-%d", card.Scenario, card.Clients, card.Delay, card.Seed)
}

// SolutionName names the run in which a check is solved.
func SolutionName(check lessons.Check) string {
	return "solution-" + strings.ReplaceAll(check.Key(), "/", "-")
}

// Runs are all that the lessons ask for, each once, in the order of the lessons. A check
// is solved beside what the first card runs that has its scenario.
func Runs(library *lessons.Library, scenarios scenario.Set) ([]Run, error) {
	var runs []Run
	add := func(name string, card lessons.RunCard, check *lessons.Check) error {
		if slices.ContainsFunc(runs, func(r Run) bool { return r.Name == name }) {
			return nil // another card's, or that of another language
		}
		asked, err := scenarios.Find(card.Scenario)
		if err != nil {
			return err
		}
		asked.Clients, asked.Delay, asked.Seed = card.Clients, scenario.Duration(card.Delay), card.Seed
		runs = append(runs, Run{Name: name, Scenario: asked, Check: check})
		return nil
	}
	for _, lesson := range library.All() {
		for _, card := range lesson.Scenarios {
			if err := add(CardName(card), card, nil); err != nil {
				return nil, err
			}
		}
		for _, check := range lesson.Checks {
			i := slices.IndexFunc(lesson.Scenarios, func(c lessons.RunCard) bool { return c.Scenario == check.Scenario })
			if err := add(SolutionName(check), lesson.Scenarios[i], &check); err != nil { // Load has seen that there is a card
				return nil, err
			}
		}
	}
	return runs, nil
}

// nodes is how many servers of its own a run needs, because it breaks them; 0 for none.
func (r Run) nodes(catalogue scenario.Catalogue) int {
	nodes := 0
	for _, fault := range r.faults() {
		for _, kind := range catalogue.Faults {
			if kind.Name == fault && kind.Target == scenario.TargetServer {
				nodes = max(nodes, kind.Nodes, 1)
			}
		}
	}
	return nodes
}

// faults are the names of those that will be injected.
func (r Run) faults() []string {
	var names []string
	for _, fault := range r.Scenario.Faults {
		names = append(names, fault.Fault)
	}
	for _, step := range r.Scenario.Script {
		names = append(names, step.Fault)
	}
	return names
}

const (
	// usualLength is for how long a run is recorded whose clients go on and on.
	usualLength = 20 * time.Second
	// afterwards is what follows the last thing that is planned: so long is shown what
	// comes of it.
	afterwards = 6 * time.Second
	// longestHold is the longest that is waited for.
	longestHold = 25 * time.Second
)

// length is for how long a run is recorded: long enough for the faults on its schedule
// and for one hand-over.
func (r Run) length() time.Duration {
	length := max(usualLength, min(time.Duration(r.Scenario.Hold.Max), longestHold)+afterwards)
	return max(length, r.lastFault()+afterwards)
}

// lastFault is when the last fault on schedule is over, and a session that it ended.
func (r Run) lastFault() time.Duration {
	last := time.Duration(0)
	for _, fault := range r.Scenario.Faults {
		last = max(last, time.Duration(fault.At+fault.Spread+fault.For+r.Scenario.Session))
	}
	return last
}

// ends says that the clients have enough at some time: then the run is over before its
// length, if nothing happens any more.
func (r Run) ends() bool { return r.Scenario.Turns > 0 }
