package check

import (
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// falseBelief adds up for how long clients believed that they held although
// their znode was gone. Only the log's order is known, so what the observer and
// the client tell at the same moment may count for some microseconds.
type falseBelief struct {
	holders map[int]hold
	deleted map[int]string // the last znode of each client that went
	sum     int64          // of the beliefs that have ended, in microseconds
	now     int64
}

// A hold is what a client believes that it holds by.
type hold struct {
	path  string
	wrong bool  // its znode is gone
	since int64 // from when it was wrong
}

func newFalseBelief() *falseBelief {
	return &falseBelief{holders: make(map[int]hold), deleted: make(map[int]string)}
}

func (f *falseBelief) apply(e *event.Event) {
	f.now = e.At
	held := f.holders[e.Client]
	switch e.Kind {
	case event.LockAcquired:
		f.end(e)
		f.holders[e.Client] = hold{path: e.Path, wrong: e.Path != "" && e.Path == f.deleted[e.Client], since: e.At}
	case event.TreeCreated: // maybe by a name that it had before
		if f.deleted[e.Client] == e.Path {
			delete(f.deleted, e.Client)
		}
		if held.path == e.Path && held.wrong {
			f.holders[e.Client] = hold{path: e.Path}
		}
	case event.TreeDeleted:
		f.deleted[e.Client] = e.Path
		if held.path == e.Path && !held.wrong {
			f.holders[e.Client] = hold{path: e.Path, wrong: true, since: e.At}
		}
	case event.LockReleased, event.LockLost:
		if e.Path == "" || e.Path == held.path { // else it is told late, of a former znode
			f.end(e)
		}
	default:
		if state.EndsBelief(e) {
			f.end(e)
		}
	}
}

// end is the end of the client's belief.
func (f *falseBelief) end(e *event.Event) {
	if held := f.holders[e.Client]; held.wrong {
		f.sum += e.At - held.since
	}
	delete(f.holders, e.Client)
}

// micros is the sum so far, in microseconds.
func (f *falseBelief) micros() int64 {
	sum := f.sum
	for _, held := range f.holders {
		if held.wrong {
			sum += f.now - held.since
		}
	}
	return sum
}
