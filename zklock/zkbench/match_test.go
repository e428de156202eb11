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

// Every recipe plays and excludes, alone and contended.
func TestMatches(t *testing.T) {
	tour := begin(t, settings{warm: 10 * time.Millisecond, length: 50 * time.Millisecond})
	for _, r := range recipes() {
		for _, n := range []int{1, 3} {
			c := cell{Recipe: r.name, Contenders: n}
			t.Run(c.String(), func(t *testing.T) {
				s := tour.playToTheEnd(t, c)
				if s.PerSecond <= 0 || s.P50 <= 0 || s.P99 < s.P50 || s.Most < s.Least || s.Requests <= 0 {
					t.Errorf("sample %+v", s)
				}
			})
		}
	}
}

// playToTheEnd plays a match. Where a chain is used up before the observer on a
// busy machine has come to measure, it is laid for twice as long.
func (tour *tournament) playToTheEnd(t *testing.T, c cell) sample {
	t.Helper()
	defer func(length time.Duration) { tour.length = length }(tour.length)
	for ; ; tour.length *= 2 {
		s, err := tour.playCell(t.Context(), c)
		if errors.Is(err, errNothing) && tour.length < time.Minute {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
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
	tour := begin(t, settings{length: 60 * time.Millisecond})
	for _, test := range tests {
		t.Run(fmt.Sprint(test.recipe, test.contenders), func(t *testing.T) {
			m := newMatch(cell{Recipe: test.recipe, Contenders: int(test.contenders)})
			t.Cleanup(func() { m.close() })
			got := tour.costs(t, m)
			turns := m.tally.total()
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

// costs plays a match, and returns the packets that it took.
func (tour *tournament) costs(t *testing.T, m *match) traffic {
	t.Helper()
	if err := tour.open(t.Context(), m, zktest.Start(t).Root(t)); err != nil {
		t.Fatal(err)
	}
	before := tour.traffic(t)
	if _, err := m.play(t.Context(), tour.observer); err != nil && !errors.Is(err, errNothing) {
		t.Fatal(err)
	}
	passed := tour.traffic(t).since(before)
	for range 3 { // two by the observer
		passed = passed.since(tour.observer.question)
	}
	return passed
}

func (tour *tournament) traffic(t *testing.T) traffic {
	t.Helper()
	now, err := readTraffic(t.Context(), tour.observer.address)
	if err != nil {
		t.Fatal(err)
	}
	return now
}

// The sessions outlive their match: closing them is not part of what it costs.
func TestSessionsStayOpen(t *testing.T) {
	tour := begin(t, settings{length: time.Millisecond})
	m := newMatch(cell{Recipe: mutexName, Contenders: 1})
	t.Cleanup(func() { m.close() })
	if err := tour.open(t.Context(), m, zktest.Start(t).Root(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.play(t.Context(), tour.observer); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err := m.turn(t.Context(), 0); err != nil {
			t.Fatal("a turn after the match:", err)
		}
	}
}

// A chain that is too short for the match ends it early, and no sooner than
// all its turns were had.
func TestExhausted(t *testing.T) {
	tour := begin(t, settings{})
	tour.observer.length = time.Hour
	m := newMatch(cell{Recipe: chainName, Contenders: 2})
	t.Cleanup(func() { m.close() })
	place := zktest.Start(t).Root(t)
	tour.length = 20 * time.Millisecond // for which the chain is laid
	if err := tour.open(t.Context(), m, place); err != nil {
		t.Fatal(err)
	}
	if _, err := m.play(t.Context(), tour.observer); err != nil && !errors.Is(err, errNothing) {
		t.Fatal(err)
	}
	if want, got := int64(200+3*2), m.tally.total(); got < want-1 || got > want {
		t.Errorf("%d turns, want %d", got, want)
	}
}

// Whoever waits, and for what: an interrupted match ends.
func TestInterrupted(t *testing.T) {
	tour := begin(t, settings{length: time.Minute})
	tour.length = 5 * time.Second // for which a chain is laid
	reason := errors.New("no more")
	for _, r := range recipes() {
		t.Run(r.name, func(t *testing.T) {
			m := newMatch(cell{Recipe: r.name, Contenders: 3, Hold: time.Millisecond})
			t.Cleanup(func() { m.close() })
			if err := tour.open(t.Context(), m, zktest.Start(t).Root(t)); err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancelCause(t.Context())
			go func() {
				<-m.tally.lap // all have come
				stop(reason)
			}()
			if _, err := m.play(ctx, tour.observer); !errors.Is(err, reason) {
				t.Errorf("error %v, want %v", err, reason)
			}
		})
	}
}

// A contender that fails ends the match with its error.
func TestFailingContender(t *testing.T) {
	broken := errors.New("broken")
	m := newMatch(cell{Contenders: 1})
	m.contenders = []contender{failing{broken}}
	if _, err := m.play(t.Context(), observer{address: zktest.Start(t).Address(), length: time.Hour}); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

type failing struct{ err error }

func (f failing) acquire(context.Context) error { return f.err }
func (f failing) release(context.Context) error { return nil }
func (f failing) close() error                  { return nil }
