package main

import (
	"strings"
	"testing"
	"time"
)

var bothHolds = []time.Duration{0, goalHold}

// outcomes returns how the goals turned out whose text contains part.
func outcomes(all samples, part string) (list []string) {
	for _, g := range goals(bothHolds) {
		if strings.Contains(g.what, part) {
			_, outcome := g.outcome(all)
			list = append(list, outcome)
		}
	}
	return list
}

func TestGoals(t *testing.T) {
	throughput := func(mutex, other float64) samples {
		at := func(recipe string, perSecond float64) sample {
			return sample{cell: cell{Recipe: recipe, condition: condition{random, 8, 0}, Round: 1}, PerSecond: perSecond}
		}
		return samples{at(mutexName, mutex), at(goZooKeeper, other)}
	}
	handOver := func(mutex, chain time.Duration) samples {
		at := func(recipe string, p50 time.Duration) sample {
			return sample{cell: cell{Recipe: recipe, condition: condition{inTurn, 8, goalHold}, Round: 1}, P50: p50}
		}
		return samples{at(mutexName, mutex), at(chainName, chain)}
	}
	packets := func(n int, requests, notifications float64) samples {
		return samples{{cell: cell{Recipe: mutexName, condition: condition{inTurn, n, 0}, Round: 1}, Requests: requests, Notifications: notifications}}
	}
	tests := []struct {
		name, goal string
		all        samples
		want       string
	}{
		{"nothing", "over go-zookeeper, random, hold 0s, N=8", nil, notMeasured},
		{"fast", "over go-zookeeper, random, hold 0s, N=8", throughput(111, 100), met},
		{"slow", "over go-zookeeper, random, hold 0s, N=8", throughput(109, 100), missed},
		{"another workload", "over ring, turns, hold 0s, N=1", throughput(111, 100), notMeasured},
		{"quick", "p50 over chain, turns, hold 2ms, N=8", handOver(109, 100), met},
		{"late", "p50 over chain, turns, hold 2ms, N=8", handOver(111, 100), missed},
		{"two requests", "requests, alone", packets(1, 2.01, 0), met},
		{"three requests", "requests, alone", packets(1, 3, 0), missed},
		{"only contended", "requests, alone", packets(2, 3, 0), notMeasured},
		{"six requests", "requests, contended", packets(32, 6, 2), met},
		{"seven requests", "requests, contended", packets(32, 7, 2), missed},
		{"a herd", "notifications, contended", packets(32, 6, 31), missed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := outcomes(test.all, test.goal); len(got) != 1 || got[0] != test.want {
				t.Errorf("%s: %q, want %s", test.goal, got, test.want)
			}
		})
	}
}

// The worst N and hold count.
func TestWorst(t *testing.T) {
	all := samples{
		{cell: cell{Recipe: mutexName, condition: condition{inTurn, 2, 0}}, Requests: 4},
		{cell: cell{Recipe: mutexName, condition: condition{inTurn, 8, goalHold}}, Requests: 5},
		{cell: cell{Recipe: herdMutexName, condition: condition{inTurn, 32, 0}}, Requests: 40},
		{cell: cell{Recipe: mutexName, condition: condition{inTurn, 1, 0}}, Requests: 9},
	}
	if got, ok := all.worst(requests, bothHolds, contended); !ok || got != 5 {
		t.Errorf("worst %v, %v; want 5", got, ok)
	}
}
