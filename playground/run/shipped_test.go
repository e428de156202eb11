package run_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// runsBriefly says that nothing breaks in the scenario, and that it goes on for ever.
func runsBriefly(s scenario.Scenario) bool { return len(s.Expect) == 0 && s.Turns == 0 }

// TestShippedScenarios runs each scenario as it is shipped, but for the delay
// and with shorter holds, and expects what it promises. Those that do not
// run briefly are [TestMuseum]'s.
func TestShippedScenarios(t *testing.T) {
	t.Parallel()
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	server := zktest.Start(t)
	for _, given := range shipped {
		if given.Lesson == "" || given.Summary == "" || given.Title == "" {
			t.Errorf("a learner is told too little about the scenario %s", given.Name)
		}
		if !runsBriefly(given) {
			continue
		}
		t.Run(given.Name, func(t *testing.T) {
			given.Delay, given.Arrive = 0, milliseconds(50)
			given.Hold, given.Think = between(20, 40), between(5, 15)
			given.Session = scenario.Duration(briefly)
			for i := range given.Faults {
				given.Faults[i].At = milliseconds(300)
			}
			run := start(t, server, given)
			run.untilCount(40*len(given.Lanes), event.LockAcquired)
			run.finish()
			run.verdicts(given.Expect)
		})
	}
}
