package zklock

import "slices"

// A permitModel is a moment of the world around a semaphore: a server, and
// clients that take one permit each, driven by the real permit. Requests,
// replies and events may be under way for any time, and events may overtake
// replies. A server that lags behind needs no model of its own: to its clients
// it is one with slow links.
type permitModel struct {
	limit   bound
	queue   []int // clients whose znodes exist, in line
	clients []modelClient
	// What may still happen: reconnects, and a change of the limit to resize.
	reconnects int
	resize     int // 0 for none
	greatest   int // limit so far
	broken     fault
}

// A fault is what a test takes out of the protocol to see the model notice.
type fault int

const (
	nothing         fault = iota
	noMark                // a holder does not write its mark
	deafToMark            // the event of a mark wakes nobody
	blindToMark           // who reads a mark waits for the znode all the same
	trustTheOld           // who is older than the limit and has no mark is taken for a waiter
	noBell                // Resize wakes nobody
	deafToReconnect       // a reconnect wakes nobody
	greedy                // one more permit than there are
	mixedMoments          // a listing is judged by a limit of another moment
	restless              // a sleeper lists again without being woken
)

type phase byte

const (
	away phase = iota
	waiting
	holding
	leaving // released, given up or crashed: the znode will be deleted
	gone
)

type modelClient struct {
	phase   phase
	created int64 // as bound.at counts: limits are even, znodes odd
	marking bool  // the mark is under way
	marked  bool
	permit  permit
	ahead   int // by the last listing
	asked   step
	sent    bool // the request asked is under way
	reply   modelReply
	watch   modelWatch
	resumed bool // reconnected, and not taken in yet
}

// A modelReply is what a client is told, once it is under way.
type modelReply struct {
	sent    bool
	moment  moment
	ahead   int
	limit   bound
	missing bool // there is no such znode
	marked  bool
	created int64
}

// A modelWatch is the watch that was set last.
type modelWatch byte

const (
	noWatch modelWatch = iota
	onQueue
	onAhead
	firedQueue
	firedMark
	firedDeleted
)

func (m *permitModel) clone() *permitModel {
	c := *m
	c.queue, c.clients = slices.Clone(m.queue), slices.Clone(m.clients)
	return &c
}

// arrive puts a client in line.
func (m *permitModel) arrive(i int) {
	m.fireQueue()
	m.queue = append(m.queue, i)
	c := &m.clients[i]
	c.phase, c.created = waiting, m.limit.at+1
	m.drive(i)
}

// drive does what the client does without waiting, as await does.
func (m *permitModel) drive(i int) {
	c := &m.clients[i]
	if c.resumed {
		c.resumed = false
		c.permit.doubt()
	}
	switch next := c.permit.next(); next {
	case holdPermit:
		crowded := c.permit.crowded() && m.broken != noMark
		*c = modelClient{phase: holding, created: c.created, marking: crowded}
	case sleepOn:
		if m.broken == restless {
			c.permit.doubt()
			c.asked, c.sent = c.permit.next(), true
		}
	default:
		c.asked, c.sent = next, true
	}
}

// serve answers a request.
func (m *permitModel) serve(i int) {
	c := &m.clients[i]
	c.sent, c.reply = false, modelReply{sent: true}
	switch c.asked {
	case listQueue, watchQueue:
		own := slices.Index(m.queue, i)
		c.reply.moment = moment{own, len(m.queue) - own - 1, m.limit.at}
		if own > 0 {
			c.reply.ahead = m.queue[own-1]
		}
		if c.watch = noWatch; c.asked == watchQueue {
			c.watch = onQueue
		}
	case readLimit:
		c.reply.limit = m.limit
		if m.broken == greedy {
			c.reply.limit.max++
		}
	case watchAhead:
		ahead := m.clients[c.ahead]
		if c.reply.missing = ahead.phase == gone; !c.reply.missing {
			c.reply.marked, c.reply.created = ahead.marked, ahead.created
			c.watch = onAhead
		}
	}
}

// deliver gives a client its reply.
func (m *permitModel) deliver(i int) {
	c := &m.clients[i]
	r := c.reply
	c.reply = modelReply{}
	switch c.asked {
	case listQueue, watchQueue:
		c.ahead = r.ahead
		c.permit.listed(r.moment, c.asked == watchQueue)
		if m.broken == mixedMoments && c.permit.limit.at > 0 {
			c.permit.seen.at = c.permit.limit.at
		}
	case readLimit:
		c.permit.bounded(r.limit)
	case watchAhead:
		m.deliverAhead(c, r)
	}
	m.drive(i)
}

func (m *permitModel) deliverAhead(c *modelClient, r modelReply) {
	switch {
	case r.missing:
		c.permit.doubt()
	case m.broken == blindToMark:
		c.permit.behindWaiter(false, r.created)
	case m.broken == trustTheOld:
		c.permit.behindWaiter(r.marked, c.permit.limit.at+1)
	default:
		c.permit.behindWaiter(r.marked, r.created)
	}
}

// wake ends a sleep.
func (m *permitModel) wake(i int) {
	c := &m.clients[i]
	c.permit.doubt()
	if c.watch == firedMark {
		c.permit.behindHolder()
	}
	c.watch = noWatch
	m.drive(i)
}

// write does a mark.
func (m *permitModel) write(i int) {
	m.clients[i].marking, m.clients[i].marked = false, true
	if m.broken != deafToMark {
		m.fireAhead(i, firedMark)
	}
}

// leave is a release, a give-up or a crash.
func (m *permitModel) leave(i int) {
	c := &m.clients[i]
	*c = modelClient{phase: leaving, created: c.created, marking: c.marking, marked: c.marked}
}

// remove deletes the znode of a client that has left.
func (m *permitModel) remove(i int) {
	at := slices.Index(m.queue, i)
	m.queue = slices.Delete(m.queue, at, at+1)
	m.clients[i] = modelClient{phase: gone}
	m.fireAhead(i, firedDeleted)
	m.fireQueue()
}

// change stores another limit.
func (m *permitModel) change() {
	m.limit = bound{m.resize, m.limit.at + 2}
	m.greatest, m.resize = max(m.greatest, m.limit.max), 0
	if m.broken != noBell {
		m.fireQueue()
	}
}

// reconnect loses what is under way, and the watch. The request is repeated.
func (m *permitModel) reconnect(i int) {
	c := &m.clients[i]
	m.reconnects--
	c.watch = noWatch
	if c.sent || c.reply.sent {
		c.sent, c.reply, c.resumed = true, modelReply{}, true
		return
	}
	if m.broken == deafToReconnect {
		return
	}
	c.resumed = true
	m.drive(i)
}

func (m *permitModel) fireQueue() {
	for i := range m.clients {
		if m.clients[i].watch == onQueue {
			m.clients[i].watch = firedQueue
		}
	}
}

func (m *permitModel) fireAhead(of int, event modelWatch) {
	for i := range m.clients {
		if c := &m.clients[i]; c.watch == onAhead && c.ahead == of {
			c.watch = event
		}
	}
}
