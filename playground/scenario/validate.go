package scenario

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

var laneName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// Validate says what is wrong with the scenario, naming the field. The recipes,
// faults and checks that it may name are those of the catalogue.
func (s Scenario) Validate(c Catalogue) error {
	if !laneName.MatchString(s.Name) {
		return fmt.Errorf("%w: name %q must be 1 to 32 of a-z, 0-9 and -", ErrInvalid, s.Name)
	}
	if s.Clients < 0 || s.Clients > MaxClients {
		return fmt.Errorf("%w: clients is %d, must be 0 to %d", ErrInvalid, s.Clients, MaxClients)
	}
	if s.Writers < 0 || s.Writers > 1 {
		return fmt.Errorf("%w: writers is %v, must be 0 to 1", ErrInvalid, s.Writers)
	}
	if s.Turns < 0 || s.Turns > MaxTurns {
		return fmt.Errorf("%w: turns is %d, must be 0 to %d", ErrInvalid, s.Turns, MaxTurns)
	}
	return errors.Join(s.validateTimes(), s.validateEach(), s.validateLanes(c), s.validateFaults(c), s.Inject.Validate(c), s.validateScript(c), s.validateExpect(c), s.validateDecisive())
}

// RequireClients says that nobody could take part, unless guests can join.
func (s Scenario) RequireClients(guests bool) error {
	if s.Clients > 0 || guests {
		return nil
	}
	return fmt.Errorf("%w: clients is 0, and no guests can join; start with -guests ADDRESS, or have a client", ErrInvalid)
}

func (s Scenario) validateTimes() error {
	return errors.Join(
		Within("session", s.Session, MinSession, MaxSession),
		Within("delay", s.Delay, 0, s.MaxDelay()),
		Within("arrive", s.Arrive, 0, MaxTime),
		s.Hold.validate("hold"),
		s.Think.validate("think"))
}

// MaxDelay keeps a round trip, with its heartbeats, well within the time after
// which a client gives a silent connection up, two thirds of its session timeout.
func (s Scenario) MaxDelay() time.Duration { return min(MaxDelay, time.Duration(s.Session)/4) }

// Within says that a duration is out of its range, if so.
func Within(field string, d Duration, low, high time.Duration) error {
	if t := time.Duration(d); t < low || t > high {
		return fmt.Errorf("%w: %s is %v, must be %v to %v", ErrInvalid, field, t, low, high)
	}
	return nil
}

func (r Range) validate(field string) error {
	if r.Min > r.Max {
		return fmt.Errorf("%w: %s.min is above %s.max", ErrInvalid, field, field)
	}
	return errors.Join(Within(field+".min", r.Min, 0, MaxTime), Within(field+".max", r.Max, 0, MaxTime))
}

func (s Scenario) validateLanes(c Catalogue) error {
	if len(s.Lanes) < 1 || len(s.Lanes) > MaxLanes {
		return fmt.Errorf("%w: it has %d lanes, must have 1 to %d", ErrInvalid, len(s.Lanes), MaxLanes)
	}
	for i, lane := range s.Lanes {
		if err := errors.Join(lane.validate(c), s.validateLocks(lane)); err != nil {
			return err
		}
		most := MaxPrograms
		if lane.Source != "" {
			most = MaxSources
		}
		recipe, _ := c.recipe(lane.Recipe)
		if recipe.Program && (s.Clients < 1 || s.Clients > most) {
			return fmt.Errorf("%w: clients is %d, must be 1 to %d where lane %s runs a program for each", ErrInvalid, s.Clients, most, lane.Name)
		}
		if lane.Source != "" && !recipe.Program {
			return fmt.Errorf("%w: lane %s: recipe %s is no program, so leave source out", ErrInvalid, lane.Name, lane.Recipe)
		}
		if slices.ContainsFunc(s.Lanes[:i], func(l Lane) bool { return l.Name == lane.Name }) {
			return fmt.Errorf("%w: two lanes are called %q", ErrInvalid, lane.Name)
		}
	}
	return nil
}

// accounts are what a lane's account may be.
var accounts = []string{AccountUnfenced, AccountToken, AccountGuard}

func (l Lane) validate(c Catalogue) error {
	if !laneName.MatchString(l.Name) {
		return fmt.Errorf("%w: lane name %q must be 1 to 32 of a-z, 0-9 and -", ErrInvalid, l.Name)
	}
	recipe, ok := c.recipe(l.Recipe)
	if !ok {
		return fmt.Errorf("%w: unknown recipe %q, there are %v", ErrInvalid, l.Recipe, c.recipeNames())
	}
	if l.Account != "" && !slices.Contains(accounts, l.Account) {
		return fmt.Errorf("%w: lane %s: unknown account %q, there are %v", ErrInvalid, l.Name, l.Account, accounts)
	}
	if recipe.Store != "" && l.Account == AccountGuard {
		return fmt.Errorf("%w: lane %s: account guard is a transaction of ZooKeeper, and the lock of recipe %s is not there", ErrInvalid, l.Name, l.Recipe)
	}
	if recipe.Program && l.Account == AccountGuard {
		return fmt.Errorf("%w: lane %s: account guard is a transaction in the session that holds the lock, and that of a program is its own", ErrInvalid, l.Name)
	}
	if recipe.NoZnode && (l.Account == AccountToken || l.Account == AccountGuard) {
		return fmt.Errorf("%w: lane %s: recipe %s has no znode of its own, so account %s has nothing to compare", ErrInvalid, l.Name, l.Recipe, l.Account)
	}
	return errors.Join(l.validatePermits(recipe), l.validateLocks(recipe))
}

func (l Lane) validateLocks(recipe RecipeKind) error {
	if len(l.Locks) == 0 {
		return nil
	}
	if recipe.NoQueue || recipe.Silent || recipe.Program || l.Account != "" {
		return fmt.Errorf("%w: lane %s: recipe %s, or an account, is for one lock, so leave locks out", ErrInvalid, l.Name, l.Recipe)
	}
	if len(l.Locks) < 2 || len(l.Locks) > MaxLocks {
		return fmt.Errorf("%w: lane %s: it has %d locks, must have 2 to %d", ErrInvalid, l.Name, len(l.Locks), MaxLocks)
	}
	for i, name := range l.Locks {
		if !laneName.MatchString(name) || slices.Contains(l.Locks[:i], name) {
			return fmt.Errorf("%w: lane %s: lock name %q must be 1 to 32 of a-z, 0-9 and -, and no other's", ErrInvalid, l.Name, name)
		}
	}
	return nil
}

func (l Lane) validatePermits(recipe RecipeKind) error {
	switch {
	case !recipe.Permits && l.Permits != 0:
		return fmt.Errorf("%w: lane %s: recipe %s has no permits, so leave permits out", ErrInvalid, l.Name, l.Recipe)
	case recipe.Permits && (l.Permits < 1 || l.Permits > MaxClients):
		return fmt.Errorf("%w: lane %s: permits is %d, must be 1 to %d", ErrInvalid, l.Name, l.Permits, MaxClients)
	}
	return nil
}

// HasLane says whether there is such a lane; no name stands for every lane.
func (s Scenario) HasLane(name string) bool {
	return name == "" || slices.ContainsFunc(s.Lanes, func(l Lane) bool { return l.Name == name })
}

func (s Scenario) validateFaults(c Catalogue) error {
	for i, f := range s.Faults {
		if err := s.validateFault(c, f); err != nil {
			return fmt.Errorf("%w: fault %d: %w", ErrInvalid, i+1, err)
		}
		name := fmt.Sprintf("fault %d: ", i+1)
		if err := errors.Join(Within(name+"at", f.At, 0, MaxTime), Within(name+"spread", f.Spread, 0, MaxTime)); err != nil {
			return err
		}
	}
	return nil
}

func (s Scenario) validateFault(c Catalogue, f ScheduledFault) error {
	if f.Client == -1 && s.Clients == 0 {
		return errors.New("client is -1, for one that the seed draws, and clients is 0")
	}
	if f.Client < -1 || f.Client > s.Clients+MaxGuests {
		return fmt.Errorf("client is %d, must be 1 to %d, 0 for the holder, -1 for one that the seed draws, or up to %d for a guest", f.Client, s.Clients, s.Clients+MaxGuests)
	}
	if !s.HasLane(f.Lane) {
		return fmt.Errorf("there is no lane %q", f.Lane)
	}
	return f.Fault.Validate(c, s.MaxDelay())
}

func (s Scenario) validateDecisive() error {
	for i, name := range s.Decisive {
		if !slices.Contains(event.InstantNames(), name) {
			return fmt.Errorf("%w: decisive: there is no instant %q, there are %v", ErrInvalid, name, event.InstantNames())
		}
		if slices.Contains(s.Decisive[:i], name) {
			return fmt.Errorf("%w: decisive: %q is there twice", ErrInvalid, name)
		}
	}
	return nil
}

func (s Scenario) validateExpect(c Catalogue) error {
	for name, verdict := range s.Expect {
		checkName := name
		if lane, rest, found := strings.Cut(name, "/"); found {
			if lane == "" || !s.HasLane(lane) {
				return fmt.Errorf("%w: expect: %s: there is no lane %q", ErrInvalid, name, lane)
			}
			checkName = rest
		}
		if !slices.Contains(c.checkNames(), checkName) {
			return fmt.Errorf("%w: expect: there is no check %q, there are %v", ErrInvalid, checkName, c.checkNames())
		}
		if !slices.Contains([]event.Verdict{event.Holds, event.Violated, event.Undecided}, verdict) {
			return fmt.Errorf("%w: expect: %s: %q is no verdict", ErrInvalid, name, verdict)
		}
	}
	return nil
}
