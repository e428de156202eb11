package run_test

import (
	"path"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestOneLockDoesNotDisturbAnother: who waits for one of two locks is not told of what
// happens in the other, and goes on while that stands still.
func TestOneLockDoesNotDisturbAnother(t *testing.T) {
	t.Parallel()
	given := shippedScenario(t, "several-locks")
	given.Hold, given.Think = between(50, 60), between(10, 20)
	given.Faults[0].At = scenario.Duration(500 * time.Millisecond)
	run := start(t, zktest.Start(t), given)
	crash := run.until("the holder of orders crashes", func(e event.Event) bool { return e.Kind == event.FaultInjected })
	expiry := run.until("its session ends", func(e event.Event) bool { return e.Kind == event.TreeDeleted && e.Cause == "expiry" })
	run.finish()

	wants := map[int]string{1: "orders", 2: "orders", 3: "orders", 4: "stock", 5: "stock"}
	meanwhile := 0
	for _, e := range run.all() {
		if e.Kind == event.LockAcquired || e.Kind == event.WireReceived && e.Op == "notification" {
			if lock := path.Base(path.Dir(e.Path)); lock != wants[e.Client] {
				t.Errorf("event %d: %s tells client %d of %s, which wants %s", e.Seq, e.Kind, e.Client, lock, wants[e.Client])
			}
		}
		// A client may hear of the end of the session before the observer does.
		if e.Kind == event.LockAcquired && e.Seq > crash.Seq && e.At < expiry.At-time.Second.Microseconds() {
			meanwhile++
			if wants[e.Client] == "orders" {
				t.Errorf("event %d: client %d has orders, which the crashed client keeps", e.Seq, e.Client)
			}
		}
	}
	if meanwhile < 3 {
		t.Errorf("stock was acquired %d times while orders stood still", meanwhile)
	}
}

// TestMultiLockEntersAllQueuesAtOnce: the znodes of an acquisition have one transaction,
// and stand in the same order in both queues.
func TestMultiLockEntersAllQueuesAtOnce(t *testing.T) {
	t.Parallel()
	given := shippedScenario(t, "multi-lock")
	given.Delay, given.Hold, given.Think = 0, between(50, 60), between(10, 20)
	run := start(t, zktest.Start(t), given)
	run.untilCount(40, event.LockAcquired)
	run.finish()
	tokens := make(map[int64]map[string]bool) // the locks that were acquired with each
	for _, e := range run.all() {
		if e.Kind == event.LockAcquired && e.Client <= 2 {
			if tokens[e.Token] == nil {
				tokens[e.Token] = make(map[string]bool)
			}
			tokens[e.Token][path.Base(path.Dir(e.Path))] = true
		}
	}
	if len(tokens) < 3 {
		t.Errorf("only %d acquisitions of both locks", len(tokens))
	}
	for token, locks := range tokens {
		if len(locks) != 2 {
			t.Errorf("token %d is of %v, want both locks", token, locks)
		}
	}
	run.verdicts(nil)
}

// TestThreadsShareOneZnode: however many threads of a process want the lock, it has one
// znode in the queue at most.
func TestThreadsShareOneZnode(t *testing.T) {
	t.Parallel()
	given := shippedScenario(t, "reentrant")
	given.Delay, given.Hold, given.Think = 0, between(30, 40), between(5, 10)
	run := start(t, zktest.Start(t), given)
	run.untilCount(60, event.LockAcquired)
	run.finish()
	znodes, threads := make(map[string]string), make(map[int]bool)
	for _, e := range run.all() {
		of := e.Lane + "/" + string(rune('0'+e.Client))
		switch e.Kind {
		case event.TreeCreated:
			if znodes[of] != "" {
				t.Errorf("event %d: %s has %s and %s", e.Seq, of, znodes[of], e.Path)
			}
			znodes[of] = e.Path
		case event.TreeDeleted:
			delete(znodes, of)
		case event.LockAcquired:
			if e.Client == 1 && e.Lane == "reentrant" {
				threads[e.Thread] = true
			}
		}
	}
	if len(threads) != 3 {
		t.Errorf("threads %v of process 1 have held, want three", threads)
	}
}

func shippedScenario(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	given, err := shipped.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	given.Delay = 0
	return given
}

// TestWaitingWriterWakesReaders: a writer that leaves the queue while another writes wakes
// every reader behind it, and none of them gets the lock by that.
func TestWaitingWriterWakesReaders(t *testing.T) {
	t.Parallel()
	given := shippedScenario(t, "writer-leaves")
	given.Delay = 0
	run := start(t, zktest.Start(t), given)
	left := run.until("the waiting writer leaves", func(e event.Event) bool { return e.Kind == event.TreeDeleted && e.Client == 2 })
	released := run.until("the one that writes releases", func(e event.Event) bool { return e.Kind == event.LockReleased && e.Client == 1 })
	run.finish()

	woken, waits := map[int]bool{}, map[int]bool{}
	for _, e := range run.all() {
		switch {
		case e.Seq > released.Seq:
		case e.Kind == event.LockWoken:
			if woken[e.Client] = true; e.Predecessor != left.Path {
				t.Errorf("event %d: client %d is woken by %s, want %s", e.Seq, e.Client, e.Predecessor, left.Path)
			}
		case e.Kind == event.LockWaiting && woken[e.Client]:
			waits[e.Client] = true
		case e.Kind == event.LockAcquired && e.Client != 1:
			t.Errorf("event %d: client %d holds beside the one that writes", e.Seq, e.Client)
		}
	}
	if len(woken) != 4 || len(waits) != 4 {
		t.Errorf("woken are %v, and %v wait again; want four readers in both", woken, waits)
	}
}
