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
	waiting map[string][]chan zk.Event // by the path watched
}

// add returns a channel that gets the next event of the znode.
func (w *watchers) add(node string) <-chan zk.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = make(map[string][]chan zk.Event)
	}
	event := make(chan zk.Event, 1)
	w.waiting[node] = append(w.waiting[node], event)
	return event
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
	for _, waiting := range all {
		waiting <- event
		close(waiting)
	}
	delete(w.waiting, event.Path)
	return len(all) > 0
}

// drop takes back what add returned, when its watch has not been set.
func (w *watchers) drop(node string, event <-chan zk.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	left := slices.DeleteFunc(w.waiting[node], func(c chan zk.Event) bool { return c == event })
	if len(left) == 0 {
		delete(w.waiting, node)
	} else {
		w.waiting[node] = left
	}
}
