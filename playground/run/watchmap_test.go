package run_test

import (
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strconv"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A watchStory is a fault after which taps and server must agree on who watches
// what.
type watchStory struct {
	fault scenario.Fault
	// heal says that the fault lasts until the client's session is over.
	heal bool
	// over is the kind of event with which the client is in its place again, or
	// gone for good.
	over event.Kind
}

// ownStories are those of faults about the holder after which not only time passes.
var ownStories = []watchStory{
	{scenario.Fault{Name: "close"}, false, event.SessionClosed},
	{scenario.Fault{Name: "crash"}, false, event.TreeDeleted},
	{scenario.Fault{Name: "delete"}, false, event.TreeDeleted},
	{scenario.Fault{Name: "expire"}, false, event.LockWaiting},
	{scenario.Fault{Name: "partition"}, true, event.LockWaiting},
	{scenario.Fault{Name: "partition-in"}, true, event.LockWaiting},
	{scenario.Fault{Name: "partition-out"}, true, event.LockWaiting},
	{scenario.Fault{Name: "pause"}, true, event.LockWaiting},
}

// watchStories are a story for each fault of a client. Any other fault that lasts is given a
// second. Heal is part of other stories, and start-again follows one in
// TestWatchMapAfterANewStart.
func watchStories(t *testing.T) []watchStory {
	stories := slices.Clone(ownStories)
	for _, kind := range run.Catalogue().Faults {
		told := slices.ContainsFunc(ownStories, func(s watchStory) bool { return s.fault.Name == kind.Name })
		switch {
		case told || kind.Target == scenario.TargetServer || kind.Name == "heal" || kind.Name == "start-again":
		case kind.Lasts:
			stories = append(stories, watchStory{forASecond(t, kind), false, event.FaultHealed})
		default:
			t.Errorf("no story of %s", kind.Name)
		}
	}
	return stories
}

// forASecond is a fault with its parameters as they begin.
func forASecond(t *testing.T, kind scenario.FaultKind) (fault scenario.Fault) {
	given := map[string]any{"fault": kind.Name, "for": "1s"}
	for _, p := range kind.Parameters {
		if number, err := strconv.Atoi(p.Default + p.Unit); err == nil {
			given[p.Name] = number
		} else if p.Default != "" {
			given[p.Name] = p.Default + p.Unit
		}
	}
	text, err := json.Marshal(given)
	if err = errors.Join(err, json.Unmarshal(text, &fault)); err != nil {
		t.Fatal(err)
	}
	return fault
}

// TestWatchMapAfterEveryFault compares who watches what, by the taps, with the
// server's own report, when all is quiet again after a fault.
func TestWatchMapAfterEveryFault(t *testing.T) {
	t.Parallel()
	for _, story := range watchStories(t) {
		t.Run(story.fault.Name, func(t *testing.T) {
			t.Parallel()
			run, holder := startHeld(t, brief(6))
			story.fault.Client = holder.Client
			run.must(run.Inject(t.Context(), story.fault))
			run.untilKind(event.FaultInjected, holder.Client)
			if story.heal {
				run.untilDeleted(holder.Path)
				run.must(run.Inject(t.Context(), scenario.Fault{Name: "heal", Client: holder.Client}))
			}
			run.untilKind(story.over, holder.Client)
			run.awaitSameWatches(zktest.Start(t))
		})
	}
}

// TestWatchMapOfWaiters: those who wait, and therefore watch, lose and win back
// their connections.
func TestWatchMapOfWaiters(t *testing.T) {
	t.Parallel()
	given := slow(6)
	given.Session = milliseconds(6000)
	run, holder := startHeld(t, given)
	for client := range given.Clients {
		if client+1 != holder.Client {
			fault := scenario.Fault{Name: "lose-reply", Client: client + 1}
			run.must(run.Inject(t.Context(), fault)) // of their next create
			fault.Name = []string{"partition", "partition-in", "partition-out", "pause"}[client%4]
			fault.For = milliseconds(4500)
			run.must(run.Inject(t.Context(), fault))
		}
	}
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "expire", Client: holder.Client}))
	run.untilKind(event.FaultHealed, 0)
	run.untilKind(event.LockAcquired, 0)
	run.awaitSameWatches(zktest.Start(t))
}

// TestWatchMapAfterANewStart: a client's new process watches for itself alone.
func TestWatchMapAfterANewStart(t *testing.T) {
	t.Parallel()
	run, holder := startHeld(t, brief(6))
	waiter := holder.Client%6 + 1
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: waiter}))
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "start-again", Client: waiter}))
	run.untilStartedAgain(waiter)
	run.untilKind(event.LockWaiting, waiter)
	run.awaitSameWatches(zktest.Start(t))
}

// TestWatchMapAfterARestart: sessions outlive their server, watches do not.
func TestWatchMapAfterARestart(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{AdminServer: true})
	given := slow(6)
	run := start(t, server, given)
	run.untilQueued(given.Clients - 1)
	server.Managed().Restart()
	run.untilCount(given.Clients, event.SessionResumed)
	run.awaitSameWatches(server)
}

// awaitSameWatches waits until taps and server agree, as they must when nothing
// is under way, and somebody watches something.
func (w *watched) awaitSameWatches(server *zktest.Server) {
	w.t.Helper()
	var got, want map[string][]int64
	deadline, poll := time.After(timeout), time.NewTicker(20*time.Millisecond)
	defer poll.Stop()
	for {
		got, want = dataWatches(w.t, w.all()), w.watchesOf(server)
		if gocmp.Equal(got, want) && len(want) > 0 {
			return
		}
		select {
		case <-poll.C:
			continue
		case <-deadline:
		}
		break
	}
	w.t.Errorf("taps and server differ:\n%s", gocmp.Diff(got, want))
}

// watchesOf is what the server says of the run's lock, other than of the
// playground's own observer.
func (w *watched) watchesOf(server *zktest.Server) map[string][]int64 {
	w.t.Helper()
	lane := w.Describe().Lanes[0].Path
	table := make(map[string][]int64)
	for node, sessions := range server.Watches(w.t) {
		if len(sessions) > 0 && (node == lane || path.Dir(node) == lane) {
			table[node] = sessions
		}
	}
	return table
}
