package main

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// Think times are the same in each run, differ between contenders and rounds, and
// are of 0 to N hand-overs, or N more.
func TestThinkTimes(t *testing.T) {
	c := cell{condition: condition{random, 8, time.Millisecond}, Round: 1}
	times := func(c cell, contender int) (all []time.Duration) {
		thinker := newThinker(c, contender)
		for range 1000 {
			all = append(all, thinker.next())
		}
		return all
	}
	first := times(c, 0)
	if !slices.Equal(first, times(c, 0)) {
		t.Error("another run has other times")
	}
	next := c
	next.Round++
	if slices.Equal(first, times(c, 1)) || slices.Equal(first, times(next, 0)) {
		t.Error("another contender, or round, has the same times")
	}
	most := 8 * (time.Millisecond + usualHandOver)
	away := 0
	for _, length := range first {
		if length < 0 || length >= 2*most {
			t.Fatalf("it thinks for %v, want less than %v", length, 2*most)
		}
		if length >= most {
			away++
		}
	}
	if away < 1000/awayOneIn/2 || away > 2*1000/awayOneIn {
		t.Errorf("away %d times of 1000, want one in %d", away, awayOneIn)
	}
	c.Workload = inTurn
	if slices.Max(times(c, 0)) > 0 {
		t.Error("in turn, nobody thinks")
	}
}

// Who thinks is not waited for when the trial is over.
func TestThinkingEnds(t *testing.T) {
	m := newTrial(cell{condition: condition{random, 1000, time.Hour}})
	close(m.over)
	if err := pause(t.Context(), newThinker(m.cell, 0).next(), m.over); err != nil {
		t.Error(err)
	}
	m = newTrial(m.cell)
	if err := pause(ended(t), newThinker(m.cell, 0).next(), m.over); !errors.Is(err, errEnded) {
		t.Errorf("%v, want %v", err, errEnded)
	}
}

var errEnded = errors.New("ended")

func ended(t *testing.T) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnded)
	return ctx
}
