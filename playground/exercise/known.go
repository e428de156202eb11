package exercise

import (
	"fmt"
	"time"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// Known is what the lessons can name, of some scenarios and the catalogue.
func Known(scenarios scenario.Set, catalogue scenario.Catalogue) lessons.Known {
	known := lessons.Known{Scenarios: scenarios.Names(), Faults: catalogue.FaultNames("")}
	for _, check := range catalogue.Checks {
		known.Checks = append(known.Checks, check.Name)
	}
	known.Decisive = func(name string) (instants []string) {
		s, _ := scenarios.Find(name) // that it is known has been checked
		for _, instant := range s.Decisive {
			instants = append(instants, string(instant))
		}
		return instants
	}
	known.Fault = func(b lessons.Break) error {
		fault, err := Fault(b)
		if err != nil {
			return err
		}
		if b.You {
			fault.Client = 1 // whichever it will be
		}
		return fault.Validate(catalogue, scenario.MaxDelay)
	}
	return known
}

// Fault is what is to be injected.
func Fault(b lessons.Break) (scenario.Fault, error) {
	fault := scenario.Fault{Name: b.Fault, Client: b.Client, Lane: b.Lane, Op: b.Op, When: b.When}
	for _, duration := range []struct {
		text string
		is   *time.Duration
	}{{b.For, &fault.For}, {b.Delay, &fault.Delay}, {b.Jitter, &fault.Jitter}} {
		if duration.text == "" {
			continue
		}
		d, err := time.ParseDuration(duration.text)
		if err != nil {
			return scenario.Fault{}, fmt.Errorf("%w: %w", scenario.ErrFault, err)
		}
		*duration.is = d
	}
	return fault, nil
}
