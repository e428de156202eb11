package main

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// A lap ends with the first turn of the last contender, or when it is cut with the
// next turn, and is over with the turn after that.
func TestLap(t *testing.T) {
	const cut = -1
	start := time.Unix(0, 0)
	for _, test := range []struct {
		name   string
		turns  []int // of which contender
		ended  int   // with which of the turns, in seconds since start; 0 if not
		over   bool
		counts []int64
	}{
		{"begun", []int{0}, 0, false, nil},
		{"not all", []int{0, 0, 0}, 0, false, nil},
		{"ended", []int{0, 0, 1}, 3, false, []int64{2, 1}},
		{"over", []int{0, 0, 1, 0}, 3, true, []int64{2, 1}},
		{"long over", []int{1, 0, 1, 0}, 2, true, []int64{1, 1}},
		{"cut", []int{0, cut}, 0, false, nil},
		{"cut, ended", []int{0, cut, 0}, 2, false, []int64{2, 0}},
		{"cut, over", []int{0, cut, 0, 1}, 2, true, []int64{2, 0}},
		{"cut too late", []int{0, 1, cut, 1}, 2, true, []int64{1, 1}},
	} {
		l, counts, turns := newLap(2, true), make([]atomic.Int64, 2), 0
		for _, contender := range test.turns {
			if contender == cut {
				l.cut()
				continue
			}
			turns++
			counts[contender].Add(1)
			l.acquired(contender, start.Add(time.Duration(turns)*time.Second), counts)
		}
		if want := start.Add(time.Duration(test.ended) * time.Second); l.ended.IsZero() != (test.ended == 0) || test.ended != 0 && !l.ended.Equal(want) {
			t.Errorf("%s: it ended at %v, want %v", test.name, l.ended, want)
		}
		if isClosed(l.over) != test.over || !slices.Equal(l.counts, test.counts) {
			t.Errorf("%s: over %v with counts %v, want %v with %v", test.name, isClosed(l.over), l.counts, test.over, test.counts)
		}
	}
}
