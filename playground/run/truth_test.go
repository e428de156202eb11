package run_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// writeTransactions is how many writes TestObserverMatchesTap waits for.
const writeTransactions = 5_000

// TestObserverMatchesTap: what the server told the observer is what the taps
// saw the clients do, in the order of the transactions, nothing missing.
func TestObserverMatchesTap(t *testing.T) {
	given := fast("mutex", 20)
	given.Lanes = append(given.Lanes, scenario.Lane{Name: "readers", Recipe: "rw"}) // all at once, so many
	given.Hold, given.Think = between(0, 0), between(0, 0)
	run := start(t, zktest.Start(t), given)
	run.untilCount(writeTransactions/2+100, event.TreeCreated) // each is deleted, too
	run.finish()
	told, done := writes(run.all())
	if len(done) < writeTransactions {
		t.Fatalf("only %d write transactions", len(done))
	}
	if difference := gocmp.Diff(done, told); difference != "" {
		t.Errorf("%d transactions by the taps, %d changes by the observer:\n%.2000s", len(done), len(told), difference)
	}
	t.Logf("%d write transactions match", len(done))
	run.verdicts(nil)
}

// writes returns the changes that the observer reported, in its order, and those
// that the clients were told of, in the order of their transactions.
func writes(log []event.Event) (told, done []string) {
	var replies []event.Event
	for _, e := range log {
		switch {
		case e.Kind == event.TreeCreated || e.Kind == event.TreeDeleted:
			told = append(told, fmt.Sprint(e.Kind, e.Path))
		case e.Kind == event.WireReceived && e.Err == "" && (e.Op == "create" || e.Op == "delete"):
			replies = append(replies, e)
		}
	}
	slices.SortFunc(replies, func(a, b event.Event) int { return cmp.Compare(a.Zxid, b.Zxid) })
	for _, e := range replies {
		kind := map[string]event.Kind{"create": event.TreeCreated, "delete": event.TreeDeleted}[e.Op]
		done = append(done, fmt.Sprint(kind, e.Path))
	}
	return told, done
}

// TestWatchesMatchServer compares who watches what, by the taps, with the
// server's own report, which knows data watches only.
func TestWatchesMatchServer(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	for _, recipe := range []string{"mutex", "rw"} {
		t.Run(recipe, func(t *testing.T) {
			given := slow(20)
			given.Lanes[0].Recipe, given.Writers = recipe, 0.6
			run := start(t, server, given)
			holding := 0
			run.until("everybody holds or waits", func(e event.Event) bool {
				if e.Kind == event.LockAcquired || e.Kind == event.LockWaiting {
					holding++
				}
				return holding == given.Clients
			})
			run.awaitSameWatches(server)
		})
	}
}

func dataWatches(t *testing.T, log []event.Event) map[string][]int64 {
	sessions := make(map[int]int64)
	watches := make(map[int64]event.Event)
	for _, e := range log {
		switch e.Kind {
		case event.SessionGranted:
			id, err := strconv.ParseUint(e.Session, 0, 64)
			if err != nil {
				t.Fatal(err)
			}
			sessions[e.Client] = int64(id)
		case event.WatchSet:
			if e.Watched.On == "data" {
				watches[e.Watched.ID] = e
			}
		case event.WatchFired, event.WatchGone:
			delete(watches, e.Watched.ID)
		}
	}
	table := make(map[string][]int64)
	for _, e := range watches {
		table[e.Path] = append(table[e.Path], sessions[e.Client])
	}
	for _, watchers := range table {
		slices.Sort(watchers)
	}
	return table
}

// TestEveryChangeHasItsAuthor: no change of a run without guests is an outsider's.
func TestEveryChangeHasItsAuthor(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	run := start(t, server, fast("mutex", 5))
	run.untilCount(100, event.LockAcquired)
	run.finish()
	for _, e := range run.all() {
		if (e.Kind == event.TreeCreated || e.Kind == event.TreeDeleted) && (e.Cause != "client" || e.Client == 0 || e.Session == "") {
			t.Errorf("event %d: %s of %s by %q, client %d", e.Seq, e.Kind, e.Path, e.Cause, e.Client)
		}
	}
}

// TestOutsiderIsNamed: a znode that no client made is an outsider's, and so is a
// deletion that no client asked for.
func TestOutsiderIsNamed(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	run := start(t, server, fast("mutex", 3))
	run.untilKind(event.LockAcquired, 0)
	conn := server.Conn(t)
	guest := run.Describe().Lanes[0].Path + "/guest" // without a number: with one, the locks refuse to pass it over
	if _, err := conn.Create(guest, nil, 0, allowAll); err != nil {
		t.Fatal(err)
	}
	created := run.until("the guest", func(e event.Event) bool { return e.Kind == event.TreeCreated && e.Path == guest })
	if created.Cause != "outsider" || created.Client != 0 || created.Lane != "lane" {
		t.Errorf("the guest's znode is by %q, client %d, lane %q", created.Cause, created.Client, created.Lane)
	}
	run.untilCount(5, event.LockAcquired)
	if err := conn.Delete(guest, -1); err != nil {
		t.Fatal(err)
	}
	run.until("the guest's end", func(e event.Event) bool {
		return e.Kind == event.TreeDeleted && e.Path == guest && e.Cause == "outsider"
	})
	run.finish()
	run.verdicts(nil) // a stray that is no contender harms nobody
}

// TestOutsiderBelowAZnodeIsNamed: what an outsider has made so that nobody may delete it
// stays, and the verdict says what ZooKeeper answered to the deletion.
func TestOutsiderBelowAZnodeIsNamed(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	given := fast("mutex", 3)
	given.Lanes = append(given.Lanes, scenario.Lane{Name: "other", Recipe: "mutex"})
	config := configFor(t, server, given, 0)
	config.EndTimeout = timeout
	begun, err := run.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	run := &watched{Run: begun, t: t, next: 1} // it does not end well
	defer func() { run.Stop(); <-run.Done(); run.must(run.Close()) }()
	for _, lane := range given.Lanes {
		run.rewound().until("the second client in lane "+lane.Name, func(e event.Event) bool {
			return e.Kind == event.LockReleased && e.Lane == lane.Name && e.Client == 2
		})
	}
	conn, lanes := server.Conn(t), run.Describe().Lanes
	guest := lanes[0].Path + "/guest"
	for _, node := range []string{guest, guest + "/below"} {
		if _, err := conn.Create(node, nil, 0, allowAll); err != nil {
			t.Fatal(err)
		}
	}
	_, err = conn.SetACL(guest, zk.WorldACL(zk.PermRead|zk.PermAdmin), -1) // nobody may delete what is below it
	run.must(err)
	run.Stop()
	<-run.Done()
	_, err = conn.SetACL(guest, allowAll, -1)
	run.must(err)
	run.must(conn.Delete(guest+"/below", -1)) // or it would stay for good
	run.must(conn.Delete(guest, -1))
	run.must(conn.Delete(lanes[0].Path, -1))
	if there, _, err := conn.Exists(lanes[1].Path); err != nil || there {
		t.Errorf("the other lane's directory is still there: %v, %v", there, err)
	}
	want := "the run could not clean up: delete " + guest + "/below: zookeeper: NoAuth"
	for _, lane := range run.verdicts(map[string]event.Verdict{"orphans": event.Undecided}).Lanes {
		for _, v := range lane.Verdicts {
			if v.Check == "orphans" && v.Why != want {
				t.Errorf("lane %s: %q, want %q", lane.Name, v.Why, want)
			}
		}
	}
}

// TestLogLimitStopsTheRun: a log that is full ends the run with a note.
func TestLogLimitStopsTheRun(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	run := startWith(t, configFor(t, server, fast("mutex", 3), 200<<10))
	select {
	case <-run.Done():
	case <-time.After(timeout):
		t.Fatal("the run goes on with a full log")
	}
	var kinds []event.Kind
	for _, e := range run.all() {
		if e.Kind == event.NoteTruncated || e.Kind == event.NoteStopping || e.Kind == event.NoteFinished {
			kinds = append(kinds, e.Kind)
		}
	}
	want := []event.Kind{event.NoteTruncated, event.NoteStopping, event.NoteFinished}
	if !slices.Equal(kinds, want) {
		t.Errorf("the log ends with %v, want %v", kinds, want)
	}
}

// TestObserverAsksAlsoWhenNothingHappens: that a client stands still shows in the
// observer's answers only, so they must not wait for the log to grow.
func TestObserverAsksAlsoWhenNothingHappens(t *testing.T) {
	t.Parallel()
	stalls := watchStalls(t)
	given := slow(1)
	given.Session = milliseconds(40_000) // a ping, which the log tells, takes 13 s
	run := start(t, zktest.Start(t), given)
	acquired := run.untilKind(event.LockAcquired, 1)
	run.untilCount(3, event.TreeSynced)
	last := run.untilKind(event.TreeSynced, 0)
	if took := micros(last.At - acquired.At); took > 10*time.Second+stalls.slack() {
		t.Errorf("four answers took %v, want about one a second", took)
	}
}
