package check

import (
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// Watches folds the wire into who watches what at the server. The server's own
// reports leave out child watches, so the wire is the source and the server a
// cross-check for the rest. The zero value is not usable; see [NewWatches].
//
// The rules are ZooKeeper's: a watch is left by a read that succeeded, or by an
// exists that found nothing; it is spent by its notification; it goes with its
// client's session, and with its connection. A client that is connected again
// sets its watches again in one request, which leaves those that have something
// to tell by then to their notifications.
type Watches struct {
	data     table
	children table
}

// A Watcher is a client of a lane.
type Watcher struct {
	Lane   string
	Client int
}

// A table holds, by znode, who watches it.
type table map[string]map[Watcher]bool

// NewWatches returns a fold that has seen nothing yet.
func NewWatches() *Watches { return &Watches{data: make(table), children: make(table)} }

// Data returns the watchers of path that a change of its data, its creation or
// its deletion will notify.
func (w *Watches) Data(path string) []Watcher { return w.data.of(path) }

// Children returns the watchers of path that a change of its children will notify.
func (w *Watches) Children(path string) []Watcher { return w.children.of(path) }

// DataPaths returns every path with at least one data watch.
func (w *Watches) DataPaths() []string { return w.data.paths() }

// Apply takes the next event.
func (w *Watches) Apply(e event.Event) {
	who := Watcher{e.Lane, e.Client}
	switch e.Kind {
	case event.WireSent:
		if e.Op == "setWatches" {
			w.reset(who, e)
		}
	case event.WireReceived:
		w.received(who, e)
	case event.SessionGranted, event.SessionResumed, event.SessionRefused, event.SessionClosed:
		w.forget(who)
	case event.FaultInjected:
		if e.Fault == "crash" {
			w.forget(who)
		}
	}
}

// reset adds the watches that a client sets again. The request counts and not
// its reply, because notifications come in between.
func (w *Watches) reset(who Watcher, e event.Event) {
	for _, again := range e.Ops {
		switch again.Op {
		case "getChildren":
			w.children.add(who, again.Path)
		case "getData", "exists":
			w.data.add(who, again.Path)
		}
	}
}

func (w *Watches) forget(who Watcher) {
	w.data.forget(who)
	w.children.forget(who)
}

func (w *Watches) received(who Watcher, e event.Event) {
	switch {
	case e.Op == "notification":
		w.fired(who, e)
	case e.Watch && e.Op == "getChildren":
		w.children.add(who, e.Path)
	case e.Watch && (e.Op == "getData" || e.Op == "exists"):
		w.data.add(who, e.Path)
	}
}

func (w *Watches) fired(who Watcher, e event.Event) {
	if e.Type == "NodeDeleted" || e.Type == "NodeChildrenChanged" {
		w.children.remove(who, e.Path)
	}
	if strings.HasPrefix(e.Type, "Node") && e.Type != "NodeChildrenChanged" {
		w.data.remove(who, e.Path)
	}
}

func (t table) add(who Watcher, path string) {
	if t[path] == nil {
		t[path] = make(map[Watcher]bool)
	}
	t[path][who] = true
}

func (t table) remove(who Watcher, path string) {
	delete(t[path], who)
	if len(t[path]) == 0 {
		delete(t, path)
	}
}

func (t table) forget(who Watcher) {
	for path := range t {
		t.remove(who, path)
	}
}

func (t table) of(path string) []Watcher {
	watchers := make([]Watcher, 0, len(t[path]))
	for who := range t[path] {
		watchers = append(watchers, who)
	}
	return watchers
}

func (t table) paths() []string {
	paths := make([]string, 0, len(t))
	for path := range t {
		paths = append(paths, path)
	}
	return paths
}
