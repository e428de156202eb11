package sim

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

var laneName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// Validate says what is wrong with the scenario, naming the field.
func (s Scenario) Validate() error {
	if !laneName.MatchString(s.Name) {
		return fmt.Errorf("%w: name %q must be 1 to 32 of a-z, 0-9 and -", ErrScenario, s.Name)
	}
	if s.Clients < 1 || s.Clients > MaxClients {
		return fmt.Errorf("%w: clients is %d, must be 1 to %d", ErrScenario, s.Clients, MaxClients)
	}
	if s.Writers < 0 || s.Writers > 1 {
		return fmt.Errorf("%w: writers is %v, must be 0 to 1", ErrScenario, s.Writers)
	}
	return errors.Join(s.validateTimes(), s.validateLanes(), s.validateFaults(), s.validateExpect())
}

func (s Scenario) validateTimes() error {
	return errors.Join(
		within("session", s.Session, MinSession, MaxSession),
		within("delay", s.Delay, 0, s.maxDelay()),
		within("arrive", s.Arrive, 0, maxPause),
		s.Hold.validate("hold"),
		s.Think.validate("think"))
}

// maxDelay keeps a round trip, with its heartbeats, well within the patience of
// a client, which is two thirds of its session timeout.
func (s Scenario) maxDelay() time.Duration { return min(MaxDelay, time.Duration(s.Session)/4) }

func within(field string, d Duration, low, high time.Duration) error {
	if t := time.Duration(d); t < low || t > high {
		return fmt.Errorf("%w: %s is %v, must be %v to %v", ErrScenario, field, t, low, high)
	}
	return nil
}

func (r Range) validate(field string) error {
	if r.Min > r.Max {
		return fmt.Errorf("%w: %s.min is above %s.max", ErrScenario, field, field)
	}
	return errors.Join(within(field+".min", r.Min, 0, maxPause), within(field+".max", r.Max, 0, maxPause))
}

func (s Scenario) validateLanes() error {
	if len(s.Lanes) < 1 || len(s.Lanes) > 2 {
		return fmt.Errorf("%w: it has %d lanes, must have 1 or 2", ErrScenario, len(s.Lanes))
	}
	for i, lane := range s.Lanes {
		if !laneName.MatchString(lane.Name) {
			return fmt.Errorf("%w: lane name %q must be 1 to 32 of a-z, 0-9 and -", ErrScenario, lane.Name)
		}
		if i > 0 && lane.Name == s.Lanes[0].Name {
			return fmt.Errorf("%w: both lanes are called %q", ErrScenario, lane.Name)
		}
		if _, ok := recipes[lane.Recipe]; !ok {
			return fmt.Errorf("%w: unknown recipe %q, there are %v", ErrScenario, lane.Recipe, RecipeNames())
		}
	}
	return nil
}

func (s Scenario) validateFaults() error {
	for i, f := range s.Faults {
		if !slices.Contains(Faults(), f.Fault) {
			return fmt.Errorf("%w: fault %d: unknown fault %q, there are %v", ErrScenario, i+1, f.Fault, Faults())
		}
		if f.Client < 0 || f.Client > s.Clients {
			return fmt.Errorf("%w: fault %d: client is %d, must be 1 to %d, or 0 for the holder", ErrScenario, i+1, f.Client, s.Clients)
		}
		if f.Lane != "" && !slices.ContainsFunc(s.Lanes, func(l LaneSpec) bool { return l.Name == f.Lane }) {
			return fmt.Errorf("%w: fault %d: there is no lane %q", ErrScenario, i+1, f.Lane)
		}
		if err := within(fmt.Sprintf("fault %d: at", i+1), f.At, 0, maxPause); err != nil {
			return err
		}
	}
	return nil
}

func (s Scenario) validateExpect() error {
	for name, verdict := range s.Expect {
		if !slices.Contains(check.Names(), name) {
			return fmt.Errorf("%w: expect: there is no check %q, there are %v", ErrScenario, name, check.Names())
		}
		if !slices.Contains([]event.Verdict{event.Holds, event.Violated, event.Undecided}, verdict) {
			return fmt.Errorf("%w: expect: %s: %q is no verdict", ErrScenario, name, verdict)
		}
	}
	return nil
}
