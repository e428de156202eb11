package room_test

import (
	"context"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
)

// endUnwatched has the rooms look for unwatched runs when the function that it returns
// is called.
func (h *house) endUnwatched() (look func()) {
	h.Helper()
	ctx, end := context.WithCancel(h.Context())
	ticks, over := make(chan time.Time), make(chan struct{})
	go func() { defer close(over); h.EndUnwatched(ctx, ticks) }()
	h.Cleanup(func() { end(); <-over })
	return func() {
		for range 2 { // the second is taken when the first look has ended
			select {
			case ticks <- time.Time{}:
			case <-within(h).Done():
				h.Fatal("it does not look")
			}
		}
	}
}

// whyOf returns why the log says that something happened.
func whyOf(h *house, run *run.Run, kind event.Kind) string {
	h.Helper()
	events, err := run.Log().Read(1, int(run.Log().Len()))
	if err != nil {
		h.Fatal(err)
	}
	for _, e := range events {
		if e.Kind == kind {
			return e.Why
		}
	}
	h.Fatalf("no %s", kind)
	return ""
}

func TestUnwatchedRunEnds(t *testing.T) {
	clock := newClock()
	h := open(t, func(c *room.Config) { c.Unwatched, c.Now = 2*time.Minute, clock.Now })
	look := h.endUnwatched()
	r, other := h.room(room.Main), h.create()
	run, watched := h.start(r, 2), h.start(other, 2)
	if _, err := other.Enter(); err != nil {
		t.Fatal(err)
	}
	goesOn := func(after time.Duration) {
		t.Helper()
		clock.pass(after)
		look()
		if state := run.State(); state != event.Running {
			t.Fatalf("the run is %s", state)
		}
	}
	goesOn(119 * time.Second)
	leave, err := r.Enter()
	if err != nil {
		t.Fatal(err)
	}
	goesOn(time.Hour)
	leave()
	goesOn(119 * time.Second)
	h.room(room.Main) // for a request
	goesOn(119 * time.Second)

	clock.pass(time.Second)
	look()
	if err := run.Wait(within(t)); err != nil {
		t.Error(err)
	}
	const want = "nobody has watched this run for 2 minutes, so it has ended; start it again"
	for _, kind := range []event.Kind{event.NoteStopping, event.NoteFinished} {
		if why := whyOf(h, run, kind); why != want {
			t.Errorf("%s: %q, want %q", kind, why, want)
		}
	}
	if state := watched.State(); state != event.Running {
		t.Errorf("a run that somebody watches is %s", state)
	}
	look() // at one that has finished
	next := h.start(r, 2)
	look()
	if state := next.State(); state != event.Running {
		t.Errorf("the next run is %s", state)
	}
}

// TestGuestsWatch: a run goes on as long as a guest takes part.
func TestGuestsWatch(t *testing.T) {
	clock := newClock()
	h := open(t, func(c *room.Config) { c.Unwatched, c.Now = 2*time.Minute, clock.Now })
	look := h.endUnwatched()
	current := h.start(h.room(room.Main), 2)
	guest, err := current.Join(run.Joining{Kind: event.Guest, Sessions: chroot.NewSessions()})
	if err != nil {
		t.Fatal(err)
	}
	clock.pass(time.Hour)
	look()
	if state := current.State(); state != event.Running {
		t.Fatalf("beside a guest the run is %s", state)
	}
	guest.Close(nil)
	look()
	if err := current.Wait(within(t)); err != nil {
		t.Error(err)
	}
}

func TestUnwatchedRunGoesOnForEver(t *testing.T) {
	h := open(t) // where that is not limited
	h.EndUnwatched(t.Context(), nil)
}
