package zkcli

import (
	"cmp"
	"maps"
	"path"
	"slices"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// A watchKind is what a watch was set by.
type watchKind int

const (
	noWatch watchKind = iota
	dataWatch
	existsWatch // of a znode that was not there
	childrenWatch
	persistentWatch
	recursiveWatch
)

// A watch is one on a path.
type watch struct {
	kind watchKind
	path string
}

// Watches are those that a session has set. A server knows them too, but only of its own
// connection: they are set again from here after a reconnect, an event without a watch here
// is dropped, and what is not here cannot be removed.
type watches map[watch]struct{}

func (w watches) add(kind watchKind, path string) { w[watch{kind, path}] = struct{}{} }

// has says whether there is a watch of one of the kinds on a path.
func (w watches) has(path string, kinds ...watchKind) bool {
	return slices.ContainsFunc(kinds, func(kind watchKind) bool {
		_, has := w[watch{kind, path}]
		return has
	})
}

// take removes the watches of the kinds from a path, and says whether there was one.
func (w watches) take(path string, kinds ...watchKind) bool {
	has := w.has(path, kinds...)
	for _, kind := range kinds {
		delete(w, watch{kind, path})
	}
	return has
}

// usedUp are the watches for one event only that an event of a type is for.
var usedUp = map[string][]watchKind{
	"NodeCreated":         {dataWatch, existsWatch},
	"NodeDataChanged":     {dataWatch, existsWatch},
	"NodeChildrenChanged": {childrenWatch},
	"NodeDeleted":         {dataWatch, existsWatch, childrenWatch},
}

// fire reports whether a watch is there for an event, which uses up those that are
// for one event only.
func (w watches) fire(e wire.WatchEvent) bool {
	return w.take(e.Path, usedUp[e.Type]...) || w.has(e.Path, persistentWatch) || w.above(e.Path)
}

// above says whether a recursive watch covers the path.
func (w watches) above(node string) bool {
	for ; ; node = path.Dir(node) {
		if w.has(node, recursiveWatch) {
			return true
		}
		if node == "/" || node == "." {
			return false
		}
	}
}

// A removal is the event of watches that are removed.
type removal struct {
	event string
	kinds []watchKind
}

// removals are all, in the order of ZooKeeper's numbers.
var removals = []removal{
	{"DataWatchRemoved", []watchKind{dataWatch, existsWatch}},
	{"ChildWatchRemoved", []watchKind{childrenWatch}},
	{"PersistentWatchRemoved", []watchKind{persistentWatch, recursiveWatch}},
}

// removalsBy are what a request to remove watches of a type can bring about.
func removalsBy(t wire.WatcherType) []removal {
	switch t {
	case wire.DataWatcher:
		return removals[:1]
	case wire.ChildrenWatcher:
		return removals[1:2]
	default:
		return removals
	}
}

// remove forgets the watches of a type on a path, and returns their events.
func (w watches) remove(path string, t wire.WatcherType) (events []string) {
	for _, r := range removalsBy(t) {
		if w.take(path, r.kinds...) {
			events = append(events, r.event)
		}
	}
	return events
}

// removable says whether there is a watch of a type on a path.
func (w watches) removable(path string, t wire.WatcherType) bool {
	return slices.ContainsFunc(removalsBy(t), func(r removal) bool { return w.has(path, r.kinds...) })
}

// batchBytes bounds one request that sets watches again: a server takes 1 MiB.
const batchBytes = 128 << 10

// batches are all watches, in requests that a server takes.
func (w watches) batches() []wire.Watches {
	var all []wire.Watches
	var batch wire.Watches
	lists := map[watchKind]*[]string{dataWatch: &batch.Data, existsWatch: &batch.Exists, childrenWatch: &batch.Children,
		persistentWatch: &batch.Persistent, recursiveWatch: &batch.Recursive}
	size := 0
	inOrder := func(a, b watch) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.path, b.path)) }
	for _, each := range slices.SortedFunc(maps.Keys(w), inOrder) {
		if size += 4 + len(each.path); size > batchBytes {
			all, batch, size = append(all, batch), wire.Watches{}, 4+len(each.path)
		}
		list := lists[each.kind]
		*list = append(*list, each.path)
	}
	if size > 0 {
		all = append(all, batch)
	}
	return all
}
