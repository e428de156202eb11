package check_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// joined tells that clients came into the queue, each with the znode of its
// number, made by the transaction of ten times that.
func (s *story) joined(clients ...int) *story {
	for _, client := range clients {
		s.event(event.Event{Kind: event.TreeCreated, Client: client, Path: node(client, false), Cause: "client"})
		s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "create", Path: node(client, false), Zxid: int64(client) * 10})
	}
	return s
}

// herd tells that clients list the directory, and wait for a change of it.
func (s *story) herd(zxid int64, children int, clients ...int) *story {
	for _, client := range clients {
		s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "getChildren", Path: lockPath, Watch: true, Zxid: zxid, Children: children})
		s.event(event.Event{Kind: event.LockWaiting, Client: client, Path: node(client, false), Predecessor: lockPath})
	}
	return s
}

func (s *story) woken(clients ...int) *story {
	for _, client := range clients {
		s.lock(event.LockWoken, client)
	}
	return s
}

// releases tells that a client releases, and by which transaction.
func (s *story) releases(client int, zxid int64) *story {
	s.event(event.Event{Kind: event.LockReleased, Client: client, Path: node(client, false)})
	s.event(event.Event{Kind: event.TreeDeleted, Client: client, Path: node(client, false), Cause: "client"})
	return s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "delete", Path: node(client, false), Zxid: zxid})
}

// expired tells that a client's session has ended.
func (s *story) expired(client int) *story {
	return s.event(event.Event{Kind: event.TreeDeleted, Client: client, Path: node(client, false), Cause: "expiry"})
}

// TestRounds: each wake-up is put to what caused it, and only complete rounds count.
func TestRounds(t *testing.T) {
	type counted struct {
		Wakeups, Wasted, ByJoining, Unexplained int64
		Rounds                                  check.Rounds
	}
	held := func() *story { return tell().joined(1, 2, 3).acquired(1, 1) }
	for name, tt := range map[string]struct {
		story *story
		want  counted
	}{
		"complete": {held().herd(30, 3, 2, 3).releases(1, 40).woken(2, 3).acquired(2, 2).herd(40, 2, 3),
			counted{2, 1, 0, 0, check.Rounds{Complete: 1, Wakeups: 2, WastedWakeups: 1}}},
		"one has not heard yet": {held().herd(30, 3, 2, 3).releases(1, 40).woken(2).acquired(2, 2),
			counted{1, 0, 0, 0, check.Rounds{}}},
		"joining": {held().herd(30, 3, 2, 3).joined(4).woken(2, 3).herd(40, 4, 2, 3),
			counted{2, 2, 2, 0, check.Rounds{}}},
		"joining came first": {held().herd(30, 3, 2, 3).joined(4).releases(1, 45).woken(2, 3).acquired(2, 2),
			counted{2, 0, 2, 0, check.Rounds{Complete: 1}}},
		"a session ends": {held().herd(30, 3, 2, 3).expired(1).woken(2, 3).acquired(2, 2).herd(35, 2, 3).
			event(event.Event{Kind: event.TreeSynced, Zxid: 35, Sent: 1000}),
			counted{2, 1, 0, 0, check.Rounds{Complete: 1, Wakeups: 2, WastedWakeups: 1}}},
		"a waiter's session ends": {held().herd(30, 3, 2, 3).expired(3).event(event.Event{Kind: event.TreeSynced, Zxid: 35, Sent: 1000}).woken(2),
			counted{1, 0, 0, 0, check.Rounds{}}},
		"by the number of children": {held().expired(1).joined(4).herd(35, 2, 3).woken(3),
			counted{1, 0, 1, 0, check.Rounds{Complete: 1}}},
		"told after the server was asked": {held().expired(1).event(event.Event{Kind: event.TreeSynced, Zxid: 30, Sent: 1}).
			herd(30, 3, 2, 3).joined(4).woken(2, 3).acquired(2, 2).herd(45, 3, 3),
			counted{2, 1, 0, 0, check.Rounds{Complete: 1, Wakeups: 2, WastedWakeups: 1}}},
		"nobody saw": {held().herd(30, 3, 2).event(event.Event{Kind: event.TreeLost}).event(event.Event{Kind: event.TreeSynced, Zxid: 60, Sent: 1000}).
			releases(1, 70).woken(2).acquired(2, 2),
			counted{1, 0, 0, 1, check.Rounds{Complete: 1}}},
	} {
		got := tt.story.checker.Summary().Lanes[0]
		if diff := cmp.Diff(tt.want, counted{got.Wakeups, got.WastedWakeups, got.WakeupsByJoining, got.WakeupsUnexplained, got.Rounds}); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// TestSummariesOfRecordings: the summaries that the page's tests compare with are
// still those of the recordings.
func TestSummariesOfRecordings(t *testing.T) {
	files, err := filepath.Glob("../../static/test/fixtures/*.summary.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d summaries: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want check.Summary
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if diff := cmp.Diff(want, replayed(t, strings.Replace(file, ".summary.json", ".ndjson.zst", 1))); diff != "" {
			t.Errorf("%s: (-file +replay)\n%s", file, diff)
		}
	}
}

func replayed(t *testing.T, name string) check.Summary {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	recording, err := event.OpenRecording(file)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer recording.Close()
	checker := check.New(recording.Run)
	for e, err := range recording.Events() {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checker.Apply(e)
	}
	return checker.Summary()
}

// TestWaitBesideItsOwnWatch: who watches its own znode too, and was answered that last,
// is woken by the change of the one ahead all the same.
func TestWaitBesideItsOwnWatch(t *testing.T) {
	s := tell().created(1, 0).created(2, 1).acquired(1, 0)
	for _, number := range []int{0, 1} {
		s.event(event.Event{Kind: event.WireReceived, Client: 2, Op: "getData", Watch: true, Path: node(number, false), Zxid: 5})
	}
	s.event(event.Event{Kind: event.LockWaiting, Client: 2, Path: node(1, false), Predecessor: node(0, false)})
	s.event(event.Event{Kind: event.TreeChanged, Path: node(0, false), Zxid: 6})
	s.event(event.Event{Kind: event.LockWoken, Client: 2, Path: node(1, false), Predecessor: node(0, false)})
	if lane := s.checker.Summary().Lanes[0]; lane.Wakeups != 1 || lane.WakeupsUnexplained != 0 {
		t.Errorf("%d wake-ups, %d of them unexplained", lane.Wakeups, lane.WakeupsUnexplained)
	}
}
