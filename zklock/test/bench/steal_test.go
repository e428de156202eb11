package main

import (
	"testing"

	"github.com/prometheus/procfs"
)

func TestStolenBetween(t *testing.T) {
	cpu := func(user, steal float64) procfs.CPUStat { return procfs.CPUStat{User: user, Guest: user, Steal: steal} }
	for _, test := range []struct {
		before, after procfs.CPUStat
		want          float64
	}{
		{cpu(90, 10), cpu(240, 60), 0.25},
		{cpu(90, 10), cpu(290, 10), 0},
		{cpu(0, 0), cpu(0, 0), 0},
		{cpu(90, 10), cpu(0, 0), 0},
		{cpu(90, 10), cpu(195, 5), 0}, // as some hosts count
		{cpu(90, 10), cpu(20, 90), 1},
	} {
		if got := stolenBetween(test.before, test.after); got != test.want {
			t.Errorf("from %+v to %+v: %v, want %v", test.before, test.after, got, test.want)
		}
	}
}
