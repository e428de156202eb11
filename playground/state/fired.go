package state

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
	lost     bool  // a change that may have fired it is forgotten
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
// is not known which. Unsure says that more may be known of that later.
func (c *changes) firedBy(w watched) (fired *change, unsure bool) {
	var first *change     // the earliest that came after the read for sure
	var perhaps []*change // those that came before it or after
	for i := len(c.list) - 1; i >= 0 && c.list[i].upTo > w.zxid; i-- {
		switch change := c.list[i]; {
		case !change.concerns(w):
		case change.after >= w.zxid:
			first = change
		default:
			perhaps = slices.Insert(perhaps, 0, change)
		}
	}
	switch {
	case w.lost:
		return nil, false // nor will it ever be known
	case len(perhaps) == 0:
		return first, false
	case c.known < w.zxid || slices.ContainsFunc(perhaps, func(p *change) bool { return p.kind == event.TreeLost }):
		return nil, true // one that is not told yet, or never, may come between
	}
	return byState(perhaps, first, w), true
}

// byState finds the change that fired a watch by what the read had found: before
// one of those that are not sure, or after them all and before the last.
func byState(perhaps []*change, last *change, w watched) *change {
	var found *change
	fitting := 0
	for _, p := range perhaps {
		if p.stateBefore(w) == w.state {
			found = p
			fitting++
		}
	}
	if perhaps[len(perhaps)-1].stateAfter(w) == w.state {
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
	return c.path == w.path || (c.kind == event.TreeLost && !Numbered(w.path)) // a number is never used again
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
