package check

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// forgetful is for how long, in microseconds, a guest that is connected again may leave a
// znode alone of which it was never told: far longer than a library takes to look for it.
const forgetful = int64(3 * time.Second / time.Microsecond)

// unanswered finds znodes of guests that live on and do not want them. The server numbers
// a znode and the connection breaks before it has said so. Then the guest knows no name by
// which to delete it, unless it lists the directory and finds its own there. A guest that
// makes another of the same name instead has one too many, whatever it lists later.
type unanswered struct {
	clients  int // a client with a higher number is a guest
	named    map[string]bool
	nodes    map[string]*unansweredNode
	sessions map[int]guestSession
}

type unansweredNode struct {
	made    event.Event
	lost    bool // the connection broke before the answer
	another bool // and another was made in its place
}

// A guestSession is the session that a guest has, and since when it is connected.
type guestSession struct {
	id        string
	connected bool
	since     int64
}

func newUnanswered(l event.Lane) *unanswered {
	return &unanswered{clients: l.Clients, named: make(map[string]bool), nodes: make(map[string]*unansweredNode), sessions: make(map[int]guestSession)}
}

func (u *unanswered) apply(e *event.Event) {
	if e.Client <= u.clients && e.Kind != event.TreeDeleted {
		return
	}
	switch e.Kind {
	case event.TreeCreated:
		if e.Session != "" && state.Numbered(e.Path) && !u.named[e.Path] {
			u.nodes[e.Path] = &unansweredNode{made: *e}
		}
	case event.TreeDeleted:
		delete(u.named, e.Path)
		delete(u.nodes, e.Path)
	case event.SessionGranted:
		u.sessions[e.Client] = guestSession{id: e.Session}
	case event.SessionConnected, event.SessionSuspended, event.SessionRefused, event.SessionLost:
		s := u.sessions[e.Client]
		s.connected, s.since = e.Kind == event.SessionConnected, e.At
		u.sessions[e.Client] = s
	case event.WireSent:
		u.sent(e)
	case event.WireReceived:
		u.received(e)
	}
}

// sent takes a request: a guest that asks for a znode by its name knows it.
func (u *unanswered) sent(e *event.Event) {
	if e.Op == "connect" {
		for _, node := range u.nodes {
			node.lost = node.lost || node.made.Client == e.Client
		}
		return
	}
	if node := u.nodes[e.Path]; node != nil && node.made.Client == e.Client && !node.another {
		u.name(e.Path)
	}
}

func (u *unanswered) received(e *event.Event) {
	if e.Err != "" {
		return
	}
	switch {
	case e.Op == "getChildren":
		for znode, node := range u.nodes {
			if node.made.Client == e.Client && !node.another && path.Dir(znode) == e.Path {
				u.name(znode)
			}
		}
	case strings.HasPrefix(e.Op, "create"):
		u.created(e.Client, e.Path)
	default:
		for _, part := range e.Ops {
			if strings.HasPrefix(part.Op, "create") {
				u.created(e.Client, part.Path)
			}
		}
	}
}

// created takes the answer to a create.
func (u *unanswered) created(client int, znode string) {
	if !state.Numbered(znode) {
		return
	}
	u.name(znode)
	for other, node := range u.nodes {
		if node.lost && node.made.Client == client && unnumbered(other) == unnumbered(znode) {
			node.another = true
		}
	}
}

// unnumbered is the path of a numbered znode as its client gave it.
func unnumbered(znode string) string { return znode[:len(znode)-state.SequenceDigits] }

func (u *unanswered) name(znode string) {
	u.named[znode] = true
	delete(u.nodes, znode)
}

// wasNeverTold is why a znode is one that its guest does not want.
var wasNeverTold = event.NewCode("never-told", "{reason owner} was never told that it had created {znode}[ at event {event}], and left it in the queue for {span} after it had connected again[ at event {then}]")

// find returns what is wrong now; nil if nothing is.
func (u *unanswered) find(now, seq int64) *event.Reason {
	if len(u.nodes) == 0 {
		return nil
	}
	for _, znode := range slices.Sorted(maps.Keys(u.nodes)) { // sorted, so that a replay says the same
		node := u.nodes[znode]
		owner := u.sessions[node.made.Client]
		if node.lost && owner.connected && owner.id == node.made.Session && now-owner.since >= forgetful {
			span := time.Duration((now - owner.since) * int64(time.Microsecond)).Round(100 * time.Millisecond)
			return wasNeverTold.With(participant(node.made.Client, u.clients), znode, node.made.Seq, span, seq)
		}
	}
	return nil
}
