package zklock

import (
	"slices"
	"sync"

	"github.com/go-zookeeper/zk"
)

// watchers are those who wait for the events of watches on data that were set
// past go-zookeeper, on one connection. The zero value is ready.
type watchers struct {
	mu      sync.Mutex
	waiting map[string][]watcher // by the path watched
}

// A watcher is one of them.
type watcher struct {
	event   chan zk.Event
	awaited bool // what is watched for is that the znode is made
}

// add returns a channel that gets the next event of the znode; with awaited,
// that it is made. Any other event is then of somebody else's request, who has
// looked for the znode and not found it.
func (w *watchers) add(node string, awaited bool) <-chan zk.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = make(map[string][]watcher)
	}
	event := make(chan zk.Event, 1)
	w.waiting[node] = append(w.waiting[node], watcher{event, awaited})
	return event
}

// join notes that somebody else sets a watch on the znode, over the same
// connection. It matters only where there are watches on it already.
func (w *watchers) join(node string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting[node]) > 0 {
		w.waiting[node] = append(w.waiting[node], watcher{event: make(chan zk.Event, 1)})
	}
}

// tell tells those who wait for the event, which is the only one of its watch.
// It returns false when there is nobody.
func (w *watchers) tell(event zk.Event) bool {
	if event.Type == zk.EventNodeChildrenChanged {
		return false // of another watch
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.waiting[event.Path]
	var left []watcher
	for _, waiting := range all {
		if waiting.awaited && event.Type != zk.EventNodeCreated {
			left = append(left, waiting)
			continue
		}
		waiting.event <- event
		close(waiting.event)
	}
	w.keep(event.Path, left)
	return len(all) > len(left)
}

// drop takes back what add returned, and reports whether its watch is left
// over: it has not been used up, and nobody else waits for the znode.
func (w *watchers) drop(node string, event <-chan zk.Event) (leftOver bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := len(w.waiting[node])
	left := slices.DeleteFunc(w.waiting[node], func(waiting watcher) bool { return waiting.event == event })
	w.keep(node, left)
	return len(left) == 0 && all > 0
}

// keep replaces those who wait for the znode. The caller holds w.mu.
func (w *watchers) keep(node string, left []watcher) {
	if len(left) == 0 {
		delete(w.waiting, node)
	} else {
		w.waiting[node] = left
	}
}
