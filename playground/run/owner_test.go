package run_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestWhoseZnode: of several who ask for a znode by the same name at once, the log
// names the one whose it is, which is who holds by it.
func TestWhoseZnode(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	run := start(t, server, fast("ephemeral", 6))
	run.untilCount(30, event.LockReleased)
	run.finish()

	var makers, holders []int
	for _, e := range run.all() {
		switch e.Kind {
		case event.TreeCreated:
			makers = append(makers, e.Client)
		case event.LockAcquired:
			holders = append(holders, e.Client)
		}
	}
	for i := range min(len(makers), len(holders)) {
		if makers[i] != holders[i] {
			t.Fatalf("znode %d is said to be client %d's, and client %d holds by it; makers %v, holders %v", i+1, makers[i], holders[i], makers, holders)
		}
	}
	if len(makers) < 30 {
		t.Errorf("%d znodes, want at least 30", len(makers))
	}
}
