package main

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// goFake starts a match of a fake lock, which stands when it returns.
func goFake(t *testing.T, contenders int) *match {
	t.Helper()
	m := newMatch(cell{Recipe: "fake", condition: condition{inTurn, contenders, 0}})
	openFake(m, new(diary))
	ctx, fail := context.WithCancelCause(t.Context())
	m.start(ctx, fail)
	t.Cleanup(func() {
		if err := m.end(); err != nil {
			t.Error(err)
		}
		fail(nil)
	})
	if err := m.warmUp(ctx, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	return m
}

// While a match stands, nobody has a turn.
func TestStop(t *testing.T) {
	m := goFake(t, 4)
	before := m.tally.snapshot()
	if least, _ := spread(before); least == 0 {
		t.Errorf("warm with %v turns", before)
	}
	if err := pause(t.Context(), 20*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if after := m.tally.snapshot(); !slices.Equal(before, after) {
		t.Errorf("%v turns, and later %v", before, after)
	}
}

// Every slice adds up, and has a hand-over for each of its turns after the lap.
func TestSlices(t *testing.T) {
	for _, n := range []int{1, 3} {
		m := goFake(t, n)
		before := m.tally.snapshot()
		for i := range 20 {
			turns, elapsed := sum(m.measured.counts), m.measured.elapsed
			if err := m.slice(t.Context(), time.Millisecond); err != nil {
				t.Fatal(err)
			}
			if sum(m.measured.counts) <= turns || m.measured.elapsed < elapsed+time.Millisecond {
				t.Fatalf("slice %d: %d turns and %v, before it %d and %v", i, sum(m.measured.counts), m.measured.elapsed, turns, elapsed)
			}
		}
		turns, all := sum(m.measured.counts), sum(m.tally.snapshot())-sum(before)
		if m.measured.turns != all || turns >= all {
			t.Errorf("%d turns measured, and %d with their laps, of %d", turns, m.measured.turns, all)
		}
		if got := m.tally.handOvers.TotalCount(); got != turns {
			t.Errorf("%d hand-overs in %d turns", got, turns)
		}
	}
}

// A slice without time is one turn, at least.
func TestShortestSlice(t *testing.T) {
	m := goFake(t, 2)
	if err := m.slice(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if sum(m.measured.counts) < 1 || m.measured.elapsed <= 0 {
		t.Errorf("measured %+v", m.measured)
	}
}

// A stand is in no hand-over: all of them fit into the slice.
func TestStandIsInNoHandOver(t *testing.T) {
	m := goFake(t, 2)
	for range 3 {
		if err := pause(t.Context(), 100*time.Millisecond); err != nil { // the stand
			t.Fatal(err)
		}
		if err := m.slice(t.Context(), time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	// A histogram keeps three digits.
	longest, limit := m.tally.quantile(100), m.measured.elapsed+m.measured.elapsed/500+shortestUnit
	if longest > limit {
		t.Errorf("a hand-over of %v in slices of %v together", longest, m.measured.elapsed)
	}
}

const shortestUnit = time.Duration(2 * shortestHandOver)

func TestSliceInterrupted(t *testing.T) {
	m := goFake(t, 2)
	reason := errors.New("no more")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(reason)
	// A holder may come to the gate first.
	if err := m.slice(ctx, time.Hour); err != nil && !errors.Is(err, reason) {
		t.Errorf("error %v, want %v", err, reason)
	}
}
