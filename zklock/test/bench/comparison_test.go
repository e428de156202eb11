package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// While one trial moves, the others stand: the diary has one line for each
// warm-up, slice and end, however many turns they are of.
func TestOneMatchMovesAtATime(t *testing.T) {
	const passes = 4
	d := new(diary)
	cells := []cell{{Recipe: "a", condition: condition{inTurn, 1, 0}}, {Recipe: "b", condition: condition{inTurn, 3, 0}}, {Recipe: "c", condition: condition{inTurn, 2, 0}}}
	s := settings{warm: time.Millisecond, length: passes * 5 * time.Millisecond, slice: 5 * time.Millisecond}
	taken, err := fakeComparison(t, s, d, cells...).run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range taken {
		if s.cell != cells[i] || s.Least < 2 {
			t.Errorf("%v: sample %+v", cells[i], s)
		}
	}
	got := strings.Join(d.moved, "")
	if !strings.HasPrefix(got, "abc") || !strings.HasSuffix(got, "abc") {
		t.Errorf("moved %s, which neither begins nor ends in order", got)
	}
	if longest := len(cells) * (passes + 2); len(got) > longest || len(got) < 2*len(cells) {
		t.Errorf("moved %s, want at most %d slices", got, longest)
	}
}

// A slow machine takes longer for a turn than a slice: each trial then still
// has its slices, of a few turns each.
func TestHeldForLongerThanASlice(t *testing.T) {
	s := settings{length: 20 * time.Millisecond, slice: time.Millisecond}
	h := fakeComparison(t, s, new(diary), cell{Recipe: "a", condition: condition{inTurn, 2, 5 * time.Millisecond}})
	taken, err := h.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if taken[0].PerSecond > 200 || taken[0].PerSecond <= 0 {
		t.Errorf("%.0f turns of 5 ms in a second", taken[0].PerSecond)
	}
}

// badHeat is a comparison whose last trial is opened by open.
func badHeat(t *testing.T, open func(*trial) error) *comparison {
	h := fakeComparison(t, settings{length: time.Hour, slice: time.Hour}, new(diary), cell{Recipe: "good", condition: condition{inTurn, 2, 0}}, cell{Recipe: "bad", condition: condition{inTurn, 1, 0}})
	good := h.open
	h.open = func(ctx context.Context, m *trial) error {
		if m.Recipe == "bad" {
			return open(m)
		}
		return good(ctx, m)
	}
	return h
}

// A contender that fails ends all trials, also those that stand, and the error
// says whose it was.
func TestFailingContender(t *testing.T) {
	broken := errors.New("broken")
	h := badHeat(t, func(m *trial) error {
		m.contenders = []contender{failing{broken}}
		return nil
	})
	taken, err := h.run(t.Context())
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "N=1, bad: contender 0") || taken != nil {
		t.Errorf("samples %v, error %v, want %v", taken, err, broken)
	}
}

// A trial that cannot be opened ends those that stand.
func TestFailingOpen(t *testing.T) {
	broken := errors.New("broken")
	h := badHeat(t, func(*trial) error { return broken })
	if _, err := h.run(t.Context()); !errors.Is(err, broken) || !strings.Contains(err.Error(), "bad") {
		t.Errorf("error %v, want %v", err, broken)
	}
}

// Real trials end too when they are interrupted while they stand.
func TestInterruptedWhileStanding(t *testing.T) {
	tour := begin(t, settings{length: 5 * time.Second, slice: time.Minute})
	h := tour.comparison(t, cell{condition: condition{inTurn, 3, 0}}.each(recipes())...)
	reason := errors.New("no more")
	ctx, stop := context.WithCancelCause(t.Context())
	last := h.trials[len(h.trials)-1].counter.current()
	go func() {
		<-last.over // all others stand
		stop(reason)
	}()
	if _, err := h.run(ctx); !errors.Is(err, reason) {
		t.Errorf("error %v, want %v", err, reason)
	}
}
