package main

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	tests := []struct {
		values []float64
		want   float64
		ok     bool
	}{
		{nil, 0, false},
		{[]float64{7}, 7, true},
		{[]float64{9, 1}, 5, true},
		{[]float64{9, 1, 2}, 2, true},
		{[]float64{4, 1, 1000, 2}, 3, true},
	}
	for _, test := range tests {
		values := slices.Clone(test.values)
		if got, ok := median(values); got != test.want || ok != test.ok {
			t.Errorf("median(%v) = %v, %v; want %v, %v", test.values, got, ok, test.want, test.ok)
		}
		if !slices.Equal(values, test.values) {
			t.Errorf("median has changed its argument to %v", values)
		}
	}
}

// rate is a sample of which only the throughput matters.
func rate(recipe string, n, round int, perSecond float64) sample {
	return sample{cell: cell{Recipe: recipe, condition: condition{inTurn, n, 0}, Round: round}, PerSecond: perSecond}
}

// Ratios are of neighbours: a slow round is slow for both.
func TestRatio(t *testing.T) {
	all := samples{
		rate("mutex", 8, 1, 100), rate("ring", 8, 1, 200),
		rate("ring", 8, 2, 1000), rate("mutex", 8, 2, 600),
		rate("mutex", 8, 3, 70), rate("ring", 8, 3, 100),
		rate("mutex", 8, 4, 1e6), // its neighbour is missing
		rate("mutex", 1, 1, 1e6), rate("ring", 2, 1, 1),
	}
	if got, ok := all.ratio(perSecond, "mutex", "ring", condition{inTurn, 8, 0}); !ok || math.Abs(got-0.6) > 1e-9 {
		t.Errorf("ratio %v, %v; want 0.6", got, ok)
	}
	if got, ok := all.ratio(perSecond, "mutex", "ring", condition{inTurn, 1, 0}); ok {
		t.Errorf("ratio %v of recipes that were not measured together", got)
	}
	if got, ok := all.ratio(perSecond, "mutex", "ring", condition{inTurn, 8, time.Millisecond}); ok {
		t.Errorf("ratio %v for a hold that was not measured", got)
	}
}

func TestRotate(t *testing.T) {
	list := []string{"a", "b", "c", "d", "e"}
	first := make(map[string]int)
	follows := make(map[string]int)
	for round := range 2 * len(list) {
		order := rotate(list, round)
		first[order[0]]++
		for i := range order[1:] {
			follows[order[i]+order[i+1]]++
		}
		if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, list) {
			t.Fatalf("round %d: %v", round, order)
		}
	}
	for _, recipe := range list {
		if first[recipe] != 2 {
			t.Errorf("%s began %d times of %d", recipe, first[recipe], 2*len(list))
		}
	}
	if follows["ab"] == 0 || follows["ba"] == 0 {
		t.Errorf("always in the same direction: %v", follows)
	}
	if got := rotate(list, 1); !slices.Equal(got, []string{"b", "a", "e", "d", "c"}) {
		t.Errorf("second round %v", got)
	}
}

func TestLeastFair(t *testing.T) {
	all := samples{{Least: 100, Most: 101}, {Least: 3, Most: 9}, {Least: 50, Most: 53}}
	if got := all.leastFair(); got.Least != 3 || got.Most != 9 {
		t.Errorf("least fair: %d-%d", got.Least, got.Most)
	}
}

// The report tells what the host took, where that is anything.
func TestDisturbance(t *testing.T) {
	quiet := samples{{}, {}, {}}
	if got := quiet.disturbance(); got != "" {
		t.Errorf("%q on a quiet machine", got)
	}
	restless := samples{{Stolen: 0.25}, {Stolen: 0.01}, {Stolen: 0.02}}
	if got, want := restless.disturbance(), "the machine's host took 2.0 % of the processors' time, in the median comparison, and 25.0 % at most"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMeasured(t *testing.T) {
	m := newTrial(cell{Recipe: "fake", condition: condition{inTurn, 2, 0}})
	start := time.Unix(0, 0)
	m.measured.add([]int64{0, 0}, []int64{110, 60}, lapUntil(start, 10, 10), start.Add(300*time.Millisecond))
	m.measured.add([]int64{110, 60}, []int64{120, 130}, lapUntil(start, 120, 80), start.Add(100*time.Millisecond))
	m.measured.add([]int64{120, 130}, []int64{120, 150}, newCycle(2, true), start.Add(time.Hour)) // used up
	m.measured.packets = traffic{received: 810, sent: 1350}
	s, err := m.sample()
	if err != nil {
		t.Fatal(err)
	}
	want := sample{cell: m.cell, PerSecond: 500, Requests: 3, Notifications: 2, Least: 100, Most: 100}
	if s != want {
		t.Errorf("sample %+v, want %+v", s, want)
	}
}

// lapUntil is a cycle that ended then, with so many acquisitions of each contender.
func lapUntil(ended time.Time, counts ...int64) *cycle {
	l := newCycle(len(counts), true)
	l.ended, l.counts = ended, counts
	close(l.over)
	return l
}

func TestMeasuredRefuses(t *testing.T) {
	m := newTrial(cell{condition: condition{inTurn, 2, 0}})
	if _, err := m.sample(); !errors.Is(err, errNothing) {
		t.Errorf("error %v, want %v", err, errNothing)
	}
	start := time.Unix(0, 0)
	m.measured.add([]int64{0, 0}, []int64{20, 0}, lapUntil(start, 2, 0), start.Add(time.Second))
	if _, err := m.sample(); !errors.Is(err, errStarved) {
		t.Errorf("error %v, want %v", err, errStarved)
	}
}
