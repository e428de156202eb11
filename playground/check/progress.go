package check

import (
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// stuckAfter is for how long, in microseconds, a lane may stand still although
// somebody could go on: far longer than any client takes to see that it is its
// turn, on a machine that is busy too.
const stuckAfter = int64(3 * time.Second / time.Microsecond)

// fewestLooks is how often it must have been seen in that time: when the whole
// playground stands still, the first look after it may come before the client.
const fewestLooks = 5

var _ = register(Check{
	Name: "progress", Title: "Progress", order: 6, beliefs: true, elsewhere: true,
	Sentence: "A client whose turn it is acquires the lock within 3 s, unless a fault, a message under way or a server that lags behind keeps it from that, and no clients wait for each other in a circle for so long; judged by the queue, the watches and the messages.",
	Violated: "The lock stands still",
	start: func(l event.Lane) fold {
		if l.Store != "" {
			return newEntryProgress()
		}
		return newProgress(l)
	},
})

// progress judges that the lock moves on. It is broken when the client at the
// head of the queue, or a waiter where there is no queue and no holder, could
// act, has nothing under way, and still does not hold.
//
// Nothing is held against a client that a fault keeps from acting, whose
// connection is down, or whose frames are under way. The lane is looked at
// whenever the tree in the log is known to be the server's.
//
// That server is the observer's. The client's own may be another one, which lags
// behind or stands still while the client waits for its word. So the client is to
// blame only once its own server has answered it from a state that is no older:
// the server sends what a client is to be told of a transaction before any answer
// from a later state. A client that waits learns of that state by the answer to a
// ping, of which it sends some in each session timeout.
//
// Where there are several queues, who waits in one keeps nobody from blaming it in
// another only if it can go on there; and clients that hold in one and wait in another
// may wait for each other in a circle, though none is to blame by itself. Guests may do so
// in one queue, which their watches show.
type progress struct {
	state.Directories
	lane      event.Lane // who has a number above its clients is a guest
	most      int        // so many at the head of a queue may hold
	nodes     contenders
	flags     map[string]owner // ephemeral znodes that have no place in a queue, by path
	processes map[int]*process
	queues    queues
	stuck     stuckClient
	since     int64 // when stuck was first seen
	looks     int   // and how often it has been seen since
	zxid      int64 // the newest transaction that the observer's server had then
	count     int64 // acquisitions
	over      bool  // the clients have been told to stop
	stood     int64 // so many acquisitions there were when it was last found to stand still
	violations
}

// A stuckClient is one that does not go on, for one reason. The zero value is
// nobody.
type stuckClient struct {
	client  int
	path    string     // of its znode at the head; empty when there is no queue
	circle  []waitFor  // who waits for whom, when nobody in it can go on
	watches []watchFor // the same, by their watches alone
}

// same says whether it is for the same reason; a circle is made of the same steps.
func (s stuckClient) same(other stuckClient) bool {
	return s.client == other.client && s.path == other.path && slices.Equal(s.circle, other.circle) && slices.Equal(s.watches, other.watches)
}

func newProgress(l event.Lane) *progress {
	return &progress{Directories: l.Directories(), lane: l, most: l.MostHolders(),
		flags: make(map[string]owner), processes: make(map[int]*process), queues: newQueues(l)}
}

func (p *progress) apply(e *event.Event) {
	if p.over {
		return
	}
	p.queues.apply(e)
	if e.Kind.Follows() || !p.lane.Concerns(e) || e.Derived && e.Client > p.lane.Clients { // who need not tell when it waits no more
		return
	}
	if e.Client > 0 && e.Kind != event.TreeCreated && e.Kind != event.TreeDeleted {
		p.process(e.Client).apply(e)
	}
	switch e.Kind {
	case event.TreeCreated:
		if !p.nodes.apply(e) && e.Session != "" {
			p.flags[e.Path] = owner{e.Client, e.Session}
		}
	case event.TreeDeleted:
		p.nodes.apply(e)
		delete(p.flags, e.Path)
	case event.TreeLost:
		p.stuck = stuckClient{} // the tree in the log may be behind
	case event.TreeSynced:
		p.look(e)
	case event.LockAcquired:
		p.count++
	case event.NoteStopping:
		p.over = true
	}
}

func (p *progress) process(client int) *process {
	known, ok := p.processes[client]
	if !ok {
		known = newProcess()
		p.processes[client] = known
	}
	return known
}

// look compares who could go on now with who could when it last looked.
func (p *progress) look(e *event.Event) {
	now := p.findStuck()
	if now.client == 0 {
		now = p.findWatchCircle()
	}
	if !now.same(p.stuck) || now.client != 0 && p.processes[now.client].moved > p.since {
		p.stuck, p.since, p.looks, p.zxid = now, e.At, 0, e.Zxid
	}
	p.looks++
	stood := e.At - p.since
	if now.client != 0 && stood >= stuckAfter && p.looks >= fewestLooks && p.processes[now.client].zxid >= p.zxid && (p.broken == nil || p.stood != p.count) {
		p.stood = p.count
		p.violate(p.describe(now, stood, e.Seq))
	}
}

// findStuck finds the client that could go on, and does not hold. Whether a guest holds
// that is at the head nobody knows.
func (p *progress) findStuck() stuckClient {
	heads := p.allHeads()
	for _, head := range heads {
		owner := p.processes[head.client]
		if owner != nil && head.client <= p.lane.Clients && owner.idle() && !p.goesOn(owner, head) && (head.session == "" || head.session == owner.session) {
			return stuckClient{client: head.client, path: head.path}
		}
	}
	if len(heads) > 0 {
		return p.findCircle()
	}
	waiter := 0
	for client, c := range p.processes {
		if c.believes && !c.gone {
			return stuckClient{}
		}
		if (waiter == 0 || client < waiter) && client <= p.lane.Clients && c.waiting && c.idle() && !p.waitsForExpiry(c) {
			waiter = client
		}
	}
	return stuckClient{client: waiter}
}

// findWatchCircle finds clients and guests that wait for each other in one queue, as their
// watches show. A client that believes that it holds waits for nobody.
func (p *progress) findWatchCircle() stuckClient {
	circle := p.queues.findCircle(func(client int) bool {
		c := p.processes[client]
		return c != nil && c.idle() && !c.believes
	})
	if circle == nil {
		return stuckClient{}
	}
	return stuckClient{client: circle[0].client, watches: circle}
}

// waitsForExpiry says that the client waits for a znode that goes with another's
// session, and that nobody is there to delete it before; a guest's may stay as long as
// the guest likes.
func (p *progress) waitsForExpiry(c *process) bool {
	flag, ok := p.flags[c.ahead]
	if !ok || flag.session == c.session {
		return false
	}
	owner := p.processes[flag.client]
	return flag.client > p.lane.Clients || owner == nil || owner.session != flag.session || !owner.idle()
}

// goesOn says whether who is at the head of a queue does what it can: it holds, or it
// waits in another queue.
func (p *progress) goesOn(owner *process, head *contenderNode) bool {
	if len(p.Directories) == 1 {
		return owner.believes
	}
	d := p.OfNode(head.path)
	waits := owner.waiting && p.OfNode(owner.node) != d
	return waits || slices.ContainsFunc(owner.held, func(held string) bool { return p.OfNode(held) == d })
}

// allHeads are the heads of all queues.
func (p *progress) allHeads() []*contenderNode {
	var all []*contenderNode
	for d := range p.Directories {
		all = append(all, p.heads(d)...)
	}
	return all
}

// heads are the first contenders in a queue, as many as may hold at once.
func (p *progress) heads(directory int) []*contenderNode {
	if len(p.Directories) == 1 {
		return p.nodes[:min(len(p.nodes), p.most)]
	}
	var first []*contenderNode
	for _, node := range p.nodes {
		if len(first) < p.most && p.OfNode(node.path) == directory {
			first = append(first, node)
		}
	}
	return first
}

var (
	waitsForIn     = event.NewCode("waits-for-in", "{client} waits for {client other} in {lock}")
	waitInCircle   = event.NewCode("circle", "{list waits}: they wait for each other in a circle, for {span}[ at event {event}]")
	noWaiterQueued = event.NewCode("no-waiter-queued", "nobody holds and no waiter has a znode, but {client} has waited on for {span}[ at event {event}]")
	stuckAtHead    = event.NewCode("stuck-at-head", "{client} does not hold, though its [znode ]{znode} has been at the head of the queue and nothing under way to it for {span}[ at event {event}]")
	nobodyStood    = event.NewCode("nobody-stood-still", "{count} acquisition, and nobody who could hold stood still|{count} acquisitions, and nobody who could hold stood still")
)

// describe says what is wrong; stood is in microseconds.
func (p *progress) describe(s stuckClient, stood, seq int64) *event.Reason {
	long := time.Duration(stood * int64(time.Microsecond)).Round(100 * time.Millisecond)
	switch {
	case s.circle != nil:
		var waits []*event.Reason
		for _, w := range s.circle {
			waits = append(waits, waitsForIn.With(w.client, w.other, w.lock))
		}
		return waitInCircle.With(waits, long, seq)
	case s.watches != nil:
		return watchInCircle.With(p.queues.describe(s.watches), long, seq)
	case s.path == "":
		return noWaiterQueued.With(s.client, long, seq)
	default:
		return stuckAtHead.With(s.client, s.path, long, seq)
	}
}

func (p *progress) verdict() event.Verdict { return judged(p.broken != nil, p.count > 0) }

func (p *progress) why() *event.Reason {
	switch p.verdict() {
	case event.Violated:
		return p.broken
	case event.Holds:
		return nobodyStood.With(p.count)
	default:
		return nobodyAcquired.With()
	}
}
