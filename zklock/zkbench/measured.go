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
	turns    int64 // that these are of: laps included
}

// add adds a slice, from one stand to the next: the counts at both, and the lap
// with which it began. One that has not ended was of turns that were used up.
func (all *measured) add(before, after []int64, l *lap, stood time.Time) {
	all.withWarm = after
	all.turns += sum(after) - sum(before)
	if !isClosed(l.over) {
		return
	}
	for i := range all.counts {
		all.counts[i] += after[i] - l.counts[i]
	}
	all.elapsed += stood.Sub(l.ended)
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
		Requests:      float64(m.measured.packets.received) / float64(m.measured.turns),
		Notifications: float64(m.measured.packets.notifications()) / float64(m.measured.turns),
		Least:         least,
		Most:          most,
	}, nil
}
