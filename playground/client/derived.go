package client

import (
	"path"
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
)

// derived tells what a recipe does that does not tell it itself, as far as its
// frames say: the znode that it made is its place in the queue, a znode of the queue
// that it reads with a watch is the one that it waits for, or the queue itself if it
// lists that with a watch; and the notification of that wakes it. What it believes no
// frame can say: acquisitions and releases are the recipe's to tell. Its methods are safe
// for concurrent use.
type derived struct {
	dir string // the lock directory

	mu          sync.Mutex
	wants       bool   // it is known to want the lock, with a znode of its own or without
	node        string // the newest that the client made in it
	predecessor string // what the client waits for, or empty
}

func newDerived(dir string) *derived { return &derived{dir: dir} }

// begin says that the client wants the lock from here on.
func (d *derived) begin() { d.set(true) }

// end says that it does not, or holds it.
func (d *derived) end() { d.set(false) }

func (d *derived) set(wants bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wants, d.predecessor = wants, ""
}

// left says that the server has none of the client's znodes in the queue any more.
func (d *derived) left() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.node, d.predecessor = "", ""
}

// newest is the newest znode of the client in the queue.
func (d *derived) newest() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.node
}

// from returns the event that a frame of the client stands for.
func (d *derived) from(e event.Event) (event.Event, bool) {
	if e.Kind != event.WireReceived || e.Err != "" {
		return event.Event{}, false
	}
	if e.Op == event.OpMulti {
		e.Op, e.Path = d.part(e.Ops)
	}
	inQueue := path.Dir(e.Path) == d.dir
	d.mu.Lock()
	defer d.mu.Unlock()
	told := event.Event{Derived: true}
	switch {
	case e.Op == event.OpCreate && inQueue:
		d.node, d.predecessor = e.Path, ""
		told.Kind, told.Token = event.LockEnqueued, e.Zxid
	case e.Op == event.OpDelete && e.Path == d.node: // one of that path is another client's from now on
		d.node = ""
		return event.Event{}, false
	case e.Watch && d.waits() && e.Path != d.node && d.reads(e, inQueue):
		d.predecessor = e.Path
		told.Kind, told.Predecessor = event.LockWaiting, e.Path
	case e.Op == event.OpNotification && d.predecessor != "" && e.Path == d.predecessor:
		d.predecessor = ""
		told.Kind, told.Predecessor, told.Type = event.LockWoken, e.Path, e.Type
	default:
		return event.Event{}, false
	}
	told.Path = d.node
	return told, true
}

// part is the part of a multi that creates or deletes in the queue; empty if none does.
func (d *derived) part(ops []event.SubOp) (op, node string) {
	for _, o := range ops {
		if (o.Op == event.OpCreate || o.Op == event.OpDelete) && path.Dir(o.Path) == d.dir {
			return o.Op, o.Path
		}
	}
	return "", ""
}

func (d *derived) waits() bool { return d.wants || d.node != "" }

// reads says whether e is the answer to a request for a znode of the queue, or for the
// queue.
func (d *derived) reads(e event.Event, inQueue bool) bool {
	switch e.Op {
	case event.OpGetData, event.OpExists:
		return inQueue
	case event.OpGetChildren:
		return e.Path == d.dir
	default:
		return false
	}
}
