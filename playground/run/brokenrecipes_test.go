package run_test

import (
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestMuseumRecipesLock: where nothing goes wrong, a flawed recipe is a lock.
func TestMuseumRecipesLock(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	for _, recipe := range []string{"deaf", "gozookeeper", "plain", "writelock", "flag", "ephemeral", "local-first", "reentrant", "nested", "ordered", "multi"} {
		t.Run(recipe, func(t *testing.T) {
			given := fast(recipe, 3) // so few that nobody can be overtaken three times
			given.Turns = 1
			if recipe == "writelock" {
				given.Script = queueUp(given.Clients)
			}
			run := start(t, server, given)
			run.untilCount(given.Clients, event.LockReleased)
			run.finish()
			run.verdicts(unqueued(recipe))
		})
	}
}

// queueUp has all clients in the queue before the first release: writelock loses
// a wake-up without any help if somebody looks just then.
func queueUp(clients int) []scenario.Step {
	script := []scenario.Step{{Fault: scenario.Fault{Client: 1}, Until: event.LockAcquired}}
	for client := 2; client <= clients; client++ {
		script = append(script, scenario.Step{Fault: scenario.Fault{Client: client}, Until: event.LockWaiting})
	}
	return script
}

// unqueued are the verdicts that a lock without a queue leaves open.
func unqueued(recipe string) map[string]event.Verdict {
	if recipe != "flag" && recipe != "ephemeral" {
		return nil
	}
	return map[string]event.Verdict{"mutual-exclusion": event.Undecided, "fifo": event.Undecided}
}

// TestMuseumRecipesAfterACrash: the others go on when the holder's session is over.
// It takes longer to time out than a client may stand still whose turn it is.
func TestMuseumRecipesAfterACrash(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	for _, recipe := range []string{"deaf", "gozookeeper", "plain", "writelock", "ephemeral"} {
		t.Run(recipe, func(t *testing.T) {
			t.Parallel()
			given := fast(recipe, 3)
			given.Session, given.Hold = milliseconds(4000), between(1000, 1100)
			run := start(t, server, given)
			holder := run.untilKind(event.LockAcquired, 0)
			run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: holder.Client}))
			run.untilCount(2, event.LockAcquired)
			run.finish()
			run.verdicts(unqueued(recipe))
		})
	}
}

// TestMuseumRecipesAfterExpiry: whoever listens for the loss stops; the others
// work on.
func TestMuseumRecipesAfterExpiry(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	for _, recipe := range []string{"adopting", "deaf", "gozookeeper", "plain", "writelock", "ephemeral"} {
		t.Run(recipe, func(t *testing.T) {
			deaf, work := recipe == "deaf" || recipe == "gozookeeper", time.Minute
			if deaf {
				work = 1500 * time.Millisecond // to be waited for
			}
			given := fast(recipe, 2)
			given.Hold = scenario.Range{Min: scenario.Duration(work), Max: scenario.Duration(work)}
			run := start(t, server, given)
			holder := run.untilKind(event.LockAcquired, 0)
			run.must(run.Inject(t.Context(), scenario.Fault{Name: "expire", Client: holder.Client}))
			stopped := run.until("the holder stops", func(e event.Event) bool {
				return e.Client == holder.Client && (e.Kind == event.LockLost || e.Kind == event.LockReleased)
			})
			held := time.Duration(stopped.At-holder.At) * time.Microsecond
			if deaf != (held >= work) {
				t.Errorf("the holder stopped with %s after %v of %v", stopped.Kind, held, work)
			}
		})
	}
}
