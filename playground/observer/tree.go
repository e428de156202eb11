package observer

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A tree is what the observer has told the log about the children of the lock
// directories. Its methods are safe for concurrent use.
type tree struct {
	lanes    []event.Lane
	recorder Recorder
	// settledAt is the length of the log when it was last known to be whole;
	// only the observer's own goroutine uses it.
	settledAt int64

	mu      sync.Mutex
	nodes   map[string]bool // paths recorded as existing
	holding bool            // a listing is under way: changes wait for it
	waiting []wire.WatchEvent
}

func newTree(lanes []event.Lane, r Recorder) *tree {
	return &tree{lanes: lanes, recorder: r, nodes: make(map[string]bool)}
}

func (t *tree) directories() []string {
	dirs := make([]string, len(t.lanes))
	for i, lane := range t.lanes {
		dirs[i] = lane.Path
	}
	return dirs
}

// changed takes a watch event; it is called in the server's order.
func (t *tree) changed(w wire.WatchEvent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.holding {
		t.waiting = append(t.waiting, w)
		return
	}
	t.apply(w)
}

// hold keeps changes back until the listings that are under way are in.
func (t *tree) hold() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.holding = true
}

// resume applies the changes that were kept back. Those that a listing already
// showed are known, and not told again.
func (t *tree) resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, w := range t.waiting {
		t.apply(w)
	}
	t.holding, t.waiting = false, nil
}

// listed compares the children of dir with what was known of it.
func (t *tree) listed(dir string, names []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	there := make(map[string]bool, len(names))
	for _, name := range names {
		there[path.Join(dir, name)] = true
	}
	for node := range t.nodes {
		if path.Dir(node) == dir && !there[node] {
			t.tell(event.TreeDeleted, wire.WatchEvent{Path: node}, "unseen")
		}
	}
	for _, node := range inOrder(there) {
		if !t.nodes[node] {
			t.tell(event.TreeCreated, wire.WatchEvent{Path: node}, "unseen")
		}
	}
}

// inOrder sorts znodes by the number that the server gave them.
func inOrder(nodes map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(nodes), func(a, b string) int {
		return strings.Compare(suffix(a), suffix(b))
	})
}

func suffix(node string) string { return node[max(0, len(node)-sequenceDigits):] }

func (t *tree) apply(w wire.WatchEvent) {
	known := t.nodes[w.Path]
	switch {
	case w.Type == wire.NodeCreated && !known:
		t.tell(event.TreeCreated, w, "")
	case w.Type == wire.NodeDeleted && known:
		t.tell(event.TreeDeleted, w, "")
	case w.Type == wire.NodeDataChanged && known:
		t.tell(event.TreeChanged, w, "")
	}
}

// tell records a change of a child of a lock directory; others are not ours.
func (t *tree) tell(kind event.Kind, w wire.WatchEvent, cause string) {
	i := slices.IndexFunc(t.lanes, func(l event.Lane) bool { return l.Path == path.Dir(w.Path) })
	if i < 0 {
		return
	}
	switch kind {
	case event.TreeCreated:
		t.nodes[w.Path] = true
	case event.TreeDeleted:
		delete(t.nodes, w.Path)
	}
	t.recorder.Record(event.Event{Kind: kind, Lane: t.lanes[i].Name, Path: w.Path, Zxid: w.Zxid, Cause: cause})
}
