package queue

import (
	"slices"

	"github.com/zkplayground/zkplayground/zklock/test/explore"
)

// A permitWorld is a server with a semaphore, and clients that take one permit each,
// driven by the real Permit. Requests, replies and events may be under way for any
// time, and events may overtake replies.
type permitWorld struct {
	permitScene
	stored  Limit
	most    int   // the greatest limit so far
	line    []int // clients whose znodes exist
	clients []permitClient
}

// A permitClient is one of the clients.
type permitClient struct {
	phase   phase
	created int64 // transactions count up: those of limits are even, those of znodes odd
	telling bool  // its write is under way
	written bool
	permit  Permit
	ahead   int // by the last listing
	asks    Step
	sent    bool // that request is under way
	reply   permitReply
	watch   permitWatch
	resumed bool // reconnected, and not looked yet
}

// A permitReply is what a client is told, once it is sent.
type permitReply struct {
	sent    bool
	moment  Moment
	ahead   int
	limit   Limit
	missing bool // there is no such znode
	written bool
	created int64
}

// A permitWatch is the watch that was set last.
type permitWatch byte

const (
	noWatch permitWatch = iota
	onQueue
	onAhead
	queueChanged
	aheadWrote
	aheadDeleted
)

func (m *permitWorld) arrive(i int) {
	m.fireQueue()
	m.line = append(m.line, i)
	c := &m.clients[i]
	c.phase, c.created = waiting, m.stored.At+1
	m.drive(i)
}

// drive does what the client does until it has to wait for something.
func (m *permitWorld) drive(i int) {
	c := &m.clients[i]
	if c.resumed {
		c.resumed = false
		c.permit.Doubt()
	}
	switch next := c.permit.Next(); next {
	case Hold:
		tells := c.permit.MustTell() && m.flaw != neverTell
		*c = permitClient{phase: holding, created: c.created, telling: tells}
	case Sleep:
		if m.flaw == neverSleep {
			c.permit.Doubt()
			c.asks, c.sent = c.permit.Next(), true
		}
	default:
		c.asks, c.sent = next, true
	}
}

// serve answers a request.
func (m *permitWorld) serve(i int) {
	c := &m.clients[i]
	c.sent, c.reply = false, permitReply{sent: true}
	switch c.asks {
	case ListQueue, WatchQueue:
		own := slices.Index(m.line, i)
		c.reply.moment = Moment{own, len(m.line) - own - 1, m.stored.At}
		if own > 0 {
			c.reply.ahead = m.line[own-1]
		}
		if c.watch = noWatch; c.asks == WatchQueue {
			c.watch = onQueue
		}
	case ReadLimit:
		c.reply.limit = m.stored
		if m.flaw == onePermitTooMany {
			c.reply.limit.Max++
		}
	case WatchAhead:
		ahead := m.clients[c.ahead]
		if c.reply.missing = ahead.phase == left; !c.reply.missing {
			c.reply.written, c.reply.created = ahead.written, ahead.created
			c.watch = onAhead
		}
	}
}

// receive gives a client its reply.
func (m *permitWorld) receive(i int) {
	c := &m.clients[i]
	r := c.reply
	c.reply = permitReply{}
	switch c.asks {
	case ListQueue, WatchQueue:
		c.ahead = r.ahead
		c.permit.Listed(r.moment, c.asks == WatchQueue)
		if m.flaw == mixedMoments && c.permit.limit.At > 0 {
			c.permit.seen.LimitAt = c.permit.limit.At
		}
	case ReadLimit:
		c.permit.Limited(r.limit)
	case WatchAhead:
		m.receiveAhead(c, r)
	}
	m.drive(i)
}

func (m *permitWorld) receiveAhead(c *permitClient, r permitReply) {
	switch {
	case r.missing:
		c.permit.Doubt()
	case m.flaw == blindToWrite:
		c.permit.BehindWaiter(false, r.created)
	case m.flaw == trustTheOld:
		c.permit.BehindWaiter(r.written, c.permit.limit.At+1)
	default:
		c.permit.BehindWaiter(r.written, r.created)
	}
}

// wake ends a sleep.
func (m *permitWorld) wake(i int) {
	c := &m.clients[i]
	c.permit.Doubt()
	if c.watch == aheadWrote {
		c.permit.BehindHolder()
	}
	c.watch = noWatch
	m.drive(i)
}

// write has a holder's write arrive.
func (m *permitWorld) write(i int) {
	m.clients[i].telling, m.clients[i].written = false, true
	if m.flaw != deafToWrite {
		m.fireAhead(i, aheadWrote)
	}
}

// leave is a release, a give-up or a crash.
func (m *permitWorld) leave(i int) {
	c := &m.clients[i]
	*c = permitClient{phase: leaving, created: c.created, telling: c.telling, written: c.written}
}

// remove deletes the znode of a client that leaves.
func (m *permitWorld) remove(i int) {
	at := slices.Index(m.line, i)
	m.line = slices.Delete(m.line, at, at+1)
	m.clients[i] = permitClient{phase: left}
	m.fireAhead(i, aheadDeleted)
	m.fireQueue()
}

func (m *permitWorld) storeLimit() {
	m.stored = Limit{m.resize, m.stored.At + 2}
	m.most, m.resize = max(m.most, m.stored.Max), 0
	if m.flaw != silentResize {
		m.fireQueue()
	}
}

// reconnect loses what is under way, and the watch. The request is repeated.
func (m *permitWorld) reconnect(i int) {
	c := &m.clients[i]
	m.reconnects--
	c.watch = noWatch
	if c.sent || c.reply.sent {
		c.sent, c.reply, c.resumed = true, permitReply{}, true
		return
	}
	if m.flaw != deafToReconnect {
		c.resumed = true
		m.drive(i)
	}
}

func (m *permitWorld) fireQueue() {
	for i := range m.clients {
		if m.clients[i].watch == onQueue {
			m.clients[i].watch = queueChanged
		}
	}
}

func (m *permitWorld) fireAhead(of int, news permitWatch) {
	for i := range m.clients {
		if c := &m.clients[i]; c.watch == onAhead && c.ahead == of {
			c.watch = news
		}
	}
}

func (m *permitWorld) after(visit explore.Visitor, can bool, i int, what string, do func(*permitWorld, int)) {
	if can {
		next := *m
		next.line, next.clients = slices.Clone(m.line), slices.Clone(m.clients)
		do(&next, i)
		visit(&next, i, what)
	}
}

func (m *permitWorld) Steps(visit explore.Visitor) {
	for i, c := range m.clients {
		m.after(visit, c.sent, i, "is answered", (*permitWorld).serve)
		m.after(visit, c.reply.sent, i, "takes the answer in", (*permitWorld).receive)
		asleep := c.phase == waiting && !c.sent && !c.reply.sent
		m.after(visit, asleep && c.watch >= queueChanged, i, "hears of its watch", (*permitWorld).wake)
		m.after(visit, c.telling, i, "writes into its znode", (*permitWorld).write)
		m.after(visit, c.phase == leaving, i, "is deleted", (*permitWorld).remove)
	}
}

// events has the clients come in their order, as they are all alike.
func (m *permitWorld) Events(visit explore.Visitor) {
	next := slices.IndexFunc(m.clients, func(c permitClient) bool { return c.phase == away })
	m.after(visit, next >= 0, next, "comes", (*permitWorld).arrive)
	m.after(visit, m.resize > 0, 0, "stores another limit", func(m *permitWorld, _ int) { m.storeLimit() })
	for i, c := range m.clients {
		m.after(visit, c.phase == waiting || c.phase == holding, i, "leaves", (*permitWorld).leave)
		m.after(visit, c.phase == waiting && m.reconnects > 0, i, "is reconnected", (*permitWorld).reconnect)
	}
}

func (m *permitWorld) holding() (n int) {
	for _, c := range m.clients {
		if c.phase == holding {
			n++
		}
	}
	return n
}

func (m *permitWorld) Holds() bool { return m.holding() > 0 }

// unsafe allows for those who hold since before the limit was lowered.
func (m *permitWorld) Unsafe() error {
	if m.holding() > m.most {
		return explore.ErrTwoHold
	}
	return nil
}

func (m *permitWorld) Asleep() error {
	for position, i := range m.line {
		if m.clients[i].phase == waiting && position < m.stored.Max {
			return explore.ErrAsleep
		}
	}
	return nil
}

// key leaves out the reply that is not there.
func (m *permitWorld) Key() string {
	b := append(make([]byte, 0, 160), byte(m.stored.Max), byte(m.stored.At), byte(m.reconnects), byte(m.resize), byte(m.most), byte(len(m.line)))
	for _, i := range m.line {
		b = append(b, byte(i))
	}
	for i := range m.clients {
		c := &m.clients[i]
		p, r := &c.permit, &c.reply
		b = append(b, byte(c.phase), byte(c.created), byte(c.ahead), byte(c.asks), byte(c.watch))
		b = append(b, byte(p.limit.Max), byte(p.limit.At), byte(p.seen.Ahead), byte(p.seen.Behind), byte(p.seen.LimitAt))
		b = flags(b, c.telling, c.written, c.sent, c.resumed, p.first, p.known, p.watched, r.sent)
		if r.sent {
			b = append(b, byte(r.moment.Ahead), byte(r.moment.Behind), byte(r.moment.LimitAt), byte(r.ahead))
			b = flags(append(b, byte(r.limit.Max), byte(r.limit.At), byte(r.created)), r.missing, r.written)
		}
	}
	return string(b)
}
