package run_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// startLimited starts a run that may take so much.
func startLimited(t *testing.T, server *zktest.Server, limits run.Limits) *watched {
	t.Helper()
	return startWith(t, run.Config{Backend: run.Backend{Servers: []string{server.Address()}},
		Base: server.Root(t) + "/playground", Room: "test", ID: "run", Scenario: fast("mutex", 3), Limits: limits})
}

// mustEndLimited waits until the run has ended by itself, and well, because of a limit.
func (w *watched) mustEndLimited(flag string) {
	w.t.Helper()
	note := w.untilKind(event.NoteLimited, 0)
	if !strings.Contains(note.Why, "so it ends; "+flag) {
		w.t.Errorf("the note says %q, want %s", note.Why, flag)
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), timeout)
	defer cancel()
	if err := w.Wait(ctx); err != nil {
		w.t.Error(err)
	}
}

// TestEventsPerSecondAreLimited: the run is slowed, says so once, and ends as quickly
// as any other.
func TestEventsPerSecondAreLimited(t *testing.T) {
	t.Parallel()
	const most = 60
	w := startLimited(t, zktest.Start(t), run.Limits{EventsPerSecond: most})
	note := w.untilKind(event.NoteLimited, 0)
	if !strings.Contains(note.Why, "slowed") || !strings.Contains(note.Why, "-max-events-per-second") {
		t.Errorf("the note says %q", note.Why)
	}
	w.until("another second", func(e event.Event) bool { return e.At > note.At+time.Second.Microseconds() })
	began := time.Now()
	w.finish()
	if took := time.Since(began); took > soon {
		t.Errorf("it took %v to end", took)
	}
	paid, notes := 0, 0
	for _, e := range w.all() {
		switch {
		case e.Kind == event.NoteStopping:
			if notes != 1 {
				t.Errorf("there are %d notes, want one", notes)
			}
			return
		case e.Kind == event.NoteLimited:
			notes++
		case !e.Kind.Follows(): // what follows comes with its cause
			paid++
		}
		if may := most * (1 + float64(e.At)/1e6); float64(paid) > may+1 {
			t.Fatalf("event %d comes %d µs after the begin, when there may be %.0f", paid, e.At, may)
		}
	}
}

// TestSlowedRunIsDescribed: a run that is slowed to its limit is described at once,
// whatever of its clients is being changed meanwhile. Each change waits for every client.
func TestSlowedRunIsDescribed(t *testing.T) {
	t.Parallel()
	const bound = time.Second
	given := fast("herd", 30)
	given.Hold, given.Think = between(0, 0), between(0, 0)
	server := zktest.Start(t)
	for name, change := range map[string]func(*watched) error{
		"delay": func(w *watched) error { return w.SetDelay(time.Millisecond) },
		"step": func(w *watched) error {
			_, err := w.Step(t.Context(), step.Command{Do: step.On})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startWith(t, run.Config{Backend: run.Backend{Servers: []string{server.Address()}},
				Base: server.Root(t) + "/playground", Room: "test", ID: "run", Scenario: given, Limits: run.Limits{EventsPerSecond: 50}})
			note := w.untilKind(event.NoteLimited, 0)
			w.until("all clients wait", func(e event.Event) bool { return e.At > note.At+time.Second.Microseconds() })
			changed := make(chan error, 1)
			go func() { changed <- change(w) }()
			for done := false; !done; {
				began := time.Now()
				w.Describe()
				w.StepsSince(step.Told{})
				if took := time.Since(began); took > bound {
					t.Errorf("it took %v, want at most %v", took, bound)
				}
				select {
				case err := <-changed:
					w.must(err)
					done = true
				case <-time.After(time.Millisecond):
				}
			}
		})
	}
}

// TestRunIsOnlySlowedBeyondTheLimit: one that keeps to it is told of nothing.
func TestRunIsOnlySlowedBeyondTheLimit(t *testing.T) {
	t.Parallel()
	w := startLimited(t, zktest.Start(t), run.Limits{EventsPerSecond: 1_000_000, Duration: time.Hour, Znodes: 1000})
	w.untilCount(20, event.LockReleased)
	w.finish()
	for _, e := range w.all() {
		if e.Kind == event.NoteLimited {
			t.Errorf("there is the note %q", e.Why)
		}
	}
}

func TestRunEndsAfterItsTime(t *testing.T) {
	t.Parallel()
	w := startLimited(t, zktest.Start(t), run.Limits{Duration: 300 * time.Millisecond})
	w.mustEndLimited("-max-run")
}

// TestRunWithTooManyZnodesEnds, whoever made them, and leaves none of them.
func TestRunWithTooManyZnodesEnds(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	w := startLimited(t, server, run.Limits{Znodes: 40})
	w.untilKind(event.LockReleased, 0)
	conn, lane := server.Conn(t), w.Describe().Lanes[0].Path
	var guests []any
	for i := range 41 {
		guests = append(guests, &zk.CreateRequest{Path: fmt.Sprintf("%s/guest-%d", lane, i), Acl: zk.WorldACL(zk.PermAll)})
	}
	if _, err := conn.Multi(guests...); err != nil { // at once: none comes when the others are removed
		t.Fatal(err)
	}
	w.mustEndLimited("-max-znodes")
	if there, _, err := conn.Exists(lane); err != nil || there {
		t.Errorf("the lane's znode is there: %v, %v", there, err)
	}
}
