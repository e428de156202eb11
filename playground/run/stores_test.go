package run_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store/redisserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// inStores is a scenario with a lane in each store.
func inStores(clients int) scenario.Scenario {
	given := fast("mutex", clients)
	given.Lanes = []scenario.Lane{{Name: "database", Recipe: "database"}, {Name: "cache", Recipe: "cache"}, {Name: "zookeeper", Recipe: "mutex"}}
	return given
}

func startWithRedis(t *testing.T, redis run.Redis, given scenario.Scenario) *watched {
	server := zktest.Start(t)
	return startWith(t, run.Config{Backend: run.Backend{Servers: []string{server.Address()}, Redis: redis},
		Base: server.Root(t) + "/playground", Room: "test", ID: "run", Scenario: given})
}

// acquires waits for an acquisition in a lane.
func (w *watched) acquires(lane string, fits func(event.Event) bool) event.Event {
	w.t.Helper()
	return w.until("an acquisition in "+lane, func(e event.Event) bool {
		return e.Kind == event.LockAcquired && e.Lane == lane && fits(e)
	})
}

func anybody(event.Event) bool { return true }

// TestStoresExclude recomputes from the log that the stores' locks exclude, without the
// checks: each acquisition is of the client that the store had the entry for since
// before, and no two overlap.
func TestStoresExclude(t *testing.T) {
	t.Parallel()
	own := ownRedis(t)
	w := startWithRedis(t, own, inStores(5))
	for _, lane := range []string{"database", "cache"} {
		for range 20 {
			w.acquires(lane, anybody)
		}
	}
	w.finish()
	for _, lane := range []string{"database", "cache"} {
		recompute(t, w.all(), lane)
	}
	for _, lane := range w.Summary().Lanes {
		for _, v := range lane.Verdicts {
			if v.Verdict != event.Holds {
				t.Errorf("lane %s: %s is %s: %s", lane.Name, v.Check, v.Verdict, v.Why)
			}
		}
	}
	address, err := own.Address(t.Context())
	w.must(err)
	client := redis.NewClient(&redis.Options{Addr: address, Protocol: 2})
	defer client.Close()
	if n, err := client.DBSize(t.Context()).Result(); n != 0 || err != nil {
		t.Errorf("%d keys are left in Redis, %v", n, err)
	}
}

// recompute follows the holders that clients believed in, and those of the store. The
// log may hear of a new entry, or of an old one's end, after the client.
func recompute(t *testing.T, events []event.Event, lane string) {
	t.Helper()
	believer, there := 0, false
	var made, acquired []int
	for _, e := range events {
		switch {
		case e.Lane != lane:
		case e.Kind == event.TreeCreated:
			if there {
				t.Errorf("%s: event %d makes what is there", lane, e.Seq)
			}
			there, made = true, append(made, e.Client)
		case e.Kind == event.TreeDeleted:
			there = false
		case e.Kind == event.LockAcquired:
			if believer != 0 {
				t.Errorf("%s: client %d acquired at event %d while client %d held", lane, e.Client, e.Seq, believer)
			}
			believer, acquired = e.Client, append(acquired, e.Client)
		case e.Kind == event.LockReleased:
			believer = 0
		}
	}
	if len(made) < len(acquired) {
		t.Fatalf("%s: the store had it for %v, the clients acquired as %v", lane, made, acquired)
	}
	for i, client := range acquired {
		// Redis is asked who has set the key: on a busy machine it may be gone by then, or
		// be that of a later one.
		late := lane == "cache" && (made[i] == 0 || slices.Contains(acquired[i:], made[i]))
		if made[i] != client && !late {
			t.Errorf("%s: acquisition %d was client %d's, but the store had it for client %d", lane, i+1, client, made[i])
		}
	}
}

// TestWithoutRedisServer: the lane says what to install, and the others run.
func TestWithoutRedisServer(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	w := startWithRedis(t, redisserver.NewOnDemand(func(string) string { return empty }), inStores(3))
	w.acquires("database", anybody)
	w.acquires("zookeeper", anybody)
	w.finish()
	missing := w.Describe().Lanes[1].Missing
	if !strings.Contains(missing, "apt-get install redis-server") {
		t.Errorf("the lane of the cache says %q", missing)
	}
	for _, e := range w.all() {
		if e.Lane == "cache" && !e.Kind.Follows() {
			t.Fatalf("the lane of the cache has an event: %+v", e)
		}
	}
}

// TestRedisDiesMidRun: its lane says so and goes on when it is back, on an empty Redis;
// the others notice nothing.
func TestRedisDiesMidRun(t *testing.T) {
	t.Parallel()
	own := ownRedis(t)
	w := startWithRedis(t, own, inStores(3))
	w.acquires("cache", anybody)
	own.Restart()
	lost := w.until("the loss of Redis", func(e event.Event) bool { return e.Kind == event.TreeLost && e.Lane == "cache" })
	if !strings.Contains(lost.Why, "goes on when it is back") {
		t.Errorf("the lane says %q", lost.Why)
	}
	w.until("the return of Redis", func(e event.Event) bool { return e.Kind == event.TreeSynced && e.Lane == "cache" })
	w.acquires("cache", anybody)
	w.finish()
	for _, e := range w.all() {
		if e.Kind == event.TreeLost && e.Lane != "cache" || e.Kind == event.SessionSuspended && e.Lane != "cache" {
			t.Errorf("another lane noticed: %+v", e)
		}
	}
}

// TestRowStaysUntilDeleted: nobody holds after a crash, until an operator deletes the row.
func TestRowStaysUntilDeleted(t *testing.T) {
	t.Parallel()
	given := fast("database", 2)
	given.Hold = between(600_000, 600_000)
	w := startWithRedis(t, run.Redis(nil), given)
	first := w.acquires("lane", anybody)
	w.must(w.Inject(t.Context(), scenario.Fault{Name: "crash", Client: first.Client}))
	w.until("the lane to stand still", func(e event.Event) bool {
		return e.Kind == event.CheckChanged && e.Check == "progress" && e.Verdict == event.Violated
	})
	w.must(w.Inject(t.Context(), scenario.Fault{Name: "delete", Client: first.Client}))
	gone := w.until("the end of the row", func(e event.Event) bool { return e.Kind == event.TreeDeleted })
	if gone.Cause != "outsider" || gone.Client != first.Client {
		t.Errorf("the row went as %+v", gone)
	}
	second := w.acquires("lane", func(e event.Event) bool { return e.Client != first.Client })
	if second.Token <= first.Token {
		t.Errorf("version %d after %d", second.Token, first.Token)
	}
}

// TestNoDatabaseIsLeft of a program that is killed, at whatever instant: no file of a run
// has a name while it is used.
func TestNoDatabaseIsLeft(t *testing.T) {
	zktest.Start(t) // its directory is another one
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	w := startWithRedis(t, run.Redis(nil), fast("database", 2))
	for range 3 {
		w.acquires("lane", anybody)
		// The directory of the log is beside the temporary one.
		if there, err := filepath.Glob(filepath.Join(filepath.Dir(temporary), "*", "*")); err != nil || len(there) > 0 {
			t.Errorf("a kill would leave %v, %v", there, err)
		}
	}
	w.finish()
}
