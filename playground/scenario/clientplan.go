package scenario

import (
	"errors"
	"fmt"
	"slices"
)

// A ClientPlan is what one client does otherwise than the scenario says. What is left
// out is as for the others.
type ClientPlan struct {
	// Client is its number.
	Client int `json:"client"`
	// Arrive is when it wants the lock first, after the start of the run.
	Arrive *Duration `json:"arrive,omitempty"`
	// Hold and Think are those of the scenario.
	Hold  *Range `json:"hold,omitempty"`
	Think *Range `json:"think,omitempty"`
	// Write says that it always wants to write, in lanes whose recipe knows the difference.
	Write bool `json:"write,omitempty"`
	// Timeout is how long it waits for the lock before it gives up, 0 for ever, and
	// Try says that it does not wait at all; in lanes whose recipe knows that.
	Timeout Duration `json:"timeout,omitempty"`
	Try     bool     `json:"try,omitempty"`
	// Locks are the names of the locks that it wants, in the order in which it asks for
	// them; in lanes with several locks. Left out, they are all of the lane's, and a
	// recipe that takes one lock takes the first.
	Locks []string `json:"locks,omitempty"`
	// Threads is how many threads of its process want the lock, each for itself, 0 for
	// one; in lanes whose recipe knows threads.
	Threads int `json:"threads,omitempty"`
	// Revoke is how long it waits until it asks the holder to give the lock up, 0 for
	// ever; in lanes whose recipe knows that.
	Revoke Duration `json:"revoke,omitempty"`
}

// planOf is what a client does, with what the scenario says of all clients where its
// own plan says nothing.
func (s Scenario) planOf(client int) ClientPlan {
	plan := ClientPlan{Client: client}
	if i := slices.IndexFunc(s.Each, func(p ClientPlan) bool { return p.Client == client }); i >= 0 {
		plan = s.Each[i]
	}
	if plan.Hold == nil {
		plan.Hold = &s.Hold
	}
	if plan.Think == nil {
		plan.Think = &s.Think
	}
	return plan
}

// LocksOf are the names of the locks that a client of the lane wants; none where the
// lane has but one.
func (s Scenario) LocksOf(lane Lane, client int) []string {
	if own := s.planOf(client).Locks; len(own) > 0 && len(lane.Locks) > 0 {
		return own
	}
	return lane.Locks
}

// validateLocks says which client wants a lock that its lane has not.
func (s Scenario) validateLocks(lane Lane) error {
	if len(lane.Locks) == 0 {
		return nil
	}
	for i, p := range s.Each {
		for j, name := range p.Locks {
			if !slices.Contains(lane.Locks, name) || slices.Contains(p.Locks[:j], name) {
				return fmt.Errorf("%w: each %d: locks are %v, must be some of lane %s's, which are %v, each once", ErrInvalid, i+1, p.Locks, lane.Name, lane.Locks)
			}
		}
	}
	return nil
}

func (s Scenario) validateEach() error {
	for i, p := range s.Each {
		if p.Client < 1 || p.Client > MaxClients {
			return fmt.Errorf("%w: each %d: client is %d, must be 1 to %d", ErrInvalid, i+1, p.Client, MaxClients)
		}
		if slices.ContainsFunc(s.Each[:i], func(other ClientPlan) bool { return other.Client == p.Client }) {
			return fmt.Errorf("%w: each %d: client %d is there twice", ErrInvalid, i+1, p.Client)
		}
		if err := p.validate(fmt.Sprintf("each %d: ", i+1)); err != nil {
			return err
		}
	}
	return nil
}

func (p ClientPlan) validate(name string) error {
	err := errors.Join(Within(name+"timeout", p.Timeout, 0, MaxTime), Within(name+"revoke", p.Revoke, 0, MaxTime))
	if p.Threads < 0 || p.Threads > MaxThreads {
		err = errors.Join(err, fmt.Errorf("%w: %sthreads is %d, must be 0 to %d", ErrInvalid, name, p.Threads, MaxThreads))
	}
	if p.Arrive != nil {
		err = errors.Join(err, Within(name+"arrive", *p.Arrive, 0, MaxTime))
	}
	if p.Hold != nil {
		err = errors.Join(err, p.Hold.validate(name+"hold"))
	}
	if p.Think != nil {
		err = errors.Join(err, p.Think.validate(name+"think"))
	}
	return err
}
