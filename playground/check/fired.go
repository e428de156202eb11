package check

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A watched is a watch as its read left it.
type watched struct {
	path     string
	children bool  // a watch on the children of path, else on path itself
	zxid     int64 // the newest change that the server had made
	state    int   // how many children it found; of a znode, 1 when it was there
}

// watchLeft returns the watch that a reply has left, if it has.
func watchLeft(e *event.Event) (w watched, ok bool) {
	if e.Kind != event.WireReceived || !e.Watch || e.Zxid == 0 {
		return watched{}, false
	}
	switch e.Op {
	case "getChildren":
		return watched{path: e.Path, children: true, zxid: e.Zxid, state: e.Children}, true
	case "getData", "exists":
		w := watched{path: e.Path, zxid: e.Zxid}
		if e.Err == "" {
			w.state = 1
		}
		return w, true
	}
	return watched{}, false
}

// firedBy returns the change that fired a watch; nil while none has, or while it
// is not known which.
func (c *changes) firedBy(w watched) *change {
	var first *change    // the earliest that came after the read for sure
	var unsure []*change // those that came before it or after
	i := len(c.list) - 1
	for ; i >= 0 && c.list[i].upTo > w.zxid; i-- {
		switch change := c.list[i]; {
		case !change.concerns(w):
		case change.after >= w.zxid:
			first = change
		default:
			unsure = slices.Insert(unsure, 0, change)
		}
	}
	switch {
	case i < 0 && c.forgotten > w.zxid:
		return nil
	case len(unsure) == 0:
		return first
	case c.known < w.zxid || slices.ContainsFunc(unsure, func(u *change) bool { return u.kind == event.TreeLost }):
		return nil // one that is not told yet, or never, may come between
	}
	return byState(unsure, first, w)
}

// byState finds the change that fired a watch by what the read had found: before
// one of the unsure ones, or after them all and before the last.
func byState(unsure []*change, last *change, w watched) *change {
	var found *change
	fitting := 0
	for _, u := range unsure {
		if u.stateBefore(w) == w.state {
			found = u
			fitting++
		}
	}
	if unsure[len(unsure)-1].stateAfter(w) == w.state {
		found = last
		fitting++
	}
	if fitting != 1 {
		return nil
	}
	return found
}

func (c *change) concerns(w watched) bool {
	if w.children {
		return c.kind != event.TreeChanged
	}
	return c.path == w.path || (c.kind == event.TreeLost && !numbered(w.path)) // a number is never used again
}

// stateBefore is what a read would have found before the change.
func (c *change) stateBefore(w watched) int {
	switch {
	case w.children:
		return c.before
	case c.kind == event.TreeCreated:
		return 0
	default:
		return 1
	}
}

// stateAfter is what it would have found after it.
func (c *change) stateAfter(w watched) int {
	switch {
	case w.children:
		return c.now
	case c.kind == event.TreeDeleted:
		return 0
	default:
		return 1
	}
}
