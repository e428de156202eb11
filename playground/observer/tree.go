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

	asks chan struct{} // has something while the owner of a new znode is not known

	mu      sync.Mutex
	nodes   map[string]bool // paths recorded as existing
	holding bool            // a listing is under way: changes wait for it
	waiting []wire.WatchEvent
	below   map[string]int // how many znodes there are below the lanes' roots, by lane
	known   bool           // the owner of the znode of which the first that waits tells
	owner   string         // its session, empty if it has none
}

func newTree(lanes []event.Lane, r Recorder) *tree {
	return &tree{lanes: lanes, recorder: r, asks: make(chan struct{}, 1), nodes: make(map[string]bool), below: make(map[string]int)}
}

func (t *tree) directories() []string {
	var dirs []string
	for _, lane := range t.lanes {
		dirs = append(dirs, lane.Directories()...)
	}
	return dirs
}

// changed takes a watch event; it is called in the server's order.
func (t *tree) changed(w wire.WatchEvent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count(w)
	t.waiting = append(t.waiting, w)
	t.applyWaiting()
}

// count follows how many znodes there are below the lanes' roots, wherever. The caller
// holds the mutex.
func (t *tree) count(w wire.WatchEvent) {
	change := 0
	switch w.Type {
	case wire.NodeCreated:
		change = 1
	case wire.NodeDeleted:
		change = -1
	default:
		return
	}
	for _, lane := range t.lanes {
		if strings.HasPrefix(w.Path, lane.Root+"/") {
			t.below[lane.Name] += change
		}
	}
}

// counted says how many there are below a lane's root.
func (t *tree) counted(lane string, znodes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.below[lane] = znodes
}

// znodes is how many there are now.
func (t *tree) znodes(lane string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.below[lane]
}

// applyWaiting applies what waits, up to a znode whose owner has to be asked for. The
// caller holds the mutex.
func (t *tree) applyWaiting() {
	for !t.holding && len(t.waiting) > 0 {
		w := t.waiting[0]
		if t.unowned() != "" {
			select {
			case t.asks <- struct{}{}:
			default: // it is asked for already
			}
			return
		}
		t.waiting = t.waiting[1:]
		t.apply(w)
		t.known, t.owner = false, ""
	}
}

// unowned is a new znode that several may have asked for under this name, so that only
// the server knows whose it is; empty when there is none. The caller holds the mutex.
func (t *tree) unowned() string {
	if t.known || t.holding || len(t.waiting) == 0 {
		return ""
	}
	w := t.waiting[0]
	if w.Type != wire.NodeCreated || t.nodes[w.Path] || t.lane(w.Path) < 0 || unique(w.Path) {
		return ""
	}
	return w.Path
}

// unique says whether a znode's name tells who asked for it: it has a number from the
// server, and before that what recipes put there to know it again. Without that several
// guests may have asked for the same, each for its own number.
func unique(node string) bool {
	digits := suffix(node)
	numbered := len(digits) == sequenceDigits && strings.Trim(digits, "0123456789") == ""
	return numbered && strings.HasPrefix(path.Base(node), "_c_")
}

// asked returns the znode whose owner is to be asked for, empty if there is none.
func (t *tree) asked() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unowned()
}

// owned says whose session the znode goes with that was asked for.
func (t *tree) owned(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known, t.owner = true, session
	t.applyWaiting()
}

// hold keeps changes back until the listings that are under way are in. What still
// waited these will show.
func (t *tree) hold() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.holding, t.waiting, t.known = true, nil, false
}

// resume applies the changes that were kept back. Those that a listing already
// showed are known, and not told again.
func (t *tree) resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.holding = false
	t.applyWaiting()
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
	i := t.lane(w.Path)
	if i < 0 {
		return
	}
	switch kind {
	case event.TreeCreated:
		t.nodes[w.Path] = true
	case event.TreeDeleted:
		delete(t.nodes, w.Path)
	}
	t.recorder.Record(event.Event{Kind: kind, Lane: t.lanes[i].Name, Path: w.Path, Zxid: w.Zxid, Cause: cause, Session: t.owner})
}

// lane is the index of the lane whose lock directory has the znode, -1 if none does.
func (t *tree) lane(node string) int {
	return slices.IndexFunc(t.lanes, func(l event.Lane) bool { return slices.Contains(l.Directories(), path.Dir(node)) })
}
