// Package scenario describes what a run is to do, as data.
//
// A [Scenario] has lanes, clients, timings, a seed, faults and perhaps a script
// of single steps. [Parse] reads one from JSON, strictly, and [Scenario.Validate]
// says what is wrong with it. [Shipped] are those that come with the program.
// The seed is turned into what each client does by [NewPlan], and into when each
// fault comes by [PlanFaults].
//
// The package does nothing of what it describes. Which recipes, faults and checks
// there are is known by the packages that do them, which stand above this one;
// they are handed in as a [Catalogue].
package scenario
