package room_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/disktest"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
)

// startBounded starts a run that has some hundred events, however long it takes, and
// returns when most of them have come.
func (h *house) startBounded(r *room.Room) *run.Run {
	h.Helper()
	s := quick(2)
	s.Turns = 20
	run, err := r.Start(within(h), s)
	if err != nil {
		h.Fatal(err)
	}
	if err := run.Log().Wait(within(h), 300); err != nil {
		h.Fatal(err)
	}
	return run
}

// recorded reads the recording of a run, which must be there, and returns its header.
func (h *house) recorded(r *room.Room, id string) event.Run {
	h.Helper()
	header, _ := h.read(r, id)
	return header
}

// read is recorded, with the last event.
func (h *house) read(r *room.Room, id string) (header event.Run, last event.Event) {
	h.Helper()
	recording, err := r.Recording(within(h), id)
	if err != nil {
		h.Fatal(err)
	}
	var file bytes.Buffer
	if err := recording.CopyTo(&file); err != nil {
		h.Fatal(err)
	}
	if recording.Size != 0 && recording.Size != int64(file.Len()) {
		h.Errorf("run %s: %d bytes, said to be %d", id, file.Len(), recording.Size)
	}
	opened, err := event.OpenRecording(&file, check.Follow)
	if err != nil {
		h.Fatal(err)
	}
	defer opened.Close()
	n := int64(0)
	for e, err := range opened.Events() {
		if n++; err != nil {
			h.Fatalf("run %s: event %d: %v", id, n, err)
		}
		last = e
	}
	if n != opened.Run.Events {
		h.Errorf("run %s has %d events, its header says %d", id, n, opened.Run.Events)
	}
	return opened.Run, last
}

// ids are the runs whose recordings can be had.
func ids(r *room.Room) []string {
	var ids []string
	for _, recording := range r.Recordings() {
		ids = append(ids, recording.Run.ID)
	}
	return ids
}

// notKept makes sure that there is no recording of the run.
func (h *house) notKept(r *room.Room, id string) {
	h.Helper()
	if _, err := r.Recording(within(h), id); !errors.Is(err, room.ErrNoRun) {
		h.Errorf("the recording of run %s: %v, want %v", id, err, room.ErrNoRun)
	}
}

// TestUnneededRunsGoFirst: of the runs of trials, those that passed make way for the others.
func TestUnneededRunsGoFirst(t *testing.T) {
	h := open(t, func(c *room.Config) { c.KeepRuns, c.LogDir = 2, t.TempDir() })
	r, other := h.room(room.Main), h.create()
	var runs []string
	for _, needed := range []bool{true, false, true} {
		run := h.startBounded(other)
		if err := other.Stop(within(t)); err != nil {
			t.Fatal(err)
		}
		r.Keep(run, needed)
		runs = append(runs, run.ID())
	}
	if got, want := ids(r), []string{runs[2], runs[0]}; !slices.Equal(got, want) {
		t.Errorf("the room keeps %v, want %v", got, want)
	}
}

func TestLastRunsAreKept(t *testing.T) {
	h := open(t, func(c *room.Config) { c.KeepRuns, c.LogDir = 2, t.TempDir() })
	r := h.room(room.Main)
	h.notKept(r, "")
	if got := ids(r); len(got) != 0 {
		t.Errorf("before the first run there are %v", got)
	}
	var runs []string
	for range 4 {
		run := h.startBounded(r)
		id := run.Describe().ID
		runs = append(runs, id)
		if got := h.recorded(r, ""); got.ID != id || got.State != event.Running || got.Events < 300 {
			t.Errorf("the current run is recorded as %+v", got)
		}
		if err := r.Stop(within(t)); err != nil {
			t.Fatal(err)
		}
		length, at := run.Log().Last()
		if got := h.recorded(r, id); got.State != event.Finished || got.Events != length || got.At != at {
			t.Errorf("the last run has %d events, the last at %d, it is recorded as %+v", length, at, got)
		}
	}
	for _, id := range runs[1:3] { // waits until they are written
		if got := h.recorded(r, id); got.ID != id || got.State != event.Finished || got.Events < 300 {
			t.Errorf("run %s is recorded as %+v", id, got)
		}
	}
	h.notKept(r, runs[0])
	h.notKept(r, "nothing")
	if got := ids(r); len(got) != 3 || got[0] != runs[3] || got[1] != runs[2] || got[2] != runs[1] {
		t.Errorf("of the runs %v there are %v", runs, got)
	}
}

func TestKeptRunsFitTheirBytes(t *testing.T) {
	const most = 24_000
	h := open(t, func(c *room.Config) { c.KeepBytes = most })
	r := h.room(room.Main)
	var runs []string
	for range 6 {
		runs = append(runs, h.startBounded(r).Describe().ID)
	}
	h.recorded(r, runs[4])
	size, kept := int64(0), r.Recordings()
	for _, recording := range kept {
		size += recording.Size
	}
	if size > most || len(kept) < 2 || len(kept) == len(runs) {
		t.Errorf("%d runs are kept in %d bytes, want as many as fit into %d", len(kept)-1, size, most)
	}
	h.notKept(r, runs[0])
}

func TestRunTooLargeToBeKept(t *testing.T) {
	h := open(t, func(c *room.Config) { c.KeepBytes = 100 })
	r := h.room(room.Main)
	first := h.startBounded(r).Describe().ID
	second := h.startBounded(r).Describe().ID
	h.notKept(r, first)
	if got := ids(r); len(got) != 1 || got[0] != second {
		t.Errorf("there are %v, want %v alone", got, second)
	}
}

func TestRecordingWhoseReaderGivesUp(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	first := h.startBounded(r).Describe().ID
	h.startBounded(r)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Recording(over, first); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("Recording = %v, want nil or %v", err, context.Canceled)
	}
	h.recorded(r, first)
}

// TestFullDiskDropsKeptRuns: what is kept makes room for the next run.
func TestFullDiskDropsKeptRuns(t *testing.T) {
	dir := disktest.New(t, 4<<20)
	h := open(t, func(c *room.Config) { c.LogDir = dir })
	r := h.room(room.Main)
	first := h.startBounded(r).Describe().ID
	second := h.startBounded(r)
	h.recorded(r, first)
	if err := r.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	disktest.Fill(t, dir)
	third := h.start(r, 1).Describe().ID
	h.notKept(r, first)
	h.notKept(r, second.Describe().ID)
	if got := ids(r); len(got) != 1 || got[0] != third {
		t.Errorf("there are %v, want %v alone", got, third)
	}
}
