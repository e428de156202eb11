package scenario

import (
	"math/rand/v2"
	"time"
)

// A Plan is the seeded part of one client's life: when it arrives, how long it
// holds and thinks, what it wants. It depends on the seed and the client's
// number alone, and on the thread's where it has several, so client 3 does the same
// in both lanes of a comparison.
type Plan struct {
	scenario Scenario
	thread   int // from 1; 0 where the client has one
	own      ClientPlan
	random   *rand.Rand
	// Arrival is when the client begins, after the start of the run.
	Arrival time.Duration
}

// A Turn is one pass through the lock.
type Turn struct {
	Write   bool
	Hold    time.Duration
	Think   time.Duration // before the next turn
	Timeout time.Duration // how long to wait for the lock; 0 for ever
	Try     bool          // do not wait for it
	Revoke  time.Duration // how long to wait until asking for it; 0 for ever
	Thread  int           // whose turn it is, from 1; 0 where the client has one
}

// threadStream keeps what a client's threads draw apart.
const threadStream = 1 << 40

// NewPlans returns the plans of the threads of the client of that number, if its
// recipe knows threads, and else one for all.
func NewPlans(s Scenario, client int, threads bool) []*Plan {
	own := s.planOf(client)
	if !threads || own.Threads == 0 {
		return []*Plan{NewPlan(s, client)}
	}
	var plans []*Plan
	for thread := range own.Threads {
		p := newPlan(s, own, uint64(client)|uint64(thread)*threadStream)
		p.thread = thread + 1
		plans = append(plans, p)
	}
	return plans
}

// NewPlan returns the plan of the client of that number.
func NewPlan(s Scenario, client int) *Plan { return newPlan(s, s.planOf(client), uint64(client)) }

func newPlan(s Scenario, own ClientPlan, stream uint64) *Plan {
	random := rand.New(rand.NewPCG(uint64(s.Seed), stream))
	p := &Plan{scenario: s, own: own, random: random}
	p.Arrival = p.between(Range{Max: s.Arrive})
	if p.own.Arrive != nil {
		p.Arrival = time.Duration(*p.own.Arrive)
	}
	return p
}

// Next draws the next turn. Every turn takes the same number of draws, so that
// whether a client reads or writes does not change what it draws later.
func (p *Plan) Next() Turn {
	return Turn{
		Write:   p.random.Float64() < p.scenario.Writers || p.own.Write,
		Hold:    p.between(*p.own.Hold),
		Think:   p.between(*p.own.Think),
		Timeout: time.Duration(p.own.Timeout),
		Try:     p.own.Try,
		Revoke:  time.Duration(p.own.Revoke),
		Thread:  p.thread,
	}
}

func (p *Plan) between(r Range) time.Duration {
	share := p.random.Float64()
	return time.Duration(r.Min) + time.Duration(share*float64(r.Max-r.Min))
}

// faultStream keeps what faults draw apart from what the clients' plans draw.
const faultStream = 1 << 33

// PlanFaults returns the scenario's faults with what the seed draws put in: the
// client, and how much later than its time each comes. It depends on the seed,
// the number of clients and the fault's place in the list alone, so both lanes
// of a comparison get the same.
func PlanFaults(s Scenario) []ScheduledFault {
	var planned []ScheduledFault
	for i, f := range s.Faults {
		random := rand.New(rand.NewPCG(uint64(s.Seed), faultStream|uint64(i)))
		later, client := Duration(random.Float64()*float64(f.Spread)), random.IntN(max(1, s.Clients))+1
		f.At, f.Spread = f.At+later, 0
		if f.Client == -1 {
			f.Client = client
		}
		planned = append(planned, f)
	}
	return planned
}
