package check

import "github.com/zkplayground/zkplayground/playground/event"

var _ = register(Check{
	Name: "mutual-exclusion", Title: "Mutual exclusion", order: 1, beliefs: true,
	Sentence: "No client acquires the lock while a znode that excludes it is still ahead of its own, or as many as there are permits; judged by the znodes on the server and its answers to deletes.",
	Violated: "A client holds the lock although another one is ahead of it",
	start:    eachOf(newExclusion),
})

// exclusion judges mutual exclusion by what the server did: at no
// acquisition may a znode that conflicts with it exist further ahead.
//
// The log has no single order of what the server did and what a client learnt:
// the observer may hear of a deletion after the next holder did. So an
// acquisition is not held against a znode that is merely still in the log's
// tree, only against proof that the znode existed at the server afterwards:
// a delete that was sent later and succeeded, or a tree.synced for a later
// instant that still has it.
type exclusion struct {
	lane     event.Lane
	nodes    contenders
	deletes  map[request]deletion // deletes under way
	acquired highWaterMark        // all acquisitions
	settled  highWaterMark        // those that a tree.synced has confirmed
	pending  []entry              // acquisitions after the last tree.synced
	count    int64                // acquisitions confirmed
	broken   *event.Reason        // why, once violated
}

type request struct {
	client int
	xid    int32
}

// A deletion remembers how far acquisitions had come when it was sent.
type deletion struct {
	path string
	then highWaterMark
}

func newExclusion(l event.Lane) fold {
	if l.Store != "" {
		return newEntryExclusion(l)
	}
	if l.MostHolders() > 1 {
		return newPermits(l)
	}
	return &exclusion{lane: l, deletes: make(map[request]deletion),
		acquired: newHighWaterMark(), settled: newHighWaterMark()}
}

func (x *exclusion) apply(e *event.Event) {
	switch e.Kind {
	case event.TreeCreated, event.TreeDeleted:
		x.nodes.apply(e)
	case event.LockAcquired:
		if s, ok := entryOf(e); ok {
			x.acquired.advance(s)
			x.pending = append(x.pending, s)
		}
	case event.TreeSynced:
		x.settle(e)
	case event.WireSent, event.WireReceived:
		x.applyDelete(e)
	}
}

// settle compares the tree as it was at e.Sent with the acquisitions before.
func (x *exclusion) settle(e *event.Event) {
	n := 0
	for n < len(x.pending) && x.pending[n].at < e.Sent {
		x.settled.advance(x.pending[n])
		n++
	}
	x.pending = append(x.pending[:0], x.pending[n:]...)
	x.count += int64(n)
	passedBy := entry{}
	passed := "" // the first in the order of paths, so that a replay says the same
	for _, node := range x.nodes {
		if node.number >= x.settled.any.number {
			break
		}
		if past, bad := x.settled.passed(node.place); bad && (passed == "" || node.path < passed) {
			passed, passedBy = node.path, past
		}
	}
	if passed != "" {
		x.violate(stillThere, passedBy, passed, e.Seq)
	}
}

// applyDelete follows a delete from its request to its reply.
func (x *exclusion) applyDelete(e *event.Event) {
	if e.Op != "delete" {
		return
	}
	r := request{e.Client, e.Xid}
	if e.Kind == event.WireSent && inQueue(x.lane, e.Path) {
		x.deletes[r] = deletion{path: e.Path, then: x.acquired}
		return
	}
	d, ok := x.deletes[r]
	delete(x.deletes, r)
	if !ok || e.Err != "" {
		return
	}
	if p, isContender := placeOf(d.path); isContender {
		if past, bad := d.then.passed(p); bad {
			x.violate(deletedLater, past, d.path, e.Seq)
		}
	}
}

var (
	stillThere   = event.NewCode("ahead-still-there", "{client} acquired[ at event {event}], but {znode}, ahead of it in the queue, still existed[ at event {proof}]")
	deletedLater = event.NewCode("ahead-deleted-later", "{client} acquired[ at event {event}], but {znode}, ahead of it in the queue, was deleted only later[, see event {proof}]")
	nothingAhead = event.NewCode("nothing-ahead", "{count} acquisition, each with nothing that excludes it ahead at the server|{count} acquisitions, each with nothing that excludes it ahead at the server")
	noneCompared = event.NewCode("none-compared", "no acquisition has been compared with the server yet")
)

func (x *exclusion) violate(how *event.Code, past entry, path string, proof int64) {
	if x.broken == nil {
		x.broken = how.With(past.client, past.seq, path, proof)
	}
}

func (x *exclusion) verdict() event.Verdict {
	return judged(x.broken != nil, x.count > 0)
}

func (x *exclusion) why() *event.Reason {
	switch x.verdict() {
	case event.Violated:
		return x.broken
	case event.Holds:
		return nothingAhead.With(x.count)
	default:
		return noneCompared.With()
	}
}
