package sim

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
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
	if s.Turns < 0 || s.Turns > MaxTurns {
		return fmt.Errorf("%w: turns is %d, must be 0 to %d", ErrScenario, s.Turns, MaxTurns)
	}
	return errors.Join(s.validateTimes(), s.validateLanes(), s.validateFaults(), s.validateScript(), s.validateExpect())
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
	if len(s.Lanes) < 1 || len(s.Lanes) > MaxLanes {
		return fmt.Errorf("%w: it has %d lanes, must have 1 to %d", ErrScenario, len(s.Lanes), MaxLanes)
	}
	for i, lane := range s.Lanes {
		if err := lane.validate(); err != nil {
			return err
		}
		if slices.ContainsFunc(s.Lanes[:i], func(l LaneSpec) bool { return l.Name == lane.Name }) {
			return fmt.Errorf("%w: two lanes are called %q", ErrScenario, lane.Name)
		}
	}
	return nil
}

// accounts are what a lane's account may be.
var accounts = []string{"unfenced", "token", "guard"}

func (l LaneSpec) validate() error {
	if !laneName.MatchString(l.Name) {
		return fmt.Errorf("%w: lane name %q must be 1 to 32 of a-z, 0-9 and -", ErrScenario, l.Name)
	}
	if _, ok := recipes[l.Recipe]; !ok {
		return fmt.Errorf("%w: unknown recipe %q, there are %v", ErrScenario, l.Recipe, RecipeNames())
	}
	if l.Account != "" && !slices.Contains(accounts, l.Account) {
		return fmt.Errorf("%w: lane %s: unknown account %q, there are %v", ErrScenario, l.Name, l.Account, accounts)
	}
	if l.Recipe == "flag" && (l.Account == "token" || l.Account == "guard") {
		return fmt.Errorf("%w: lane %s: recipe flag has no znode of its own, so account %s has nothing to compare", ErrScenario, l.Name, l.Account)
	}
	return nil
}

// hasLane says whether there is such a lane; no name stands for every lane.
func (s Scenario) hasLane(name string) bool {
	return name == "" || slices.ContainsFunc(s.Lanes, func(l LaneSpec) bool { return l.Name == name })
}

func (s Scenario) validateFaults() error {
	for i, f := range s.Faults {
		if err := s.validateFault(f); err != nil {
			return fmt.Errorf("%w: fault %d: %w", ErrScenario, i+1, err)
		}
		name := fmt.Sprintf("fault %d: ", i+1)
		if err := errors.Join(within(name+"at", f.At, 0, maxPause), within(name+"spread", f.Spread, 0, maxPause)); err != nil {
			return err
		}
	}
	return nil
}

func (s Scenario) validateFault(f FaultSpec) error {
	if f.Client < -1 || f.Client > s.Clients {
		return fmt.Errorf("client is %d, must be 1 to %d, 0 for the holder, or -1 for one that the seed draws", f.Client, s.Clients)
	}
	if !s.hasLane(f.Lane) {
		return fmt.Errorf("there is no lane %q", f.Lane)
	}
	return f.on(f.Client, f.Lane).validate(s.maxDelay())
}

func (s Scenario) validateExpect() error {
	for name, verdict := range s.Expect {
		checkName := name
		if lane, rest, found := strings.Cut(name, "/"); found {
			if lane == "" || !s.hasLane(lane) {
				return fmt.Errorf("%w: expect: %s: there is no lane %q", ErrScenario, name, lane)
			}
			checkName = rest
		}
		if !slices.Contains(check.Names(), checkName) {
			return fmt.Errorf("%w: expect: there is no check %q, there are %v", ErrScenario, checkName, check.Names())
		}
		if !slices.Contains([]event.Verdict{event.Holds, event.Violated, event.Undecided}, verdict) {
			return fmt.Errorf("%w: expect: %s: %q is no verdict", ErrScenario, name, verdict)
		}
	}
	return nil
}
