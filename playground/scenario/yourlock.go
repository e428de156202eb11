package scenario

import (
	"slices"
	"time"
)

// MaxPrograms is how many clients a scenario with a lane for a program may have: each is a
// process or two on the playground's machine.
const MaxPrograms = 50

// MaxSources is how many clients it may have where a visitor has written the program.
const MaxSources = 8

// YourLock is the scenario of a playground that was given a program: the program beside a
// recipe of ours.
func YourLock() Scenario {
	return Scenario{
		Name: "your-lock", Title: "Your lock", Order: 5,
		Summary: "The program that this playground was started with, beside a recipe that is right. Break both in the same way.",
		Lanes: []Lane{
			{Name: "yours", Title: "Your lock", Recipe: "program"},
			{Name: "mutex", Title: "Predecessor: each watches the one ahead", Recipe: "mutex"},
		},
		Clients: 4, Session: Duration(4 * time.Second), Delay: Duration(100 * time.Millisecond), Arrive: Duration(500 * time.Millisecond),
		Hold: Range{Min: Duration(800 * time.Millisecond), Max: Duration(1200 * time.Millisecond)}, Think: Range{Min: Duration(200 * time.Millisecond), Max: Duration(600 * time.Millisecond)},
		Seed: 1,
	}
}

// WithSource is the scenario with that source in each lane whose program nobody has named.
func (s Scenario) WithSource(source string, c Catalogue) Scenario {
	s.Lanes = slices.Clone(s.Lanes)
	for i, lane := range s.Lanes {
		if recipe, _ := c.recipe(lane.Recipe); recipe.Program && lane.Source == "" {
			s.Lanes[i].Source = source
		}
	}
	return s
}
