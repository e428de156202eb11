package chaos

import (
	"math/rand/v2"
	"slices"
	"time"
)

// changing are the operations whose replies are lost: those that change
// something. An acquisition creates its znode by a create or by a multi.
var changing = []string{"create", "multi", "delete"}

// A plan is an endless sequence of faults, the same for the same seed.
type plan struct {
	random  *rand.Rand
	clients int
	longest time.Duration
	servers []ServerFault
	coming  []FaultKind // in their order
}

// newPlan begins with one fault of each kind, so that a short round has all.
func newPlan(seed uint64, clients int, longest time.Duration, servers []ServerFault) *plan {
	p := &plan{random: rand.New(rand.NewPCG(seed, 1)), clients: clients, longest: longest, servers: servers}
	for _, fault := range servers {
		p.coming = append(p.coming, fault.Kind)
	}
	for _, kind := range faultKinds {
		p.coming = append(p.coming, kind.name)
	}
	p.shuffle()
	return p
}

func (p *plan) shuffle() {
	p.random.Shuffle(len(p.coming), func(i, j int) { p.coming[i], p.coming[j] = p.coming[j], p.coming[i] })
}

// refill adds each fault as often as it comes up.
func (p *plan) refill() {
	for _, fault := range p.servers {
		for range fault.Count {
			p.coming = append(p.coming, fault.Kind)
		}
	}
	for _, kind := range faultKinds {
		for range kind.count {
			p.coming = append(p.coming, kind.name)
		}
	}
	p.shuffle()
}

// next returns the next fault, and how long to wait before it.
func (p *plan) next() (Fault, time.Duration) {
	if len(p.coming) == 0 {
		p.refill()
	}
	f := Fault{Kind: p.coming[0], Client: 1 + p.random.IntN(p.clients)}
	p.coming = p.coming[1:]
	f.OnHolder = p.random.IntN(4) > 0
	f.Length = p.between(50*time.Millisecond, p.longest)
	f.Delay = p.between(time.Millisecond, 150*time.Millisecond)
	switch {
	case slices.ContainsFunc(p.servers, func(s ServerFault) bool { return s.Kind == f.Kind }):
		f.Client, f.OnHolder = 0, false
	case f.Kind == LoseReply:
		f.OnHolder = false // a holder's create is over
		f.Op = changing[p.random.IntN(len(changing))]
	}
	return f, p.between(50*time.Millisecond, 550*time.Millisecond)
}

// between draws a time.
func (p *plan) between(low, high time.Duration) time.Duration {
	return low + time.Duration(p.random.Int64N(int64(high-low)))
}
