package zkcli

import (
	"path"
	"slices"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// Watches are the paths that a session watches, by what it asked. A server knows
// them too, but only of its own connection: they are set again from here after a
// reconnect, an event without a watch here is dropped, and what is not here cannot be
// removed.
type watches struct {
	data, exists, children, persistent, recursive paths
}

type paths map[string]struct{}

func newWatches() watches { return watches{paths{}, paths{}, paths{}, paths{}, paths{}} }

func (p paths) add(path string) { p[path] = struct{}{} }

func (p paths) has(path string) bool {
	_, has := p[path]
	return has
}

// take removes a path and says whether it was there.
func (p paths) take(path string) bool {
	has := p.has(path)
	delete(p, path)
	return has
}

func (p paths) list() []string {
	list := make([]string, 0, len(p))
	for path := range p {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// fire reports whether a watch is there for an event, which uses up those that are
// for one event only.
func (w watches) fire(e wire.WatchEvent) bool {
	fired := false
	take := func(from paths) { fired = from.take(e.Path) || fired }
	switch e.Type {
	case "NodeCreated", "NodeDataChanged":
		take(w.data)
		take(w.exists)
	case "NodeChildrenChanged":
		take(w.children)
	case "NodeDeleted":
		take(w.data)
		take(w.exists)
		take(w.children)
	}
	return fired || w.persistent.has(e.Path) || w.above(e.Path)
}

// above says whether a recursive watch covers the path.
func (w watches) above(node string) bool {
	for ; ; node = path.Dir(node) {
		if w.recursive.has(node) {
			return true
		}
		if node == "/" || node == "." {
			return false
		}
	}
}

// The types of the events of removed watches.
const (
	dataWatchRemoved       = "DataWatchRemoved"
	childWatchRemoved      = "ChildWatchRemoved"
	persistentWatchRemoved = "PersistentWatchRemoved"
)

// remove forgets the watches of a kind on a path and returns an event's type for each
// kind that there was, in the order of ZooKeeper's numbers.
func (w watches) remove(path string, kind wire.WatcherType) []string {
	var removed []string
	tell := func(was bool, event string) {
		if was {
			removed = append(removed, event)
		}
	}
	if kind != wire.ChildrenWatcher {
		data, exists := w.data.take(path), w.exists.take(path)
		tell(data || exists, dataWatchRemoved)
	}
	if kind != wire.DataWatcher {
		tell(w.children.take(path), childWatchRemoved)
	}
	if kind == wire.AnyWatcher {
		persistent, recursive := w.persistent.take(path), w.recursive.take(path)
		tell(persistent || recursive, persistentWatchRemoved)
	}
	return removed
}

// has says whether there is a watch of a kind on a path.
func (w watches) has(path string, kind wire.WatcherType) bool {
	data := w.data.has(path) || w.exists.has(path)
	switch kind {
	case wire.ChildrenWatcher:
		return w.children.has(path)
	case wire.DataWatcher:
		return data
	}
	return data || w.children.has(path) || w.persistent.has(path) || w.recursive.has(path)
}

// batchBytes bounds one request that sets watches again: a server takes 1 MiB.
const batchBytes = 128 << 10

// batches are all watches, in requests that a server takes.
func (w watches) batches() []wire.Watches {
	var all []wire.Watches
	var batch wire.Watches
	size := 0
	lists := []struct {
		from paths
		to   func(*wire.Watches) *[]string
	}{
		{w.data, func(b *wire.Watches) *[]string { return &b.Data }},
		{w.exists, func(b *wire.Watches) *[]string { return &b.Exists }},
		{w.children, func(b *wire.Watches) *[]string { return &b.Children }},
		{w.persistent, func(b *wire.Watches) *[]string { return &b.Persistent }},
		{w.recursive, func(b *wire.Watches) *[]string { return &b.Recursive }},
	}
	for _, l := range lists {
		for _, path := range l.from.list() {
			if size += 4 + len(path); size > batchBytes {
				all, batch, size = append(all, batch), wire.Watches{}, 4+len(path)
			}
			list := l.to(&batch)
			*list = append(*list, path)
		}
	}
	if size > 0 {
		all = append(all, batch)
	}
	return all
}
