package main

import (
	"errors"
	"time"
)

// errNothing: the match had ended before it was measured.
var errNothing = errors.New("the turns laid ahead were used up before anything was measured")

// A measured is what happened in the slices of a match, taken together.
type measured struct {
	counts   []int64 // acquisitions by contender
	withWarm []int64 // the same, the warm-up and all else included
	elapsed  time.Duration
	packets  traffic
}

// add adds a slice with the counts before and after it.
func (all *measured) add(before, after []int64, elapsed time.Duration) {
	for i := range all.counts {
		all.counts[i] += after[i] - before[i]
	}
	all.withWarm = after
	all.elapsed += elapsed
}

// sample returns the figures of a match that has been measured.
func (m *match) sample() (sample, error) {
	total := sum(m.measured.counts)
	if total == 0 {
		return sample{}, errNothing
	}
	if err := fairness(m.measured.withWarm); err != nil {
		return sample{}, err
	}
	least, most := spread(m.measured.counts)
	return sample{
		cell:          m.cell,
		PerSecond:     float64(total) / m.measured.elapsed.Seconds(),
		P50:           m.tally.quantile(50),
		P99:           m.tally.quantile(99),
		Requests:      float64(m.measured.packets.received) / float64(total),
		Notifications: float64(m.measured.packets.notifications()) / float64(total),
		Least:         least,
		Most:          most,
	}, nil
}
