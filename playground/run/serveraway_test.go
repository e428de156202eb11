package run_test

import (
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// TestServerAway: the only server is away for longer than the sessions last. All clients lose
// their connection and what they believe, none is a second holder, and they go on
// when the server is back.
func TestServerAway(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 3)
	given.Session = scenario.Duration(time.Second)
	run := startOn(t, startNodes(t, 1), given)
	const length = 3 * time.Second
	run.untilCount(10, event.LockAcquired)
	run.injectIntoServers("server-away", length)
	for client := 1; client <= 3; client++ {
		run.rewound().untilKind(event.SessionLost, client)
	}
	healed := run.untilKind(event.FaultHealed, 0)
	run.untilAcquired(healed)
	run.finish()
	away := make(map[int]bool) // who knows that the server is
	for _, e := range run.all() {
		switch {
		case e.Kind == event.SessionSuspended && e.Seq < healed.Seq:
			away[e.Client] = true
		case e.Kind == event.LockAcquired && away[e.Client] && e.Seq < healed.Seq:
			t.Errorf("event %d: client %d acquires while the server is away", e.Seq, e.Client)
		}
	}
	run.verdicts(nil)
}
