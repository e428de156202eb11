package main

import (
	"errors"
	"testing"
)

func TestWitness(t *testing.T) {
	tests := []struct {
		name   string
		see    func(w *witness)
		counts []int64
		want   error
	}{
		{"in turn", func(w *witness) { w.enter(0); w.leave(0); w.enter(1); w.leave(1) }, []int64{1, 1}, nil},
		{"both at once", func(w *witness) { w.enter(0); w.enter(1); w.leave(1); w.leave(0) }, []int64{1, 1}, errExclusion},
		{"left by another", func(w *witness) { w.enter(0); w.leave(1) }, []int64{1, 0}, errExclusion},
		{"an update was lost", func(w *witness) { w.enter(0); w.leave(0) }, []int64{1, 1}, errExclusion},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var w witness
			test.see(&w)
			if err := w.verdict(test.counts); !errors.Is(err, test.want) {
				t.Errorf("verdict %v, want %v", err, test.want)
			}
		})
	}
}

func TestFairness(t *testing.T) {
	tests := []struct {
		counts []int64
		want   error
	}{
		{[]int64{0}, nil},
		{[]int64{100, 90}, nil},
		{[]int64{0, 1, 1}, nil}, // too short to tell
		{[]int64{12, 0, 13}, errStarved},
	}
	for _, test := range tests {
		if err := fairness(test.counts); !errors.Is(err, test.want) {
			t.Errorf("fairness(%v) = %v, want %v", test.counts, err, test.want)
		}
	}
}
