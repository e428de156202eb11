package client

import (
	"path"
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
)

// derived tells what a recipe does that does not tell it itself, as far as its
// frames say: the znode that it made is its place in the queue, a znode of the queue
// that it reads with a watch is the one that it waits for, and the notification of
// that wakes it. What it believes no frame can say: acquisitions and releases are
// the recipe's to tell. Its method is safe for concurrent use.
type derived struct {
	dir string // the lock directory

	mu          sync.Mutex
	node        string // the newest that the client made in it
	predecessor string // what the client waits for, or empty
}

// from returns the event that a frame of the client stands for.
func (d *derived) from(e event.Event) (event.Event, bool) {
	if e.Kind != event.WireReceived || e.Err != "" || path.Dir(e.Path) != d.dir {
		return event.Event{}, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	told := event.Event{Derived: true}
	switch {
	case e.Op == "create":
		d.node, d.predecessor = e.Path, ""
		told.Kind, told.Token = event.LockEnqueued, e.Zxid
	case e.Op == "getData" && e.Watch && d.node != "":
		d.predecessor = e.Path
		told.Kind, told.Predecessor = event.LockWaiting, e.Path
	case e.Op == "notification" && e.Path == d.predecessor:
		d.predecessor = ""
		told.Kind, told.Predecessor, told.Type = event.LockWoken, e.Path, e.Type
	default:
		return event.Event{}, false
	}
	told.Path = d.node
	return told, true
}
