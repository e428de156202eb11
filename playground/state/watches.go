package state

import (
	"path"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// watches follow who watches what in a lane, from the wire: the server's own reports leave
// out child watches. What has changed is told by the watch.* events.
//
// The rules are ZooKeeper's. A watch is left by a read that succeeded, or by an exists that
// found nothing; the server has it when its answer leaves. Its notification uses it up. It
// goes with its client's connection, and the client sets it again with the next: that
// request counts and not its answer, as notifications come in between.
type watches struct {
	lane    string
	newest  int64 // the id given last
	clients map[int]*watcher
	paths   map[string]*watchedPath
}

// A watcher is a client, with its watches.
type watcher struct {
	number   int
	own      map[watchName]*watch // as the server has them
	requests map[int32]int64      // for watches: the numbers of their events, by xid
	underWay map[int64][]*watch   // whose answer or notification is under way, by frame
}

// A client has at most one watch of each name.
type watchName struct{ path, on string }

type watch struct {
	watchName
	id    int64
	set   int64  // the number of the event with which the server had it
	fired string // the type of its notification; empty while it has not fired
}

// A watchedPath is a znode that is watched, or was by a watch of which it is not known yet
// which change fired it.
type watchedPath struct {
	armed       int
	changes     map[string]int64 // the number of the newest, by the type of the notification that it causes
	unexplained []*watch
}

// Of one path only so many are kept that are unexplained.
const mostUnexplainedWatches = 200

func newWatches(lane string) watches {
	return watches{lane: lane, clients: make(map[int]*watcher), paths: make(map[string]*watchedPath)}
}

// apply takes the next event and adds to facts what it changes.
func (w *watches) apply(facts []event.Event, e *event.Event) []event.Event {
	switch e.Kind {
	case event.TreeCreated:
		return w.childrenChanged(w.changed(facts, e, e.Path, "NodeCreated"), e)
	case event.TreeDeleted:
		return w.childrenChanged(w.changed(facts, e, e.Path, "NodeDeleted"), e)
	case event.TreeChanged:
		return w.changed(facts, e, e.Path, "NodeDataChanged")
	case event.TreeLost:
		w.forgetUnexplained()
	}
	if e.Client == 0 {
		return facts
	}
	c := w.clients[e.Client]
	if c == nil {
		c = &watcher{number: e.Client, own: make(map[watchName]*watch), requests: make(map[int32]int64), underWay: make(map[int64][]*watch)}
		w.clients[e.Client] = c
	}
	if end := endsWatches(e); end != "" {
		return w.endAll(facts, c, end)
	}
	switch {
	case e.Kind == event.WireSent:
		return w.requested(facts, c, e)
	case e.Kind == event.WireReceived, e.Kind == event.WireHeld && e.Dir == event.In:
		return w.answered(facts, c, e)
	}
	return facts
}

// endsWatches says with what all watches of the client go with e; empty if they do not.
func endsWatches(e *event.Event) string {
	switch e.Kind {
	case event.SessionResumed:
		return "connection"
	case event.SessionGranted, event.SessionRefused, event.SessionClosed:
		return "session"
	case event.NoteLeft:
		return "left"
	case event.FaultInjected:
		if e.Injects(event.LeavesSession) {
			return "crash"
		}
	}
	return ""
}

func (w *watches) endAll(facts []event.Event, c *watcher, end string) []event.Event {
	clear(c.requests)
	clear(c.underWay)
	all := make([]*watch, 0, len(c.own))
	for _, watch := range c.own {
		all = append(all, watch)
	}
	slices.SortFunc(all, func(a, b *watch) int { return int(a.id - b.id) })
	for _, watch := range all {
		facts = w.gone(facts, c, watch, end)
	}
	return facts
}

func (w *watches) requested(facts []event.Event, c *watcher, e *event.Event) []event.Event {
	if e.Watch {
		c.requests[e.Xid] = e.Seq
	}
	if e.Op != "setWatches" {
		return facts
	}
	for _, again := range e.Ops {
		on := watchName{again.Path, watchedPart(again.Op, again.Flags)}
		if c.own[on] == nil {
			facts = w.set(facts, c, e, on, event.Watched{Absent: again.Op == "exists", Request: e.Seq, Arrived: true})
		}
	}
	return facts
}

// watchedPart is what a request leaves a watch on; mode is that of an addWatch.
func watchedPart(op, mode string) string {
	switch {
	case op == "getChildren":
		return "children"
	case op != "addWatch":
		return "data"
	case mode == "recursive":
		return "recursive"
	default:
		return "persistent"
	}
}

// answered takes an answer or a notification when it leaves the server, and when it arrives.
func (w *watches) answered(facts []event.Event, c *watcher, e *event.Event) []event.Event {
	if underWay, ok := c.underWay[e.Frame]; ok {
		if e.Kind == event.WireHeld {
			return facts // a frame may be held again on its way
		}
		delete(c.underWay, e.Frame)
		for _, watch := range underWay {
			facts = w.tell(facts, event.WatchArrived, c, watch, e.Type, event.Watched{})
		}
		return facts
	}
	switch {
	case e.Op == "notification":
		return w.notified(facts, c, e)
	case e.Op == "removeWatches" && e.Err == "":
		return w.removed(facts, c, e)
	case e.Watch:
		request := c.requests[e.Xid]
		delete(c.requests, e.Xid)
		on := watchName{e.Path, watchedPart(e.Op, e.Mode)}
		if c.own[on] != nil {
			return facts
		}
		facts = w.set(facts, c, e, on, event.Watched{Absent: e.Err == "NoNode", Request: request, Arrived: e.Kind == event.WireReceived})
		if e.Kind == event.WireHeld {
			c.underWay[e.Frame] = []*watch{c.own[on]}
		}
	}
	return facts
}

func (w *watches) set(facts []event.Event, c *watcher, e *event.Event, on watchName, how event.Watched) []event.Event {
	w.newest++
	watch := &watch{watchName: on, id: w.newest, set: e.Seq}
	c.own[on] = watch
	p := w.paths[on.path]
	if p == nil {
		p = &watchedPath{changes: make(map[string]int64)}
		w.paths[on.path] = p
	}
	p.armed++
	return w.tell(facts, event.WatchSet, c, watch, "", how)
}

// usedUp are the watches that each notification uses up.
var usedUp = map[string][]string{
	"NodeCreated":         {"data"},
	"NodeDataChanged":     {"data"},
	"NodeChildrenChanged": {"children"},
	"NodeDeleted":         {"data", "children"},
}

func (w *watches) notified(facts []event.Event, c *watcher, e *event.Event) []event.Event {
	var fired []*watch
	for _, on := range usedUp[e.Type] {
		watch := c.own[watchName{e.Path, on}]
		if watch == nil {
			continue
		}
		fired = append(fired, watch)
		watch.fired = e.Type
		p := w.paths[e.Path]
		how := event.Watched{Arrived: e.Kind == event.WireReceived}
		if change := p.changes[e.Type]; change > watch.set {
			how.Change = change
		} else if p.unexplained = append(p.unexplained, watch); len(p.unexplained) > mostUnexplainedWatches {
			p.unexplained = p.unexplained[1:]
		}
		facts = w.tell(facts, event.WatchFired, c, watch, e.Type, how)
		w.disarm(c, watch)
	}
	if e.Kind == event.WireHeld && fired != nil {
		c.underWay[e.Frame] = fired
	}
	return facts
}

// removed takes the answer to a removeWatches, whose mode is what it removes.
func (w *watches) removed(facts []event.Event, c *watcher, e *event.Event) []event.Event {
	for _, on := range []string{"data", "children", "persistent", "recursive"} {
		if watch := c.own[watchName{e.Path, on}]; watch != nil && (e.Mode == "any" || e.Mode == on) {
			facts = w.gone(facts, c, watch, "removed")
		}
	}
	return facts
}

func (w *watches) gone(facts []event.Event, c *watcher, watch *watch, end string) []event.Event {
	w.disarm(c, watch)
	return w.tell(facts, event.WatchGone, c, watch, "", event.Watched{End: end})
}

func (w *watches) disarm(c *watcher, watch *watch) {
	delete(c.own, watch.watchName)
	w.paths[watch.path].armed--
	w.drop(watch.path)
}

// drop forgets a path of which nothing is left to know.
func (w *watches) drop(path string) {
	if p := w.paths[path]; p.armed == 0 && len(p.unexplained) == 0 {
		delete(w.paths, path)
	}
}

// childrenChanged is changed for the znode above that of e.
func (w *watches) childrenChanged(facts []event.Event, e *event.Event) []event.Event {
	return w.changed(facts, e, path.Dir(e.Path), "NodeChildrenChanged")
}

// changed notes a change that causes notifications of a type. The tree tells of it a little
// before they leave the server, or after that.
func (w *watches) changed(facts []event.Event, e *event.Event, path, notification string) []event.Event {
	p := w.paths[path]
	if p == nil {
		return facts
	}
	p.changes[notification] = e.Seq
	var fired []int64
	p.unexplained = slices.DeleteFunc(p.unexplained, func(watch *watch) bool {
		if watch.fired == notification {
			fired = append(fired, watch.id)
		}
		return watch.fired == notification
	})
	if fired == nil {
		return facts
	}
	w.drop(path)
	return append(facts, event.Event{Kind: event.WatchCaused, Lane: w.lane, Path: path,
		Watched: &event.Watched{Change: e.Seq, Fired: fired}})
}

// forgetUnexplained is for changes that nobody saw.
func (w *watches) forgetUnexplained() {
	for path, p := range w.paths {
		p.unexplained = nil
		w.drop(path)
	}
}

func (w *watches) tell(facts []event.Event, kind event.Kind, c *watcher, watch *watch, notification string, how event.Watched) []event.Event {
	how.ID, how.On = watch.id, watch.on
	return append(facts, event.Event{Kind: kind, Lane: w.lane, Client: c.number, Path: watch.path, Type: notification, Watched: &how})
}
