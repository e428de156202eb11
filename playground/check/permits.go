package check

import (
	"maps"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// permits judges mutual exclusion where so many clients may hold at once, by what the
// server did, as [exclusion] does where one may: when a client acquired, fewer znodes
// than there are permits may have been ahead of its own.
//
// For each acquisition it collects the znodes ahead of which it is proved that the
// server still had them: by a delete that was sent later and succeeded, or by a
// tree.synced for a later instant that still has them.
type permits struct {
	lane    event.Lane
	most    int
	nodes   contenders
	deletes map[request]late // deletes under way
	passes  []pass           // acquisitions that somebody may prove to be wrong
	count   int64            // acquisitions that have been compared with the server
	broken  *event.Reason    // why, once violated
}

// A late is a delete, and how far the log had come when it was sent.
type late struct {
	path string
	seq  int64
}

// A pass is an acquisition, with the znodes that were ahead of it.
type pass struct {
	entry
	ahead    []string
	compared bool // with the server
}

func newPermits(l event.Lane) *permits {
	return &permits{lane: l, most: l.MostHolders(), deletes: make(map[request]late)}
}

func (p *permits) apply(e *event.Event) {
	switch e.Kind {
	case event.TreeCreated, event.TreeDeleted:
		p.nodes.apply(e)
	case event.LockAcquired:
		if s, ok := entryOf(e); ok {
			p.passes = append(p.passes, pass{entry: s})
		}
	case event.TreeSynced:
		p.settle(e)
	case event.WireSent, event.WireReceived:
		p.applyDelete(e)
	}
	if e.Op == "connect" || state.EndsBelief(e) { // what was under way on the last connection is lost
		maps.DeleteFunc(p.deletes, func(r request, _ late) bool { return r.client == e.Client })
	}
}

// settle compares the tree as it was at e.Sent with the acquisitions before, and
// forgets those of which nobody that could prove them wrong is left.
func (p *permits) settle(e *event.Event) {
	for i := range p.passes {
		acquired := &p.passes[i]
		if acquired.at >= e.Sent {
			continue
		}
		if !acquired.compared {
			acquired.compared = true
			p.count++
		}
		for _, node := range p.nodes {
			if node.number >= acquired.number {
				break
			}
			p.prove(acquired, node.path, node.number, e.Seq)
		}
	}
	p.passes = slices.DeleteFunc(p.passes, func(acquired pass) bool { return acquired.compared && !p.disputed(acquired) })
}

// disputed says that a znode ahead is still there, or its delete under way.
func (p *permits) disputed(acquired pass) bool {
	if len(p.nodes) > 0 && p.nodes[0].number < acquired.number {
		return true
	}
	for _, d := range p.deletes {
		if node, ok := placeOf(d.path); ok && node.number < acquired.number {
			return true
		}
	}
	return false
}

// applyDelete follows a delete from its request to its reply.
func (p *permits) applyDelete(e *event.Event) {
	if e.Op != "delete" {
		return
	}
	r := request{e.Client, e.Xid}
	if e.Kind == event.WireSent && inQueue(p.lane, e.Path) {
		p.deletes[r] = late{e.Path, e.Seq}
		return
	}
	d, ok := p.deletes[r]
	delete(p.deletes, r)
	node, isContender := placeOf(d.path)
	if !ok || !isContender || e.Err != "" {
		return
	}
	for i := range p.passes {
		if acquired := &p.passes[i]; acquired.seq < d.seq {
			p.prove(acquired, d.path, node.number, e.Seq)
		}
	}
}

// prove notes that the server had the znode when the client acquired, as is known
// from event seq on.
func (p *permits) prove(acquired *pass, path string, number, seq int64) {
	if number >= acquired.number || slices.Contains(acquired.ahead, path) {
		return
	}
	acquired.ahead = append(acquired.ahead, path)
	if len(acquired.ahead) >= p.most && p.broken == nil {
		p.broken = tooManyAhead.With(acquired.client, acquired.seq, len(acquired.ahead), p.most, seq)
	}
}

func (p *permits) verdict() event.Verdict { return judged(p.broken != nil, p.count > 0) }

var (
	tooManyAhead = event.NewCode("too-many-ahead", "{client} acquired[ at event {event}], but {ahead} znodes were ahead of its own in the queue and there are {permits} permits[, see event {proof}]")
	fewerAhead   = event.NewCode("fewer-ahead", "{count} acquisition, each with fewer than {permits} znodes ahead at the server|{count} acquisitions, each with fewer than {permits} znodes ahead at the server")
)

func (p *permits) why() *event.Reason {
	switch p.verdict() {
	case event.Violated:
		return p.broken
	case event.Holds:
		return fewerAhead.With(p.count, p.most)
	default:
		return noneCompared.With()
	}
}
