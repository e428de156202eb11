package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// begin makes a benchmark on the server that the tests share.
func begin(t *testing.T, s settings) *benchmark {
	t.Helper()
	tour, err := newBenchmark(t.Context(), zktest.Start(t).Address(), s, io.Discard)
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

// comparison is one of the given cells, opened as in a benchmark.
func (tour *benchmark) comparison(t *testing.T, cells ...cell) *comparison {
	t.Helper()
	h := &comparison{settings: tour.settings, meter: tour.meter, open: tour.open}
	for _, c := range cells {
		m := newTrial(c)
		t.Cleanup(func() { m.close() })
		h.trials = append(h.trials, m)
	}
	return h
}

// Every recipe runs and excludes, alone and contended.
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

// playToTheEnd runs a comparison. Where a chain is used up before a busy machine has
// come to measure it, it is laid for twice as long.
func (tour *benchmark) playToTheEnd(t *testing.T, cells []cell) samples {
	t.Helper()
	defer func(length time.Duration) { tour.length = length }(tour.length)
	for ; ; tour.length *= 2 {
		taken, err := tour.runComparison(t.Context(), cells)
		if errors.Is(err, errNothing) && tour.length < time.Minute {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return taken
	}
}

// What an acquisition costs is known of some. The packets of a whole trial are
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
			h := tour.comparison(t, cell{Recipe: test.recipe, condition: condition{inTurn, int(test.contenders), 0}})
			got := tour.costs(t, h)
			turns := sum(h.trials[0].counter.snapshot())
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

// costs runs a trial, and returns the packets that it took once it was open.
func (tour *benchmark) costs(t *testing.T, h *comparison) traffic {
	t.Helper()
	var before traffic
	h.open = func(ctx context.Context, m *trial) error {
		if err := tour.open(ctx, m); err != nil {
			return err
		}
		_, err := tour.meter.passed(ctx)
		before = tour.meter.last
		return err
	}
	if _, err := h.run(t.Context()); err != nil && !errors.Is(err, errNothing) {
		t.Fatal(err)
	}
	if _, err := tour.meter.passed(t.Context()); err != nil {
		t.Fatal(err)
	}
	return tour.meter.last.since(before)
}

// The sessions outlive their trial: closing them is not part of what it costs.
func TestSessionsStayOpen(t *testing.T) {
	tour := begin(t, settings{length: time.Millisecond})
	h := tour.comparison(t, cell{Recipe: mutexName, condition: condition{inTurn, 1, 0}})
	if _, err := h.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err := h.trials[0].turn(t.Context(), 0); err != nil {
			t.Fatal("a turn after the trial:", err)
		}
	}
}

// A chain that is too short for the trial ends it early, and no sooner than
// all its turns were had.
func TestExhausted(t *testing.T) {
	tour := begin(t, settings{length: 20 * time.Millisecond}) // for which the chain is laid
	h := tour.comparison(t, cell{Recipe: chainName, condition: condition{inTurn, 2, 0}})
	h.length, h.slice = time.Hour, time.Hour
	if _, err := h.run(t.Context()); err != nil && !errors.Is(err, errNothing) {
		t.Fatal(err)
	}
	if want, got := int64(20*time.Millisecond/chainCost)+(3+1)*2, sum(h.trials[0].counter.snapshot()); got != want {
		t.Errorf("%d turns, want %d", got, want)
	}
}

// Whoever waits, and for what: an interrupted trial ends.
func TestInterrupted(t *testing.T) {
	tour := begin(t, settings{length: 5 * time.Second}) // for which a chain is laid
	reason := errors.New("no more")
	for _, r := range recipes() {
		t.Run(r.name, func(t *testing.T) {
			h := tour.comparison(t, cell{Recipe: r.name, condition: condition{inTurn, 3, time.Millisecond}})
			h.length, h.slice = time.Minute, time.Minute
			ctx, stop := context.WithCancelCause(t.Context())
			cycle := h.trials[0].counter.current()
			go func() {
				<-cycle.over // all have come
				stop(reason)
			}()
			if _, err := h.run(ctx); !errors.Is(err, reason) {
				t.Errorf("error %v, want %v", err, reason)
			}
		})
	}
}

// A deaf contender is never woken up, whatever context ends, until its session
// does.
type deaf struct{ closed chan struct{} }

func (d deaf) acquire(context.Context) error { <-d.closed; return errors.New("its session has ended") }
func (d deaf) release(context.Context) error { return nil }
func (d deaf) close() error                  { close(d.closed); return nil }

// A contender that is never woken up ends the comparison in time, with an error that
// says whose it was.
func TestStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &comparison{settings: settings{warm: time.Second}, trials: []*trial{newTrial(cell{Recipe: "deaf", condition: condition{inTurn, 1, 0}})}}
		h.open = func(_ context.Context, m *trial) error {
			m.contenders = []contender{deaf{make(chan struct{})}}
			return nil
		}
		began := time.Now()
		_, err := h.run(t.Context())
		if !errors.Is(err, errStalled) || !strings.Contains(err.Error(), "N=1, deaf") {
			t.Errorf("error %v, want %v", err, errStalled)
		}
		if took, most := time.Since(began), time.Second+maxCycle+stallTimeout; took != most {
			t.Errorf("it took %v, want %v", took, most)
		}
	})
}

func TestWitness(t *testing.T) {
	tests := []struct {
		name   string
		see    func(w *exclusionCheck)
		counts []int64
		want   error
	}{
		{"in turn", func(w *exclusionCheck) { w.enter(0); w.leave(0); w.enter(1); w.leave(1) }, []int64{1, 1}, nil},
		{"both at once", func(w *exclusionCheck) { w.enter(0); w.enter(1); w.leave(1); w.leave(0) }, []int64{1, 1}, errExclusion},
		{"left by another", func(w *exclusionCheck) { w.enter(0); w.leave(1) }, []int64{1, 0}, errExclusion},
		{"an update was lost", func(w *exclusionCheck) { w.enter(0); w.leave(0) }, []int64{1, 1}, errExclusion},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var w exclusionCheck
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
