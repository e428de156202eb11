package room_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// gone says whether the room has made way.
func (h *house) gone(r *room.Room) bool {
	_, err := h.Get(r.Name())
	return errors.Is(err, room.ErrNoRoom)
}

// TestUnusedRoomMakesWayFirst: after 30 s, though others have been idle for longer.
func TestUnusedRoomMakesWayFirst(t *testing.T) {
	clock := newClock()
	h := open(t, func(c *room.Config) { c.MaxRooms, c.Now = 3, clock.Now })
	used := h.create()
	h.watchOnce(used)
	clock.pass(9 * time.Minute)
	unused := h.create()
	clock.pass(30 * time.Second)
	if _, err := h.Create(within(t), room.Person{}); !errors.Is(err, room.ErrFull) || !strings.Contains(err.Error(), "-max-rooms") {
		t.Errorf("Create after 30 s = %v, want %v: -max-rooms", err, room.ErrFull)
	}
	clock.pass(1)
	next := h.create()
	if !h.gone(unused) || h.gone(used) {
		t.Errorf("the unused room has gone: %v, the other: %v", h.gone(unused), h.gone(used))
	}
	clock.pass(29 * time.Second)
	h.watchOnce(next)
	clock.pass(10*time.Minute + 1)
	h.create()
	if !h.gone(used) || h.gone(next) {
		t.Errorf("the room idle for longest has gone: %v, the other: %v", h.gone(used), h.gone(next))
	}
}

// TestFloodOfRooms: whoever makes rooms without end takes the places that are free, and
// a quarter of those that nobody uses.
func TestFloodOfRooms(t *testing.T) {
	for _, test := range []struct{ used, lost int }{{5, 0}, {19, 6}} {
		clock := newClock()
		h := open(t, func(c *room.Config) { c.MaxRooms, c.Now = 20, clock.Now })
		var used []*room.Room
		for range test.used {
			r := h.create()
			h.watchOnce(r)
			used = append(used, r)
		}
		clock.pass(time.Hour)
		h.watchOnce(h.room(room.Main))
		made := 0
		for range 10_000 {
			clock.pass(100 * time.Millisecond)
			switch _, err := h.Create(context.Background(), room.Person{}); {
			case err == nil:
				made++
			case !errors.Is(err, room.ErrFull):
				t.Fatal(err)
			}
		}
		lost := 0
		for _, r := range used {
			if h.gone(r) {
				lost++
			}
		}
		if lost != test.lost || h.count() != 20 || made < 100 {
			t.Errorf("%d rooms of %d have gone, want %d; %d were made, there are %d", lost, test.used, test.lost, made, h.count())
		}
	}
}

// TestLimitsOfRuns are told to the run.
func TestLimitsOfRuns(t *testing.T) {
	h := open(t, func(c *room.Config) { c.MaxRun = 200 * time.Millisecond })
	run := h.start(h.room(room.Main), 1)
	awaitKind(t, run, event.NoteLimited)
	if err := run.Wait(within(t)); err != nil {
		t.Error(err)
	}
}

// TestLimitsNameTheirFlags: whoever meets one learns what sets it.
func TestLimitsNameTheirFlags(t *testing.T) {
	h := open(t, func(c *room.Config) { c.MaxClients, c.MaxViewers = 2, 1 })
	r := h.room(room.Main)
	if _, err := r.Start(within(t), quick(3)); !errors.Is(err, scenario.ErrInvalid) || !strings.Contains(err.Error(), "-max-clients") {
		t.Errorf("three clients: %v", err)
	}
	if _, err := r.Enter(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Enter(); !errors.Is(err, room.ErrFull) || !strings.Contains(err.Error(), "-max-viewers") {
		t.Errorf("a second viewer: %v", err)
	}
}
