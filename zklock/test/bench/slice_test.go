package main

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// goFake starts a trial of a fake lock, which stands when it returns.
func goFake(t *testing.T, contenders int) *trial {
	t.Helper()
	m := newTrial(cell{Recipe: "fake", condition: condition{inTurn, contenders, 0}})
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

// While a trial stands, nobody has a turn.
func TestStop(t *testing.T) {
	m := goFake(t, 4)
	before := m.counter.snapshot()
	if least, _ := spread(before); least == 0 {
		t.Errorf("warm with %v turns", before)
	}
	if err := pause(t.Context(), 20*time.Millisecond, nil); err != nil {
		t.Fatal(err)
	}
	if after := m.counter.snapshot(); !slices.Equal(before, after) {
		t.Errorf("%v turns, and later %v", before, after)
	}
}

// Every slice adds up, and has a hand-over for each of its turns after the cycle.
func TestSlices(t *testing.T) {
	for _, n := range []int{1, 3} {
		m := goFake(t, n)
		before := m.counter.snapshot()
		for i := range 20 {
			turns, elapsed := sum(m.measured.counts), m.measured.elapsed
			if err := m.slice(t.Context(), time.Millisecond); err != nil {
				t.Fatal(err)
			}
			if sum(m.measured.counts) <= turns || m.measured.elapsed < elapsed+time.Millisecond {
				t.Fatalf("slice %d: %d turns and %v, before it %d and %v", i, sum(m.measured.counts), m.measured.elapsed, turns, elapsed)
			}
		}
		turns, all := sum(m.measured.counts), sum(m.counter.snapshot())-sum(before)
		if m.measured.turns != all || turns >= all {
			t.Errorf("%d turns measured, and %d with their cycles, of %d", turns, m.measured.turns, all)
		}
		if got := m.counter.handOvers.TotalCount(); got != turns {
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
		if err := pause(t.Context(), 100*time.Millisecond, nil); err != nil { // the stand
			t.Fatal(err)
		}
		if err := m.slice(t.Context(), time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	// A histogram keeps three digits.
	longest, limit := m.counter.quantile(100), m.measured.elapsed+m.measured.elapsed/500+shortestUnit
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

// A cycle ends with the first turn of the last contender, or when it is cut with the
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
		l, counts, turns := newCycle(2, true), make([]atomic.Int64, 2), 0
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
