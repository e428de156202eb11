package sim

import (
	"math/rand/v2"
	"time"
)

// A plan is the seeded part of one client's life: when it arrives, how long it
// holds and thinks, what it wants. It depends on the seed and the client's
// number alone, so client 3 does the same in both lanes of a comparison.
type plan struct {
	scenario Scenario
	random   *rand.Rand
	arrival  time.Duration
}

// A turn is one pass through the lock.
type turn struct {
	write bool
	hold  time.Duration
	think time.Duration // before the next turn
}

func newPlan(s Scenario, client int) *plan {
	random := rand.New(rand.NewPCG(uint64(s.Seed), uint64(client)))
	p := &plan{scenario: s, random: random}
	p.arrival = p.between(Range{Max: s.Arrive})
	return p
}

// next draws the next turn. Every turn takes the same number of draws, so that
// what a client is does not change what it draws later.
func (p *plan) next() turn {
	return turn{
		write: p.random.Float64() < p.scenario.Writers,
		hold:  p.between(p.scenario.Hold),
		think: p.between(p.scenario.Think),
	}
}

func (p *plan) between(r Range) time.Duration {
	share := p.random.Float64()
	return time.Duration(r.Min) + time.Duration(share*float64(r.Max-r.Min))
}
