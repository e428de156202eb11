package sim

import "math/rand/v2"

// faultStream keeps what faults draw apart from what the clients' plans draw.
const faultStream = 1 << 33

// planFaults returns the scenario's faults with what the seed draws put in: the
// victim, and how much later than its time each comes. It depends on the seed,
// the number of clients and the fault's place in the list alone, so both lanes
// of a comparison get the same.
func planFaults(s Scenario) []FaultSpec {
	var planned []FaultSpec
	for i, f := range s.Faults {
		random := rand.New(rand.NewPCG(uint64(s.Seed), faultStream|uint64(i)))
		later, victim := Duration(random.Float64()*float64(f.Spread)), random.IntN(s.Clients)+1
		f.At, f.Spread = f.At+later, 0
		if f.Client == -1 {
			f.Client = victim
		}
		planned = append(planned, f)
	}
	return planned
}
