package state

import "github.com/zkplayground/zkplayground/playground/event"

// unfired are the waits of which it is not known what woke them, or will, by what they
// watch: a change is looked for among those alone that it concerns.
type unfired struct {
	nodes    map[string]map[*wait]bool
	children map[*wait]bool
	unsure   map[*wait]bool // of both: those that a change concerns, which may have come before the read
}

func newUnfired() unfired {
	return unfired{nodes: make(map[string]map[*wait]bool), children: make(map[*wait]bool), unsure: make(map[*wait]bool)}
}

// note keeps a wait, and whether there are changes that may have woken it.
func (u *unfired) note(w *wait, unsure bool) {
	switch path := w.watch.path; {
	case w.watch.children:
		u.children[w] = true
	case u.nodes[path] == nil:
		u.nodes[path] = map[*wait]bool{w: true}
	default:
		u.nodes[path][w] = true
	}
	if unsure {
		u.unsure[w] = true
	} else {
		delete(u.unsure, w)
	}
}

func (u *unfired) remove(w *wait) {
	if w.watch == nil {
		return
	}
	delete(u.children, w)
	delete(u.nodes[w.watch.path], w)
	if len(u.nodes[w.watch.path]) == 0 {
		delete(u.nodes, w.watch.path)
	}
	delete(u.unsure, w)
}

// concern notes whom a new change may have woken.
func (u *unfired) concern(c *change) {
	if c.kind != event.TreeChanged {
		u.perhaps(u.children)
	}
	if c.kind != event.TreeLost {
		u.perhaps(u.nodes[c.path])
		return
	}
	for path, waits := range u.nodes {
		if !Numbered(path) {
			u.perhaps(waits)
		}
	}
}

// forget notes whom a change may have woken that is not kept any more.
func (u *unfired) forget(c *change) {
	lose := func(waits map[*wait]bool) {
		for w := range waits {
			w.watch.lost = w.watch.lost || c.concerns(*w.watch) && c.upTo > w.watch.zxid
		}
	}
	lose(u.children)
	if c.kind != event.TreeLost {
		lose(u.nodes[c.path])
		return
	}
	for _, waits := range u.nodes {
		lose(waits)
	}
}

func (u *unfired) perhaps(waits map[*wait]bool) {
	for w := range waits {
		u.unsure[w] = true
	}
}
