package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock/zktest"
)

// begin makes a tournament on the server that the tests share.
func begin(t *testing.T, s settings) *tournament {
	t.Helper()
	tour, err := newTournament(t.Context(), zktest.Start(t).Address(), s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := removeTree(tour.keeper, root); err != nil {
			t.Error(err)
		}
		tour.close()
	})
	return tour
}

// heat is one of the given cells, opened as in a tournament.
func (tour *tournament) heat(t *testing.T, cells ...cell) *heat {
	t.Helper()
	h := &heat{settings: tour.settings, meter: tour.meter, open: tour.open}
	for _, c := range cells {
		m := newMatch(c)
		t.Cleanup(func() { m.close() })
		h.matches = append(h.matches, m)
	}
	return h
}

// Every recipe plays and excludes, alone and contended.
func TestMatches(t *testing.T) {
	tour := begin(t, settings{warm: 10 * time.Millisecond, length: 50 * time.Millisecond, slice: 10 * time.Millisecond})
	for _, n := range []int{1, 3} {
		cells := cell{condition: condition{inTurn, n, 0}}.each(recipes())
		for i, s := range tour.playToTheEnd(t, cells) {
			if s.cell != cells[i] || s.PerSecond <= 0 || s.P50 <= 0 || s.P99 < s.P50 || s.Most < s.Least || s.Requests <= 0 {
				t.Errorf("%v: sample %+v", cells[i], s)
			}
		}
	}
}

// playToTheEnd plays a heat. Where a chain is used up before a busy machine has
// come to measure it, it is laid for twice as long.
func (tour *tournament) playToTheEnd(t *testing.T, cells []cell) samples {
	t.Helper()
	defer func(length time.Duration) { tour.length = length }(tour.length)
	for ; ; tour.length *= 2 {
		taken, err := tour.playHeat(t.Context(), cells)
		if errors.Is(err, errNothing) && tour.length < time.Minute {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return taken
	}
}

// What an acquisition costs is known of some. The packets of a whole match are
// counted, while nobody sends before or after it: what does not belong to a
// turn is at most a first or a last request of each contender, a ping, or one
// to make the lock directory; and in some turns a contender that is held up by
// the machine sends one request more or less.
func TestCosts(t *testing.T) {
	tests := []struct {
		recipe                  string
		contenders              int64
		requests, notifications int64 // per acquisition
	}{
		{chainName, 1, 1, 1},
		{chainName, 3, 1, 1},
		{ringName, 1, 2, 0},
		{ringName, 3, 3, 1},
		{mutexName, 1, 2, 0},
		{goZooKeeper, 1, 3, 0},
	}
	tour := begin(t, settings{length: 60 * time.Millisecond, slice: 20 * time.Millisecond})
	for _, test := range tests {
		t.Run(fmt.Sprint(test.recipe, test.contenders), func(t *testing.T) {
			h := tour.heat(t, cell{Recipe: test.recipe, condition: condition{inTurn, int(test.contenders), 0}})
			got := tour.costs(t, h)
			turns := sum(h.matches[0].tally.snapshot())
			slack := 20 + 3*test.contenders + turns/10
			if over := got.received - turns*test.requests; over < -slack || over > slack {
				t.Errorf("%d requests for %d turns, want %d each", got.received, turns, test.requests)
			}
			if over := got.notifications() - turns*test.notifications; test.contenders == 1 && (over < -slack || over > slack) {
				t.Errorf("%d notifications for %d turns, want %d each", got.notifications(), turns, test.notifications)
			}
		})
	}
}

// costs plays a match, and returns the packets that it took once it was open.
func (tour *tournament) costs(t *testing.T, h *heat) traffic {
	t.Helper()
	var before traffic
	h.open = func(ctx context.Context, m *match) error {
		if err := tour.open(ctx, m); err != nil {
			return err
		}
		_, err := tour.meter.passed(ctx)
		before = tour.meter.last
		return err
	}
	if _, err := h.play(t.Context()); err != nil && !errors.Is(err, errNothing) {
		t.Fatal(err)
	}
	if _, err := tour.meter.passed(t.Context()); err != nil {
		t.Fatal(err)
	}
	return tour.meter.last.since(before)
}

// The sessions outlive their match: closing them is not part of what it costs.
func TestSessionsStayOpen(t *testing.T) {
	tour := begin(t, settings{length: time.Millisecond})
	h := tour.heat(t, cell{Recipe: mutexName, condition: condition{inTurn, 1, 0}})
	if _, err := h.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err := h.matches[0].turn(t.Context(), 0); err != nil {
			t.Fatal("a turn after the match:", err)
		}
	}
}

// A chain that is too short for the match ends it early, and no sooner than
// all its turns were had.
func TestExhausted(t *testing.T) {
	tour := begin(t, settings{length: 20 * time.Millisecond}) // for which the chain is laid
	h := tour.heat(t, cell{Recipe: chainName, condition: condition{inTurn, 2, 0}})
	h.length, h.slice = time.Hour, time.Hour
	if _, err := h.play(t.Context()); err != nil && !errors.Is(err, errNothing) {
		t.Fatal(err)
	}
	if want, got := int64(20*time.Millisecond/chainCost)+(3+1)*2, sum(h.matches[0].tally.snapshot()); got != want {
		t.Errorf("%d turns, want %d", got, want)
	}
}

// Whoever waits, and for what: an interrupted match ends.
func TestInterrupted(t *testing.T) {
	tour := begin(t, settings{length: 5 * time.Second}) // for which a chain is laid
	reason := errors.New("no more")
	for _, r := range recipes() {
		t.Run(r.name, func(t *testing.T) {
			h := tour.heat(t, cell{Recipe: r.name, condition: condition{inTurn, 3, time.Millisecond}})
			h.length, h.slice = time.Minute, time.Minute
			ctx, stop := context.WithCancelCause(t.Context())
			lap := h.matches[0].tally.current()
			go func() {
				<-lap.over // all have come
				stop(reason)
			}()
			if _, err := h.play(ctx); !errors.Is(err, reason) {
				t.Errorf("error %v, want %v", err, reason)
			}
		})
	}
}
