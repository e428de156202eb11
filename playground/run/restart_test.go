package run_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// sequenceDigits is the length of the number that the server appends to a name.
const sequenceDigits = 10

// TestObserverMissesNothingOverRestart: the server is killed under load. What
// the clients were told that they created and deleted is what the observer
// tells; more than that it tells only of requests whose answer was lost.
func TestObserverMissesNothingOverRestart(t *testing.T) {
	t.Parallel()
	ensemble := startNodes(t, 1)
	given := fast("mutex", 3) // few, so that a znode lives for some milliseconds only
	given.Hold, given.Think = between(0, 2), between(0, 2)
	run := startOn(t, ensemble, given)
	for range 3 * *rounds {
		run.untilCount(100, event.LockAcquired)
		run.injectIntoServers("restart", 0)
		run.untilKind(event.TreeLost, 0)
		run.untilKind(event.TreeSynced, 0)
	}
	run.untilCount(100, event.LockAcquired)
	run.finish()
	l := reportsOf(t, run.all())
	t.Logf("%d creations and %d deletions confirmed, %d more told by the observer", len(l.created), len(l.deleted), l.reconcile(t))
	run.mustKeepSessions()
	run.verdicts(nil)
}

// reports are paths, by who told of them.
type reports struct {
	created, deleted         map[string]bool // by the answers that clients got
	toldCreated, toldDeleted map[string]bool // by the observer
	askedCreate, askedDelete map[string]bool // by the requests, as they asked
}

func reportsOf(t *testing.T, log []event.Event) reports {
	t.Helper()
	var l reports
	for _, m := range []*map[string]bool{&l.created, &l.deleted, &l.toldCreated, &l.toldDeleted, &l.askedCreate, &l.askedDelete} {
		*m = make(map[string]bool)
	}
	answered := map[string]map[string]bool{"create": l.created, "delete": l.deleted}
	asked := map[string]map[string]bool{"create": l.askedCreate, "delete": l.askedDelete}
	for _, e := range log {
		switch {
		case e.Kind == event.TreeCreated && l.toldCreated[e.Path], e.Kind == event.TreeDeleted && l.toldDeleted[e.Path]:
			t.Errorf("event %d: %s of %s is told twice", e.Seq, e.Kind, e.Path)
		case e.Kind == event.TreeCreated:
			l.toldCreated[e.Path] = true
		case e.Kind == event.TreeDeleted:
			l.toldDeleted[e.Path] = true
		case e.Kind == event.WireSent && asked[e.Op] != nil:
			asked[e.Op][e.Path] = true
		case e.Kind == event.WireReceived && e.Err == "" && answered[e.Op] != nil:
			answered[e.Op][e.Path] = true
		}
	}
	return l
}

// reconcile compares and returns how many changes only the observer knows.
func (l reports) reconcile(t *testing.T) (more int) {
	t.Helper()
	for path := range l.created {
		if !l.toldCreated[path] {
			t.Errorf("the observer missed that %s was created", path)
		}
	}
	for path := range l.deleted {
		if !l.toldDeleted[path] {
			t.Errorf("the observer missed that %s was deleted", path)
		}
	}
	for path := range l.toldCreated {
		if !l.created[path] {
			more++
			if prefix := path[:len(path)-sequenceDigits]; !l.askedCreate[prefix] {
				t.Errorf("the observer tells of %s, which nobody asked for", path)
			}
		}
	}
	for path := range l.toldDeleted {
		if !l.deleted[path] {
			more++
			if !l.askedDelete[path] {
				t.Errorf("the observer tells that %s was deleted, which nobody asked for", path)
			}
		}
	}
	return more
}
