package check

import (
	"maps"
	"path"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// A waitFor is a client that waits for another one in a lock.
type waitFor struct {
	client, other int
	lock          string
}

// findCircle finds clients that wait for each other: each for the znode of the next, and
// the last for that of the first. A client that has been woken, or has something under
// way, is in none. Only who has places in several queues can be in one.
func (p *progress) findCircle() stuckClient {
	if len(p.Directories) == 1 {
		return stuckClient{}
	}
	for _, first := range slices.Sorted(maps.Keys(p.processes)) { // sorted, so that a replay says the same
		circle := circleFrom(first, func(client int) (waitFor, int, bool) {
			next, ok := p.waitsFor(client)
			if !ok {
				return waitFor{}, 0, false
			}
			return waitFor{client, next.client, path.Base(path.Dir(next.path))}, next.client, true
		})
		if circle != nil {
			return stuckClient{client: first, circle: circle}
		}
	}
	return stuckClient{}
}

// circleFrom goes from a client to the one that it waits for, and so on, and returns the steps
// by which that leads back to it; nil if it does not.
func circleFrom[Step any](first int, next func(client int) (step Step, other int, ok bool)) []Step {
	var steps []Step
	for client, seen := first, make(map[int]bool); !seen[client]; {
		seen[client] = true
		step, other, ok := next(client)
		if !ok {
			return nil
		}
		steps = append(steps, step)
		if other == first {
			return steps
		}
		client = other
	}
	return nil
}

// waitsFor is the znode of another client that a client waits for, and which is there. One
// of a session that its client does not go on with goes when that expires.
func (p *progress) waitsFor(client int) (*contenderNode, bool) {
	c := p.processes[client]
	if c == nil || !c.waiting || !c.idle() {
		return nil, false
	}
	node, ok := p.nodes.named(c.ahead)
	if !ok || node.client == client {
		return nil, false
	}
	return node, node.session == "" || node.session == p.process(node.client).session
}

// queues are the numbered ephemeral znodes of a lane in all its directories, and who
// watches which of them. They show which client waits for which one, though guests
// do not tell what they wait for.
//
// A znode that is watched for its data or its existence is waited for. A watch of the
// children says nothing: a holder may have kept it. A znode of a session that its client
// does not go on with is nobody's: it goes when that session expires.
type queues struct {
	clients  int            // a client with a higher number is a guest
	sessions map[int]string // of each client, the newest
	owners   map[string]owner
	stands   map[int]map[string]bool  // of each client, its znodes
	watched  map[int]map[watched]bool // of each client, its watches of numbered znodes
	behind   map[int]map[watched]bool // those of them that are of a znode behind one of its own
}

type watched struct{ path, on string }

// A watchFor is a client that waits for another one, whose znode it watches.
type watchFor struct {
	client, other int
	path          string
}

func newQueues(l event.Lane) queues {
	return queues{clients: l.Clients, sessions: make(map[int]string), owners: make(map[string]owner),
		stands: make(map[int]map[string]bool), watched: make(map[int]map[watched]bool), behind: make(map[int]map[watched]bool)}
}

func (q *queues) apply(e *event.Event) {
	switch e.Kind {
	case event.SessionGranted:
		q.sessions[e.Client] = e.Session
	case event.TreeCreated:
		if e.Client > 0 && e.Session != "" && state.Numbered(e.Path) {
			q.owners[e.Path] = owner{e.Client, e.Session}
			put(q.stands, e.Client, e.Path)
			q.compare(e.Client, q.watched[e.Client])
		}
	case event.TreeDeleted:
		client := q.owners[e.Path].client
		delete(q.stands[client], e.Path)
		delete(q.owners, e.Path)
		q.compare(client, q.behind[client])
	case event.WatchSet:
		if state.Numbered(e.Path) && e.Watched.On != "children" {
			w := watched{e.Path, e.Watched.On}
			put(q.watched, e.Client, w)
			q.compare(e.Client, map[watched]bool{w: true})
		}
	case event.WatchFired, event.WatchGone:
		delete(q.watched[e.Client], watched{e.Path, e.Watched.On})
		q.forget(e.Client, watched{e.Path, e.Watched.On})
	}
}

// compare finds out which of a client's watches are of a znode behind one of its own.
func (q *queues) compare(client int, watches map[watched]bool) {
	for w := range watches {
		behind := false
		for own := range q.stands[client] {
			behind = behind || path.Dir(w.path) == path.Dir(own) && !state.ComesAfter(own, w.path)
		}
		if behind {
			put(q.behind, client, w)
		} else {
			q.forget(client, w)
		}
	}
}

func (q *queues) forget(client int, w watched) {
	delete(q.behind[client], w)
	if len(q.behind[client]) == 0 {
		delete(q.behind, client)
	}
}

func put[T comparable](sets map[int]map[T]bool, client int, element T) {
	if sets[client] == nil {
		sets[client] = make(map[T]bool)
	}
	sets[client][element] = true
}

// findCircle finds clients of one queue each of which waits for the znode of the next, and
// the last for that of the first. No lock makes one: a client that waits only for
// znodes ahead of its own waits for a client that does not wait for it. So it begins at
// those that watch a znode behind their own: in most locks there are none.
func (q *queues) findCircle(waits func(client int) bool) []watchFor {
	for _, first := range slices.Sorted(maps.Keys(q.behind)) { // sorted, so that a replay says the same
		for _, own := range slices.Sorted(maps.Keys(q.stands[first])) {
			circle := circleFrom(first, func(client int) (watchFor, int, bool) {
				next, ok := q.waitsFor(client, path.Dir(own))
				return next, next.other, ok && waits(client)
			})
			if circle != nil {
				return circle
			}
		}
	}
	return nil
}

// waitsFor is the client that another one waits for in a directory. A client with several
// znodes there, or several watches, may be several threads, or go on with any of them.
func (q *queues) waitsFor(client int, directory string) (next watchFor, ok bool) {
	own := 0
	for node := range q.stands[client] {
		if path.Dir(node) == directory && q.present(q.owners[node]) {
			own++
		}
	}
	if own != 1 {
		return watchFor{}, false
	}
	for w := range q.watched[client] {
		other, there := q.owners[w.path]
		if !there || path.Dir(w.path) != directory || w.path == next.path {
			continue
		}
		if ok || other.client == client || !q.present(other) {
			return watchFor{}, false
		}
		next, ok = watchFor{client, other.client, w.path}, true
	}
	return next, ok
}

// present says that the client goes on with the session that its znode belongs to.
func (q *queues) present(o owner) bool { return q.sessions[o.client] == o.session }

var (
	watchesZnode  = event.NewCode("watches-znode", "{reason waiter} watches [the znode ]{znode} of {reason owner}")
	watchInCircle = event.NewCode("watch-circle", "{list watches}: they wait for each other in a circle, for {span}[ at event {event}]")
)

func (q *queues) describe(circle []watchFor) []*event.Reason {
	var steps []*event.Reason
	for _, w := range circle {
		steps = append(steps, watchesZnode.With(participant(w.client, q.clients), w.path, participant(w.other, q.clients)))
	}
	return steps
}
