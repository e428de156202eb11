package run_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A single is a real server of the test's own, which is started again when it dies.
type single struct{ server *zktest.Server }

func (s single) Nodes() int { return 1 }

func (s single) Inject(_ context.Context, fault string, _ time.Duration) (server string, why *event.Reason, err error) {
	if fault != "restart" {
		return "", nil, errors.New("one server has no leader")
	}
	return s.server.Address(), event.Text("killed and started again"), zktest.Kill(s.server.Managed().PID())
}

func (s single) Heal(context.Context) error { return nil }

// TestServerFault: a restart, by hand and on schedule, is told as no client's,
// and the run survives it.
func TestServerFault(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	given := fast("mutex", 3)
	given.Faults = []scenario.ScheduledFault{{At: milliseconds(100), Fault: scenario.Fault{Name: "restart"}}}
	config := configFor(t, server, given, 0)
	config.Cluster = single{server}
	run := startWith(t, config)
	for _, scheduled := range []bool{true, false} {
		if !scheduled {
			run.must(run.Inject(t.Context(), scenario.Fault{Name: "restart"}))
		}
		injected := run.untilKind(event.FaultInjected, 0)
		if injected.Client != 0 || injected.Lane != "" || injected.Fault != "restart" || injected.Server != server.Address() {
			t.Errorf("injected %+v", injected)
		}
		run.untilKind(event.TreeSynced, 0)
		run.untilCount(5, event.LockAcquired)
	}
	if err := run.Inject(t.Context(), scenario.Fault{Name: "kill-leader"}); !errors.Is(err, client.ErrImpossible) {
		t.Errorf("a leader of one: %v", err)
	}
	run.finish()
	run.verdicts(nil)
}

// TestTurns: a client that has had its turns wants no more, and stays.
func TestTurns(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 3)
	given.Turns = 2
	run := start(t, zktest.Start(t), given)
	run.untilCount(6, event.LockReleased)
	run.untilKind(event.TreeDeleted, 0)
	run.untilKind(event.TreeSynced, 0)
	run.finish()
	if got := run.verdicts(nil).Lanes[0].Acquisitions; got != 6 {
		t.Errorf("%d acquisitions, want 3 clients x 2 turns", got)
	}
	for _, e := range run.all() {
		if e.Kind == event.NoteStopping {
			break
		}
		if e.Kind == event.SessionLost || e.Kind == event.SessionClosed {
			t.Errorf("event %d: client %d lost its session", e.Seq, e.Client)
		}
	}
}
