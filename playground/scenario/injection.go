package scenario

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// MinInject is the least time that may be asked for between two injected faults.
const MinInject = time.Second

// An Injection says which faults are injected into some client or guest of each lane
// again and again, and how often: by the fault's name the time from one to the next, on
// average, MinInject to MaxTime; 0, or none, is never.
type Injection map[string]Duration

// A Repeated is a fault of an [Injection] with its time.
type Repeated struct {
	Fault string
	Every time.Duration
}

// Faults are all that an injection may have, with 0 those that it has not.
func (i Injection) Faults(c Catalogue) []Repeated {
	var all []Repeated
	for _, fault := range c.repeating() {
		all = append(all, Repeated{fault, time.Duration(i[fault])})
	}
	return all
}

// With is the injection changed: what change leaves out stays.
func (i Injection) With(change Injection) Injection {
	changed := make(Injection)
	maps.Copy(changed, i)
	maps.Copy(changed, change)
	maps.DeleteFunc(changed, func(_ string, every Duration) bool { return every == 0 })
	return changed
}

// Validate says what is wrong with it, naming the fault.
func (i Injection) Validate(c Catalogue) error {
	repeating := c.repeating()
	for _, fault := range slices.Sorted(maps.Keys(i)) {
		if !slices.Contains(repeating, fault) {
			return fmt.Errorf("%w: inject: %q cannot come again and again, there are %s", ErrInvalid, fault, strings.Join(repeating, ", "))
		}
		if every := time.Duration(i[fault]); every != 0 && (every < MinInject || every > MaxTime) {
			return fmt.Errorf("%w: inject.%s is %v, must be 0 or %v to %v", ErrInvalid, fault, every, MinInject, MaxTime)
		}
	}
	return nil
}

// A Role is what a client does when it is chosen.
type Role int

// The roles that are drawn.
const (
	Anybody Role = iota
	Waiter
	Holder
	roles
)

// An Injected is one fault of an injection: how long after the one before, and whom.
// The client is the first with the role from a place in the lane on, so that lanes in
// which the same clients have it choose the same. From is that place, from 0 for the
// first client to below 1 for the last, as guests come and go.
type Injected struct {
	After time.Duration
	Role  Role
	From  float64
}

// An InjectionPlan draws when one of an injection's faults comes, and whom it
// concerns. It depends on the seed and the fault alone, so both lanes of a comparison
// get the same.
type InjectionPlan struct {
	every  time.Duration
	random *rand.Rand
}

// injectionStream keeps what injections draw apart from what clients' plans and
// scheduled faults draw.
const injectionStream = 1 << 34

// NewInjectionPlan returns the plan of a fault that comes every so often.
func NewInjectionPlan(s Scenario, c Catalogue, r Repeated) *InjectionPlan {
	stream := injectionStream | uint64(slices.Index(c.repeating(), r.Fault))
	random := rand.New(rand.NewPCG(uint64(s.Seed), stream))
	return &InjectionPlan{every: r.Every, random: random}
}

// Next draws the next one: half the time to half as much again after the last.
func (p *InjectionPlan) Next() Injected {
	share := 0.5 + p.random.Float64()
	return Injected{After: time.Duration(share * float64(p.every)), Role: Role(p.random.IntN(int(roles))), From: p.random.Float64()}
}
