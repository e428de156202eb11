package room_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/disktest"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
)

// TestFullDiskEndsTheRun: the disk of the logs is filled in mid-run, ZooKeeper has
// another one. The run ends, says why to whoever asks, and leaves nothing behind;
// the next one starts, for all that the disk stays full.
func TestFullDiskEndsTheRun(t *testing.T) {
	dir := disktest.New(t, 4<<20)
	h := open(t, func(c *room.Config) { c.LogDir = dir })
	main := h.room(room.Main)
	run := h.start(main, 3)
	awaitKind(t, run, event.LockReleased)
	disktest.AwaitTaken(t, dir, 1<<20) // the run has set room aside
	disktest.Fill(t, dir)
	mustEndTruncated(t, run)
	if left := h.nodes(h.base); left != nil {
		t.Errorf("left on ZooKeeper: %v", left)
	}

	disktest.Fill(t, dir) // also what the run has given back
	next := h.start(main, 3)
	awaitKind(t, next, event.LockReleased)
	if err := main.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if err := next.Wait(within(t)); err != nil {
		t.Errorf("the next run ended with %v", err)
	}
}

// mustEndTruncated waits for the end of a run whose log cannot be kept: the log
// says so in its last events, and every verdict is undecided for that reason.
func mustEndTruncated(t *testing.T, run *run.Run) {
	t.Helper()
	if err := run.Wait(within(t)); !errors.Is(err, event.ErrNotKept) {
		t.Fatalf("the run ended with %v, want %v", err, event.ErrNotKept)
	}
	summary := run.Summary()
	if summary.Events != run.Log().Len() {
		t.Errorf("the summary counts %d events, the log has %d", summary.Events, run.Log().Len())
	}
	told := 0
	for _, lane := range summary.Lanes {
		for _, v := range lane.Verdicts {
			told++
			if v.Verdict != event.Undecided || !strings.Contains(v.Why, event.ErrNotKept.Error()) {
				t.Errorf("%s is %s: %s", v.Check, v.Verdict, v.Why)
			}
		}
	}
	note, err := run.Log().Read(run.Log().Len()-int64(told), 1)
	if err != nil || note[0].Kind != event.NoteTruncated || note[0].Err == "" {
		t.Errorf("before its verdicts the log ends with %+v, %v", note, err)
	}
}

// TestStartOnAFullDiskRemovesTheRunBefore: its log is gone before the next run is
// tried, and if that does not start there is no run to look at.
func TestStartOnAFullDiskRemovesTheRunBefore(t *testing.T) {
	for _, full := range []bool{false, true} {
		t.Run(map[bool]string{false: "room", true: "full"}[full], func(t *testing.T) {
			dir := disktest.New(t, 4<<20)
			available := true
			h := open(t, func(c *room.Config) {
				c.LogDir = dir
				c.Gate = func(context.Context) error {
					if !available {
						return errors.New("no ZooKeeper to be had")
					}
					return nil
				}
			})
			main := h.room(room.Main)
			before := h.start(main, 1)
			if err := main.Stop(within(t)); err != nil {
				t.Fatal(err)
			}
			if full {
				disktest.Fill(t, dir)
			}
			available = false
			if _, err := main.Start(within(t), quick(1)); !errors.Is(err, room.ErrZooKeeper) {
				t.Fatalf("Start = %v, want %v", err, room.ErrZooKeeper)
			}
			if current, _ := main.Current(); (current == nil) != full || !full && current != before {
				t.Errorf("the room has the run %v", current)
			}
			available = true
			h.start(main, 1)
		})
	}
}

// TestRecordingOutlastsAFullDiskOfLogs: the run before loses its log, but not its
// recording on another disk, which is listed and counts until it makes way.
func TestRecordingOutlastsAFullDiskOfLogs(t *testing.T) {
	logs, kept := disktest.New(t, 16<<20), t.TempDir()
	h := reopen(t, keepIn(kept), func(c *room.Config) { c.LogDir, c.KeepRuns = logs, 1 })
	main := h.room(room.Main)
	first := h.startBounded(main)
	flood(t, first.Log(), 20<<20) // what is not in memory any more is on the disk, until the log makes way
	if err := main.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	there := func() bool { return filesOf(t, kept)["main/"+first.ID()+".ndjson.zst"] != nil }
	h.eventually("the first run is kept", there)
	disktest.Fill(t, logs)
	second := h.startBounded(main)
	if got := ids(main); !slices.Equal(got, []string{second.ID(), first.ID()}) {
		t.Errorf("there are the runs %v, want %s and %s", got, second.ID(), first.ID())
	}
	h.startBounded(main)
	h.eventually("the first run makes way", func() bool { return !there() })
}

// flood makes a log so large by what it has already.
func flood(t *testing.T, log *event.Log, size int64) {
	t.Helper()
	events, err := log.Read(1, 100)
	for i := 0; err == nil && log.Size() < size; i++ {
		_, err = log.Append(events[i%len(events)])
	}
	if err != nil {
		t.Fatal(err)
	}
}
