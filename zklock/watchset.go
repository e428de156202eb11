package zklock

import (
	"errors"
	"math"

	"github.com/go-zookeeper/zk"
)

// A watchSet asks for several watches in one request: that by which clients set
// their watches again on a new connection. Unlike a read it takes no
// permission, and later servers keep events from a client that may not read
// the znode, which would wait for ever. So it is only for those whose znodes
// have been read before, on the same connection. It is also only for guesses:
// the news that a znode was missing, when another waiter of the session asked,
// may come when it has been made, and a wrong guess does no harm.
type watchSet struct {
	requests []*watchRequest
	watchers *watchers // of the connection it is sent on
	events   []<-chan zk.Event
}

func newWatchSet(requests []*watchRequest) *watchSet {
	w := &watchSet{requests: requests}
	for _, r := range requests {
		r.sent = &call[<-chan zk.Event]{done: make(chan struct{})}
	}
	return w
}

// outgoing is the set as the connection sends it. No znode has been changed
// since the zxid that it names, so that each that exists is watched.
func (w *watchSet) outgoing() outgoing {
	there, awaited := w.nodes(false), w.nodes(true)
	m := newFrame(opSetWatches).int64(math.MaxInt64).texts(there).texts(awaited).texts(nil)
	return outgoing{frame: m.direct(append(there, awaited...)...), errand: w, watch: w}
}

// nodes are those that are awaited, or the others.
func (w *watchSet) nodes(awaited bool) (nodes []string) {
	for _, r := range w.requests {
		if r.awaited == awaited {
			nodes = append(nodes, r.node)
		}
	}
	return nodes
}

// expect has the events received on the connection of watchers.
func (w *watchSet) expect(on *watchers) {
	if w == nil {
		return
	}
	w.watchers = on
	for _, r := range w.requests {
		w.events = append(w.events, on.add(r.node, r.awaited))
	}
}

// answered ends the requests. The event of a znode that is not there has come
// before this.
func (w *watchSet) answered(_ *reply, err error) {
	for i, r := range w.requests {
		r.sent.value, r.sent.err = w.outcome(i, err)
		if r.sent.err == nil {
			r.found(r.sent.value)
		}
		close(r.sent.done)
	}
}

// errNoWatches says that the server, or a proxy before it, does not know sets.
// It tells nothing of the znodes, so they are then watched one by one.
var errNoWatches = errors.New("zklock: watches cannot be set together")

func (w *watchSet) outcome(i int, err error) (<-chan zk.Event, error) {
	event := w.events[i]
	if err != nil {
		w.watchers.drop(w.requests[i].node, event)
		if unimplemented(err) {
			err = errNoWatches
		}
		return nil, err
	}
	select {
	case e := <-event:
		if e.Type == zk.EventNodeDeleted {
			return nil, zk.ErrNoNode
		}
		again := make(chan zk.Event, 1)
		again <- e
		return again, nil
	default:
		return event, nil
	}
}
