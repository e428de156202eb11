package main

import (
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
	// others during the heat, from 0 to 1; 0 also where that cannot be told.
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
