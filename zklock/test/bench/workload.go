package main

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// A workload says what a contender does between its release and its next
// acquisition, and so in which order the contenders come.
type workload string

const (
	// inTurn: each contender is back at once, so that all stand in the same
	// order in every round.
	inTurn workload = "turns"
	// random: each contender thinks before it comes back, and sometimes stays
	// away, so that the order is another in every round.
	random workload = "random"
)

func workloads() []workload { return []workload{inTurn, random} }

func workloadNamed(name string) (workload, error) {
	for _, w := range workloads() {
		if string(w) == name {
			return w, nil
		}
	}
	return "", fmt.Errorf("no workload %q, there are %v", name, workloads())
}

const (
	// usualHandOver is about what a hand-over takes where server and clients
	// share two processors. It is the same for all recipes, so that all think
	// for the same times.
	usualHandOver = 200 * time.Microsecond
	// awayOneIn is how many turns there are for each after which a contender
	// stays away for as long as all others need for another turn.
	awayOneIn = 8
	// thinkSeed makes the think times of two runs the same.
	thinkSeed = 7
)

// A thinker knows how long one contender thinks, turn by turn.
type thinker struct {
	random *rand.Rand // nil for not at all
	most   time.Duration
}

// newThinker returns that of contender i of a cell.
func newThinker(c cell, i int) *thinker {
	if c.Workload != random {
		return &thinker{}
	}
	return &thinker{
		random: rand.New(rand.NewPCG(thinkSeed+uint64(c.Round), uint64(i))),
		most:   time.Duration(c.Contenders) * (c.Hold + usualHandOver),
	}
}

// next returns the time until the contender comes back: of 0 to N hand-overs,
// and N more where it stays away.
func (t *thinker) next() time.Duration {
	if t.random == nil {
		return 0
	}
	pause := time.Duration(t.random.Int64N(int64(t.most)))
	if t.random.IntN(awayOneIn) == 0 {
		pause += t.most
	}
	return pause
}
