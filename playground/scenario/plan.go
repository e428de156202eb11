package scenario

import (
	"math/rand/v2"
	"time"
)

// A Plan is the seeded part of one client's life: when it arrives, how long it
// holds and thinks, what it wants. It depends on the seed and the client's
// number alone, so client 3 does the same in both lanes of a comparison.
type Plan struct {
	scenario Scenario
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
}

// NewPlan returns the plan of the client of that number.
func NewPlan(s Scenario, client int) *Plan {
	random := rand.New(rand.NewPCG(uint64(s.Seed), uint64(client)))
	p := &Plan{scenario: s, own: s.planOf(client), random: random}
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
		later, client := Duration(random.Float64()*float64(f.Spread)), random.IntN(s.Clients)+1
		f.At, f.Spread = f.At+later, 0
		if f.Client == -1 {
			f.Client = client
		}
		planned = append(planned, f)
	}
	return planned
}
