package observer

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A tree is what the observer has told the log about the znodes below the lanes' roots.
// Those that the run makes for itself it does not tell of. Its methods are safe for
// concurrent use.
type tree struct {
	lanes    []event.Lane
	recorder Recorder
	// settledAt is the length of the log when it was last known to be whole;
	// only the observer's own goroutine uses it.
	settledAt int64

	asks chan struct{} // has something while the server has to be asked about a znode

	mu      sync.Mutex
	nodes   map[string]bool // paths recorded as existing
	holding bool            // a listing is under way: changes wait for it
	waiting []wire.WatchEvent
	below   map[string]int // how many znodes there are below the lanes' roots, by lane
	known   bool           // what has to be asked for before the first that waits is told
	found   found
}

// found is what the server says of a znode.
type found struct {
	owner string // the session that it goes with, empty if it has none
	data  string // if it is short text
	bytes int64  // of its data
}

func newTree(lanes []event.Lane, r Recorder) *tree {
	return &tree{lanes: lanes, recorder: r, asks: make(chan struct{}, 1), nodes: make(map[string]bool), below: make(map[string]int)}
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

// applyWaiting applies what waits, up to a znode that has to be asked for. The caller
// holds the mutex.
func (t *tree) applyWaiting() {
	for !t.holding && len(t.waiting) > 0 {
		w := t.waiting[0]
		if t.unknown() != "" {
			select {
			case t.asks <- struct{}{}:
			default: // it is asked for already
			}
			return
		}
		t.waiting = t.waiting[1:]
		t.apply(w)
		t.known, t.found = false, found{}
	}
}

// unknown is a znode of which only the server can say what is to be told: whose it is,
// as several may have asked for it under this name, or what data it has. It is empty when
// there is none. The caller holds the mutex.
func (t *tree) unknown() string {
	if t.known || t.holding || len(t.waiting) == 0 {
		return ""
	}
	w := t.waiting[0]
	lane, ok := t.lane(w.Path)
	inQueue := lane.InQueue(w.Path)
	switch {
	case !ok:
		return ""
	case w.Type == wire.NodeCreated && !t.nodes[w.Path] && !(inQueue && unique(w.Path)),
		w.Type == wire.NodeDataChanged && t.nodes[w.Path] && !inQueue:
		return w.Path
	default:
		return ""
	}
}

// unique says whether a znode's name tells who asked for it: it has a number from the
// server, and before that what recipes put there to know it again. Without that several
// guests may have asked for the same, each for its own number.
func unique(node string) bool {
	digits := wire.Sequence(node)
	numbered := len(digits) == wire.SequenceDigits && strings.Trim(digits, "0123456789") == ""
	return numbered && strings.HasPrefix(path.Base(node), "_c_")
}

// asked returns the znode that is to be asked for, empty if there is none, and whether it
// is in a queue: of those only the owner is told.
func (t *tree) asked() (node string, inQueue bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	node = t.unknown()
	lane, _ := t.lane(node)
	return node, lane.InQueue(node)
}

// answered says what the server has of the znode that was asked for. When it has changed
// again since, as events that came before the answer say, the data is that of the newest
// change, and told with that.
func (t *tree) answered(f found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) > 0 && slices.ContainsFunc(t.waiting[1:], func(w wire.WatchEvent) bool { return w.Path == t.waiting[0].Path }) {
		f.data, f.bytes = "", 0
	}
	t.known, t.found = true, f
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

// listed compares the children of some znodes with what was known of them.
func (t *tree) listed(listed map[string][]string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	there := make(map[string]bool)
	for dir, names := range listed {
		for _, name := range names {
			there[path.Join(dir, name)] = true
		}
	}
	known := slices.SortedFunc(maps.Keys(t.nodes), func(a, b string) int { return strings.Compare(b, a) }) // what is below a znode first
	for _, node := range known {
		if t.gone(node, listed, there) {
			t.tell(event.TreeDeleted, wire.WatchEvent{Path: node}, "unseen")
		}
	}
	for _, node := range inOrder(there) {
		if !t.nodes[node] {
			t.tell(event.TreeCreated, wire.WatchEvent{Path: node}, "unseen")
		}
	}
}

// gone says whether the listings show that a znode is not there any more, or that one
// above it is not. The caller holds the mutex.
func (t *tree) gone(node string, listed map[string][]string, there map[string]bool) bool {
	for ; node != "/"; node = path.Dir(node) {
		if _, ok := listed[path.Dir(node)]; ok {
			return !there[node]
		}
	}
	return false
}

// inOrder sorts znodes by the number that the server gave them, and parents before what is
// below them.
func inOrder(nodes map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(nodes), func(a, b string) int {
		return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), strings.Compare(wire.Sequence(a), wire.Sequence(b)), strings.Compare(a, b))
	})
}

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

// tell records a change of a znode that is to be told of.
func (t *tree) tell(kind event.Kind, w wire.WatchEvent, cause string) {
	lane, ok := t.lane(w.Path)
	if !ok {
		return
	}
	switch kind {
	case event.TreeCreated:
		t.nodes[w.Path] = true
	case event.TreeDeleted:
		delete(t.nodes, w.Path)
	}
	t.recorder.Record(event.Event{Kind: kind, Lane: lane.Name, Path: w.Path, Zxid: w.Zxid, Cause: cause,
		Session: t.found.owner, Data: t.found.data, Bytes: t.found.bytes})
}

// lane returns the lane that has the znode, unless the run has made it for itself.
func (t *tree) lane(node string) (event.Lane, bool) {
	i := slices.IndexFunc(t.lanes, func(l event.Lane) bool { return strings.HasPrefix(node, l.Root+"/") && !l.Makes(node) })
	if i < 0 {
		return event.Lane{}, false
	}
	return t.lanes[i], true
}
