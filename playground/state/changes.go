package state

import (
	"math"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// changes are the newest changes of a lock directory in the order in which the
// server made them, by which it is known what fired a watch.
//
// A read that leaves a watch says by its zxid which changes it had seen: the
// first change after that fires the watch. A change's own zxid is told by the
// tree event, by servers before 3.9 only by the reply to the request that made it.
// The end of a session has no reply: its zxid lies between those that are known
// around it. Where that is not enough, the number of children that the read had
// found tells, or the cause stays unknown.
type changes struct {
	clients   int // who has a higher number is a guest
	list      []*change
	number    int64   // of the newest
	away      bool    // the observer is away: what it finds when it is back has no order
	known     int64   // every change up to this zxid is in the list, or was
	forgotten int64   // the greatest zxid that one may have had that is not in the list any more
	dropped   *change // what the last event has taken from the list
	nodes     nodes
	held      map[string]int // the znodes by which clients hold, and who has released but not gone yet, or 0
	early     map[made]int64 // the zxids of changes that the log has not told yet
	earliest  []made         // the keys of early, oldest first
}

// A change is one of a znode, or all those that happened while the observer was away.
type change struct {
	number      int64
	kind        event.Kind // of the tree event; tree.lost for what nobody saw
	path        string
	at          int64 // when the log told it
	cause       cause
	client      int   // who has released, or whose znode went; 0 when that is not known
	after, upTo int64 // its zxid is greater than after, and at most upTo
	before, now int   // how many children there were before it, and after it
	placed      bool  // its own zxid is known, or will never be
}

// made names a change by the tree event that tells it.
type made struct {
	kind event.Kind
	path string
}

// A cause is why a znode came or went.
type cause int

const (
	unknownCause cause = iota // it happened while the observer was away
	byRelease                 // the client that held by it deleted it, or wrote into the flag that it is
	byEnd                     // with the session of a client that held, or was first in the queue
	byRemoval                 // as such, but deleted from outside
	byJoining                 // a client came into the queue
	otherCause
)

// frees says that the lock is free by it.
func (c cause) frees() bool { return freeing[c] != "" }

// freeing are the causes that free a lock, as an event tells them.
var freeing = map[cause]string{byRelease: "release", byEnd: "end", byRemoval: "removed"}

const (
	mostChanges = 100 // only the newest are kept
	mostEarly   = 100 // only so many zxids wait for their changes
	notYet      = math.MaxInt64
)

func newChanges(clients int) changes {
	return changes{clients: clients, nodes: newNodes(), held: make(map[string]int), early: make(map[made]int64)}
}

// apply takes the next event and says whether more is known now of a change.
func (c *changes) apply(e *event.Event) bool {
	c.dropped = nil
	switch e.Kind {
	case event.LockAcquired, event.LockReleased:
		c.holds(e)
		return false
	case event.WireHeld, event.WireReceived:
		return c.replied(e)
	case event.TreeCreated:
		c.add(e, causeOfCreation(e), e.Client)
	case event.TreeDeleted:
		c.add(e, c.causeOfDeletion(e), e.Client)
	case event.TreeChanged:
		why, client := c.causeOfWriting(e)
		c.add(e, why, client)
	case event.TreeLost:
		if !c.away {
			c.add(e, unknownCause, 0)
		}
		c.away = true
	case event.TreeSynced:
		return c.synced(e)
	default:
		return false
	}
	return true
}

func (c *changes) holds(e *event.Event) {
	switch {
	case e.Path == "":
	case e.Kind == event.LockReleased:
		c.held[e.Path] = e.Client
	default:
		c.held[e.Path] = 0
	}
}

// synced notes which zxid the server had come to when it was asked, by e.Sent:
// what the log told after that may be newer.
func (c *changes) synced(e *event.Event) bool {
	c.away = false
	if e.Zxid == 0 {
		return false
	}
	c.known = max(c.known, e.Zxid)
	asked := len(c.list)
	for asked > 0 && c.list[asked-1].at > e.Sent {
		asked--
	}
	limit(c.list[:asked], e.Zxid)
	return true
}

// isPlaced says whether the log is whole beyond a change, so that what it fired
// can be known.
func (c *changes) isPlaced(number int64) bool {
	i := number - (c.number - int64(len(c.list))) - 1
	return i < 0 || c.list[i].upTo < notYet
}

func causeOfCreation(e *event.Event) cause {
	switch e.Cause {
	case "unseen":
		return unknownCause
	case "client":
		return byJoining
	default:
		return otherCause
	}
}

// causeOfWriting: who holds a lock that is a flag releases it by writing. A znode in a
// queue is written into to tell or to ask something.
func (c *changes) causeOfWriting(e *event.Event) (why cause, client int) {
	client = c.held[e.Path]
	if client == 0 || Numbered(e.Path) {
		return otherCause, 0
	}
	delete(c.held, e.Path)
	return byRelease, client
}

// causeOfDeletion is asked before the znode is taken out.
func (c *changes) causeOfDeletion(e *event.Event) cause {
	_, freed := c.held[e.Path]
	_, deleted := c.early[made{event.TreeDeleted, e.Path}]
	atHead := c.nodes.first() == e.Path
	if e.Cause == "client" || e.Cause == "unseen" && deleted {
		if freed || atHead && e.Client > c.clients { // a guest does not tell that it holds
			return byRelease
		}
		return otherCause
	}
	freed = freed || atHead
	switch {
	case e.Cause == "unseen":
		return unknownCause
	case !freed:
		return otherCause
	case e.Cause == "outsider":
		return byRemoval
	default:
		return byEnd
	}
}

func (c *changes) add(e *event.Event, why cause, client int) {
	key := made{e.Kind, e.Path}
	zxid := e.Zxid
	if zxid == 0 {
		zxid = c.early[key]
	}
	c.takeEarly(key)
	before := c.nodes.count()
	switch e.Kind {
	case event.TreeCreated:
		c.nodes.add(e.Path)
	case event.TreeDeleted:
		c.nodes.remove(e.Path)
		delete(c.held, e.Path)
	}
	c.number++
	c.list = append(c.list, &change{number: c.number, kind: e.Kind, path: e.Path, at: e.At, cause: why, client: client,
		after: c.known, upTo: notYet, before: before, now: c.nodes.count(), placed: c.away})
	if zxid != 0 && !c.away {
		c.place(len(c.list)-1, zxid)
	}
	if len(c.list) > mostChanges {
		c.forget()
	}
}

func (c *changes) forget() {
	c.dropped = c.list[0]
	c.dropped.upTo = min(c.dropped.upTo, max(c.known, c.dropped.after))
	c.forgotten = max(c.forgotten, c.dropped.upTo)
	c.list = slices.Delete(c.list, 0, 1)
}

// kindsMade are the changes that requests make.
var kindsMade = map[string]event.Kind{"create": event.TreeCreated, "delete": event.TreeDeleted, "setData": event.TreeChanged}

// replied takes the zxid of a change from the reply to its request, when that
// leaves the server or when it arrives.
func (c *changes) replied(e *event.Event) bool {
	kind, ok := kindsMade[e.Op]
	if !ok || e.Err != "" || e.Zxid <= c.forgotten || e.Kind == event.WireHeld && e.Dir != event.In {
		return false
	}
	key := made{kind, e.Path}
	for i := len(c.list) - 1; i >= 0; i-- {
		if told := c.list[i]; told.kind == key.kind && told.path == key.path && told.after < e.Zxid && e.Zxid <= told.upTo {
			return c.place(i, e.Zxid)
		}
	}
	if _, ok := c.early[key]; !ok {
		c.earliest = append(c.earliest, key)
	}
	c.early[key] = e.Zxid
	if len(c.earliest) > mostEarly {
		c.takeEarly(c.earliest[0])
	}
	return false
}

func (c *changes) takeEarly(key made) {
	if _, ok := c.early[key]; ok {
		delete(c.early, key)
		c.earliest = slices.DeleteFunc(c.earliest, func(other made) bool { return other == key })
	}
}

// place notes the zxid of a change: those before it have lower ones, those after
// it higher ones.
func (c *changes) place(i int, zxid int64) bool {
	if c.list[i].placed {
		return false
	}
	c.list[i].after, c.list[i].upTo, c.list[i].placed = zxid-1, zxid, true
	limit(c.list[:i], zxid-1)
	for _, later := range c.list[i+1:] {
		later.after = max(later.after, zxid)
	}
	c.known = max(c.known, zxid)
	return true
}

// limit notes the greatest zxid that any of the changes can have.
func limit(list []*change, zxid int64) {
	for i := len(list) - 1; i >= 0 && list[i].upTo > zxid; i-- {
		list[i].upTo = zxid
	}
}
