package main

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// A condition is under what the recipes are compared.
type condition struct {
	Workload   workload      `json:"workload"`
	Contenders int           `json:"contenders"`
	Hold       time.Duration `json:"holdNanos"`
}

func (c condition) String() string {
	return fmt.Sprintf("%s, hold %v, N=%d", c.Workload, c.Hold, c.Contenders)
}

// A cell says what is measured at once.
type cell struct {
	Recipe string `json:"recipe"`
	condition
	Round int `json:"round"` // from 1
}

func (c cell) String() string {
	return fmt.Sprintf("round %d, %v, %s", c.Round, c.condition, c.Recipe)
}

// A sample is what was measured of a cell.
type sample struct {
	cell
	// PerSecond counts acquisitions.
	PerSecond float64 `json:"perSecond"`
	// P50 and P99 are of hand-overs: from before a release to the next acquisition.
	P50 time.Duration `json:"p50Nanos"`
	P99 time.Duration `json:"p99Nanos"`
	// Requests and Notifications count packets, per acquisition.
	Requests      float64 `json:"requests"`
	Notifications float64 `json:"notifications"`
	// Least and Most are acquisitions of one contender in the measured time.
	Least int64 `json:"least"`
	Most  int64 `json:"most"`
	// Stolen is the share of the processors' time that the machine's host gave to
	// others during the comparison, from 0 to 1; 0 also where that cannot be told.
	Stolen float64 `json:"stolen"`
}

// Samples are those of a whole run, or a selection.
type samples []sample

// A figure is one number of a sample.
type figure func(sample) float64

func perSecond(s sample) float64     { return s.PerSecond }
func p50(s sample) float64           { return float64(s.P50) }
func p99(s sample) float64           { return float64(s.P99) }
func requests(s sample) float64      { return s.Requests }
func notifications(s sample) float64 { return s.Notifications }
func stolen(s sample) float64        { return s.Stolen }

// of selects the samples of one recipe under a condition: one a round.
func (all samples) of(recipe string, under condition) (selected samples) {
	for _, s := range all {
		if s.Recipe == recipe && s.condition == under {
			selected = append(selected, s)
		}
	}
	return selected
}

// median returns the median of a figure, and whether there is one.
func (all samples) median(f figure) (float64, bool) {
	var values []float64
	for _, s := range all {
		values = append(values, f(s))
	}
	return median(values)
}

// ratio returns the median over the rounds of a figure divided by the same
// figure of another recipe, in the same round and under the same condition.
func (all samples) ratio(f figure, recipe, to string, under condition) (float64, bool) {
	others := make(map[int]sample)
	for _, other := range all.of(to, under) {
		others[other.Round] = other
	}
	var ratios []float64
	for _, s := range all.of(recipe, under) {
		if other, ok := others[s.Round]; ok && f(other) > 0 {
			ratios = append(ratios, f(s)/f(other))
		}
	}
	return median(ratios)
}

// median returns the middle of values, and false if there are none.
func median(values []float64) (float64, bool) {
	if len(values) == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle], true
	}
	return (sorted[middle-1] + sorted[middle]) / 2, true
}

// leastFair returns the sample whose contenders had the most different shares.
func (all samples) leastFair() sample {
	return slices.MaxFunc(all, func(a, b sample) int {
		return int((a.Most - a.Least) - (b.Most - b.Least))
	})
}

// errNothing: the trial had ended before it was measured.
var errNothing = errors.New("the turns laid ahead were used up before anything was measured")

// A measured is what happened in the slices of a trial, taken together.
type measured struct {
	counts   []int64 // acquisitions by contender
	withWarm []int64 // the same, the warm-up and all else included
	elapsed  time.Duration
	packets  traffic
	turns    int64 // that these are of: cycles included
}

// add adds a slice, from one stand to the next: the counts at both, and the cycle
// with which it began. One that has not ended was of turns that were used up.
func (all *measured) add(before, after []int64, l *cycle, stood time.Time) {
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

// sample returns the figures of a trial that has been measured.
func (m *trial) sample() (sample, error) {
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
		P50:           m.counter.quantile(50),
		P99:           m.counter.quantile(99),
		Requests:      float64(m.measured.packets.received) / float64(m.measured.turns),
		Notifications: float64(m.measured.packets.notifications()) / float64(m.measured.turns),
		Least:         least,
		Most:          most,
	}, nil
}
