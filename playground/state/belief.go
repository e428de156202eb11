package state

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// EndsBelief says that with e the client believes nothing any more: its process is
// gone, or it has made up its mind to close its session.
func EndsBelief(e *event.Event) bool {
	return e.Kind == event.SessionClosed || e.Injects(event.EndsProcess)
}

// beliefs follow which clients believe that they hold the lock of one directory: whose belief
// is false, as its znode is gone, and which cannot all be right. Only the log's order is known,
// so what the observer and the client tell at the same moment may count for some microseconds.
type beliefs struct {
	most     int // so many that exclude each other may hold
	holds    map[int]*hold
	byPath   map[string]*hold
	deleted  map[int]string // the last znode of each client that went
	conflict []int
}

// A hold is a client's belief that it holds.
type hold struct {
	client int
	path   string // of its znode
	read   bool
	wrong  bool  // that is gone
	since  int64 // from when it was wrong
}

func newBeliefs(most int) *beliefs {
	return &beliefs{most: most, holds: make(map[int]*hold), byPath: make(map[string]*hold), deleted: make(map[int]string)}
}

// apply takes the next event and adds to facts how the beliefs have changed.
func (b *beliefs) apply(facts []event.Event, e *event.Event, lane, directory string) []event.Event {
	tell := func(kind event.Kind, h *hold, wrong int64) {
		facts = append(facts, event.Event{Kind: kind, Lane: lane, Client: h.client, Path: h.path, Wrong: wrong})
	}
	held := b.holds[e.Client]
	end := func() {
		if held == nil {
			return
		}
		b.forget(held)
		if held.wrong {
			tell(event.BeliefEnded, held, e.At-held.since)
		}
	}
	switch e.Kind {
	case event.LockAcquired:
		end()
		h := &hold{client: e.Client, path: e.Path, read: e.Mode == "read"}
		b.holds[e.Client], b.byPath[e.Path] = h, h
		if e.Path != "" && b.deleted[e.Client] == e.Path {
			h.wrong, h.since = true, e.At
			tell(event.BeliefFalse, h, 0)
		}
	case event.TreeCreated: // maybe by a name that it had before
		if b.deleted[e.Client] == e.Path {
			delete(b.deleted, e.Client)
		}
		if held != nil && held.path == e.Path && held.wrong {
			held.wrong = false
			tell(event.BeliefEnded, held, 0)
		}
	case event.TreeDeleted:
		if e.Client > 0 {
			b.deleted[e.Client] = e.Path
		}
		if h := b.byPath[e.Path]; h != nil && !h.wrong && (e.Client == 0 || e.Client == h.client) {
			h.wrong, h.since = true, e.At
			tell(event.BeliefFalse, h, 0)
		}
	case event.LockReleased, event.LockLost, event.ProgramSilent:
		if held != nil && (e.Path == "" || held.path == "" || e.Path == held.path) { // else it is told late, of a former znode
			end()
		}
	default:
		if EndsBelief(e) {
			end()
		}
	}
	return b.compare(facts, lane, directory)
}

func (b *beliefs) forget(h *hold) {
	delete(b.holds, h.client)
	if b.byPath[h.path] == h {
		delete(b.byPath, h.path)
	}
}

// compare tells which clients cannot all be right, when that has changed.
func (b *beliefs) compare(facts []event.Event, lane, directory string) []event.Event {
	if len(b.holds) <= b.most && b.conflict == nil {
		return facts
	}
	var clients []int
	excluding := false
	for client, h := range b.holds {
		clients = append(clients, client)
		excluding = excluding || !h.read
	}
	if len(clients) <= b.most || !excluding {
		clients = nil
	}
	slices.Sort(clients)
	if slices.Equal(clients, b.conflict) {
		return facts
	}
	b.conflict = clients
	return append(facts, event.Event{Kind: event.BeliefConflict, Lane: lane, Path: directory, Clients: clients})
}
