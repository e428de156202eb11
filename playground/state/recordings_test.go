package state_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// instants is at how many events of each recording the facts are compared with the frames.
const instants = 500

// forEachRecording runs a test on the events of each recorded run.
func forEachRecording(t *testing.T, test func(t *testing.T, run event.Run, events []event.Event)) {
	files, err := filepath.Glob("../../static/test/fixtures/*.ndjson.zst")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			file, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			recording, err := event.OpenRecording(file, check.Follow)
			if err != nil {
				t.Fatal(err)
			}
			defer recording.Close()
			var events []event.Event
			for e, err := range recording.Events() {
				if err != nil {
					t.Fatal(err)
				}
				events = append(events, e)
			}
			test(t, recording.Run, events)
		})
	}
}

// A watchedBy names a watch by whose it is, and on what.
type watchedBy struct {
	lane     string
	client   int
	path, on string
}

// TestWatchesOfRecordings: at any instant the facts know the watches that the frames have left,
// which is found out here in another way: a watch is there if it was left after all that could
// have ended it.
func TestWatchesOfRecordings(t *testing.T) {
	forEachRecording(t, func(t *testing.T, _ event.Run, events []event.Event) {
		left, ended, over := fromFrames(events)
		every := max(1, len(events)/instants)
		there := make(map[watchedBy]bool)
		for i, e := range events {
			if w := e.Watched; w != nil {
				name := watchedBy{e.Lane, e.Client, e.Path, w.On}
				switch e.Kind {
				case event.WatchSet:
					there[name] = true
				case event.WatchFired, event.WatchGone:
					delete(there, name)
				}
			}
			if i%every > 0 || i+1 < len(events) && events[i+1].Watched != nil {
				continue
			}
			want := make(map[watchedBy]bool)
			for name, all := range left {
				last := lastBy(all, e.Seq)
				if last > lastBy(ended[name], e.Seq) && last > lastBy(over[watchedBy{lane: name.lane, client: name.client}], e.Seq) {
					want[name] = true
				}
			}
			if !maps.Equal(want, there) {
				t.Fatalf("after event %d: (-frames +facts)\n%s", e.Seq, cmp.Diff(names(want), names(there)))
			}
		}
	})
}

func names(watches map[watchedBy]bool) []string {
	var all []string
	for w := range watches {
		all = append(all, fmt.Sprint(w))
	}
	slices.Sort(all)
	return all
}

// lastBy is the last of ascending numbers that is not above seq, or 0.
func lastBy(ascending []int64, seq int64) int64 {
	i, found := slices.BinarySearch(ascending, seq)
	if found {
		return seq
	}
	if i == 0 {
		return 0
	}
	return ascending[i-1]
}

// fromFrames says by which events each watch was left, and by which it was used up or removed,
// and, by client, those with which all of a client's go.
func fromFrames(events []event.Event) (left, ended, over map[watchedBy][]int64) {
	left, ended, over = make(map[watchedBy][]int64), make(map[watchedBy][]int64), make(map[watchedBy][]int64)
	seen := make(map[string]bool)
	for _, e := range events {
		client := watchedBy{lane: e.Lane, client: e.Client}
		on := func(path, on string) watchedBy { return watchedBy{e.Lane, e.Client, path, on} }
		if e.Kind == "session.granted" || e.Kind == "session.resumed" || e.Kind == "session.refused" || e.Kind == "session.closed" ||
			e.Kind == "note.left" || e.Kind == "fault.injected" && e.Fault == "crash" {
			over[client] = append(over[client], e.Seq)
		}
		if e.Kind == "wire.sent" && e.Op == "setWatches" {
			for _, again := range e.Ops {
				part := map[string]string{"getData": "data", "exists": "data", "getChildren": "children", "addWatch": "persistent"}[again.Op]
				if again.Flags == "recursive" {
					part = "recursive"
				}
				left[on(again.Path, part)] = append(left[on(again.Path, part)], e.Seq)
			}
		}
		frame := fmt.Sprint(e.Lane, " ", e.Client, " ", e.Frame)
		if e.Kind != "wire.received" && (e.Kind != "wire.held" || e.Dir != "in") || seen[frame] {
			continue
		}
		seen[frame] = true
		switch {
		case e.Op == "notification" && e.Type == "NodeDeleted":
			ended[on(e.Path, "data")] = append(ended[on(e.Path, "data")], e.Seq)
			ended[on(e.Path, "children")] = append(ended[on(e.Path, "children")], e.Seq)
		case e.Op == "notification" && e.Type == "NodeChildrenChanged":
			ended[on(e.Path, "children")] = append(ended[on(e.Path, "children")], e.Seq)
		case e.Op == "notification":
			ended[on(e.Path, "data")] = append(ended[on(e.Path, "data")], e.Seq)
		case e.Op == "removeWatches" && e.Err == "":
			for _, part := range []string{"data", "children", "persistent", "recursive"} {
				if e.Mode == "any" || e.Mode == part {
					ended[on(e.Path, part)] = append(ended[on(e.Path, part)], e.Seq)
				}
			}
		case e.Watch && e.Op == "getChildren":
			left[on(e.Path, "children")] = append(left[on(e.Path, "children")], e.Seq)
		case e.Watch && e.Op == "addWatch":
			left[on(e.Path, e.Mode)] = append(left[on(e.Path, e.Mode)], e.Seq)
		case e.Watch:
			left[on(e.Path, "data")] = append(left[on(e.Path, "data")], e.Seq)
		}
	}
	return left, ended, over
}
