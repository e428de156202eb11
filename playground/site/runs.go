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
	// For is how long, unless it ends by itself.
	For time.Duration
	// States is what the lessons say of it in figures.
	States []lessons.Statement
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
// is solved beside what the first card runs that has its scenario. Other languages have
// the same runs, as package lessons sees to.
func Runs(library *lessons.Library, scenarios scenario.Set) ([]Run, error) {
	var runs []Run
	add := func(name string, card lessons.RunCard, check *lessons.Check) error {
		asked, err := scenarios.Find(card.Scenario)
		if err != nil {
			return err
		}
		asked.Clients, asked.Delay, asked.Seed = card.Clients, scenario.Duration(card.Delay), card.Seed
		run := Run{Name: name, Scenario: asked, For: card.For, Check: check}
		if check == nil {
			run.States = card.States
		}
		i := slices.IndexFunc(runs, func(r Run) bool { return r.Name == name })
		if i < 0 {
			runs = append(runs, run)
			return nil
		}
		same := &runs[i] // of another card that asks for the same
		same.For, same.States = max(same.For, run.For), slices.Concat(same.States, run.States)
		return nil
	}
	for _, lesson := range library.All() {
		if lesson.Locale != lessons.DefaultLocale {
			continue
		}
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

// breaksServers says whether the run needs servers of its own.
func (r Run) breaksServers(catalogue scenario.Catalogue) bool {
	breaks := func(act lessons.Act) bool { return act.Break != nil && catalogue.BreaksServers(act.Break.Fault) }
	return r.Scenario.BreaksServers(catalogue) || r.Check != nil && slices.ContainsFunc(r.Check.Solution, breaks)
}

// afterwards is what follows the last thing that is planned: so long is shown what comes
// of it.
const afterwards = 6 * time.Second

// length is for how long a run is recorded: as asked, but long enough for the faults on
// its schedule, and the end of a session by one of them.
func (r Run) length() time.Duration { return max(r.For, r.lastFault()+afterwards) }

// lastFault is when the last fault on schedule is over, and a session that it ended; 0
// without any.
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
