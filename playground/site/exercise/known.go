package exercise

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/challenge"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// Known is what the lessons can name, of some scenarios and the catalogue.
func Known(scenarios scenario.Set, catalogue scenario.Catalogue) lessons.Known {
	known := lessons.Known{Scenarios: scenarios.Names(), Faults: catalogue.FaultNames("")}
	for _, check := range catalogue.Checks {
		known.Checks = append(known.Checks, check.Name)
	}
	for _, c := range challenge.All() {
		known.Challenges = append(known.Challenges, c.Name)
	}
	known.Decisive = func(name string) (instants []string) {
		s, _ := scenarios.Find(name) // that it is known has been checked
		for _, instant := range s.Decisive {
			instants = append(instants, string(instant))
		}
		return instants
	}
	known.Fault = func(b lessons.Break) error {
		fault, err := faultOf(b)
		switch {
		case err != nil:
			return err
		case max(fault.For, fault.Delay, fault.Jitter) > longestFault:
			return fmt.Errorf("%w: a reader does not wait for longer than %v", scenario.ErrFault, longestFault)
		case b.You:
			fault.Client = 1 // whichever it will be
		}
		return fault.Validate(catalogue, scenario.MaxDelay)
	}
	return known
}

// longestFault is the longest that a fault of an exercise may last.
const longestFault = scenario.Duration(time.Minute)

// faultOf is what is to be injected.
func faultOf(b lessons.Break) (fault scenario.Fault, err error) {
	text, err := json.Marshal(b.Request)
	if err != nil {
		return fault, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&fault); err != nil {
		return fault, fmt.Errorf("%w: %w", scenario.ErrFault, err)
	}
	return fault, nil
}
