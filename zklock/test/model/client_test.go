package model

import (
	"time"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
	"github.com/zkplayground/zkplayground/zklock/internal/sessionclock"
)

// A client is one process, by the rules that the library has of its session and of its
// turn. What it reads is as its server shows it.
type client struct {
	clock    sessionclock.Clock
	now      int8 // in units, counted on when it matters
	phase    phase
	came     bool
	guid     int8 // attempts so far
	own      int8 // its znode, none without one
	asked    bool // the create is on its way to the leader
	unwanted bool // so is the outcome of a create
	alone    bool // the create found nobody else
	turn     queue.Turn
	ahead    set // what the turn counts as such
	watched  set
	erase    set // znodes to be deleted
	shown    set // what its server has
	behind   int8
}

type phase byte

const (
	away phase = iota
	creating
	seeking // the reply to a create was lost
	waiting
	holding
)

// believes reports whether the client may use what the lock protects, as far as it knows.
func (c *client) believes() bool { return c.phase == holding && c.clock.Live() }

func (c *client) time() time.Time { return time.Unix(1000, 0).Add(time.Duration(c.now) * unit) }

// session is the number of that which the client knows.
func (c *client) session() int8 { return int8(c.clock.ID()) }

// follow takes in what the clock has come to: what was held or waited for ends with the
// grant.
func (w *world) follow(i int, change sessionclock.Change) {
	if c := &w.clients[i]; change.Ended != nil && w.flaw != leaseOutlivesGrant {
		w.giveUp(i)
		if change.Gone {
			c.erase = 0
		}
	}
}

// giveUp has what there is of an acquisition deleted.
func (w *world) giveUp(i int) {
	c := &w.clients[i]
	switch c.phase {
	case creating, seeking:
		c.unwanted = true
	case waiting, holding:
		if w.flaw != noCleanUp {
			c.erase |= only(c.own)
		}
		w.leave(i)
	}
}

// leave ends an acquisition of which nothing more is known.
func (w *world) leave(i int) {
	c := &w.clients[i]
	c.phase, c.own, c.asked, c.unwanted, c.alone = away, none, false, false, false
	c.turn, c.ahead, c.watched = queue.Turn{}, 0, 0
}

// gone tells the turn of a client that a znode has gone.
func (w *world) gone(i int, k int8) {
	c := &w.clients[i]
	c.turn.Gone(w.nameOf(k))
	c.ahead &^= only(k)
}

// ask sends a create.
func (w *world) ask(i int) {
	c := &w.clients[i]
	c.guid++
	c.phase, c.asked = creating, true
	c.alone = w.tree == 0
}

// takeCreate is the leader's.
func (w *world) takeCreate(i int) {
	c := &w.clients[i]
	c.asked = false
	if !w.serves(i) {
		w.cut(i)
		return
	}
	if w.flaw != aloneBefore {
		c.alone = w.tree == 0
	}
	k := w.create(i)
	if c.unwanted {
		w.leave(i)
		c.erase |= only(k)
	} else {
		c.own = k
	}
}

// serves reports whether the leader takes requests in the session of a client.
func (w *world) serves(i int) bool {
	return w.open[i] && w.clients[i].session() == w.opened[i]
}

// enqueued takes in that the own znode exists.
func (w *world) enqueued(i int) {
	c := &w.clients[i]
	if c.unwanted {
		c.erase |= only(c.own)
		w.leave(i)
		return
	}
	if queue.Exhausted(w.znodes[c.own].sequence) && w.flaw != endlessNumbers {
		w.refuse(i)
		return
	}
	c.phase = waiting
	c.turn = *queue.NewTurn(queue.Mutex, w.nameOf(c.own), w.recipe)
	if c.alone && w.recipe.OneTransaction {
		w.hold(i)
		return
	}
	w.drive(i)
}

// refuse gives up a number at the counter's end. A client that is alone makes the directory anew
// and comes again.
func (w *world) refuse(i int) {
	c := &w.clients[i]
	if k := c.own; w.tree == only(k) && w.serves(i) {
		w.leave(i)
		w.remove(k)
		w.ask(i)
		return
	}
	c.erase |= only(c.own)
	w.leave(i)
}

// apply has the server of a client take in the next transaction.
func (w *world) apply(i int) {
	c := &w.clients[i]
	t := w.recent[len(w.recent)-int(c.behind)]
	c.behind--
	if t.creates >= 0 {
		c.shown |= only(t.creates)
	}
	c.shown &^= t.deletes
	if !c.clock.Linked() {
		return
	}
	fired := t.deletes & c.watched
	c.watched &^= fired
	for _, k := range fired.each() {
		w.gone(i, k)
	}
	switch {
	case t.ends == int8(i):
		w.cut(i) // the server closes the connection
	case c.phase == creating && t.creates >= 0 && t.creates == c.own:
		w.enqueued(i)
	case c.phase == waiting && fired != 0 && w.flaw == trustTheOneAhead:
		w.hold(i)
	case c.phase == waiting:
		w.drive(i)
	}
}

// drive does what a waiter does until it has to wait for something.
func (w *world) drive(i int) {
	c := &w.clients[i]
	for !c.turn.Holds() {
		if c.turn.MustList() {
			listed := w.list(c.shown)
			if !c.turn.Listed(listed) {
				w.leave(i)
				return
			}
			c.ahead = 0
			for _, other := range listed[:queue.Position(listed, w.nameOf(c.own))] {
				c.ahead |= only(w.named(other.Name))
			}
			continue
		}
		for _, name := range c.turn.Watches() {
			c.watched |= only(w.named(name)) // the server shows it, as it has just been listed or watched
		}
		return
	}
	w.hold(i)
}

// hold makes a lease of an acquisition.
func (w *world) hold(i int) {
	c := &w.clients[i]
	c.phase, c.turn, c.ahead, c.watched = holding, queue.Turn{}, 0, 0
	w.follow(i, c.clock.Hold(c.time()))
	if c.believes() {
		w.highest = max(w.highest, w.token(c.own))
	}
}

// unlock ends a lease, and then has its znode deleted.
func (w *world) unlock(i int) {
	c := &w.clients[i]
	if w.flaw == unlockBeforeEnd {
		c.erase |= only(c.own)
		return
	}
	c.clock.Release()
	k := c.own
	w.leave(i)
	c.erase |= only(k)
}

// eraseOne has the leader delete a znode. What is of a former session has gone with it.
func (w *world) eraseOne(i int, k int8) {
	c := &w.clients[i]
	switch {
	case c.session() != w.znodes[k].session:
		c.erase &^= only(k)
	case !w.serves(i):
		w.cut(i)
	default:
		c.erase &^= only(k)
		w.remove(k)
	}
}

// cut ends a connection. A create that has not come to the leader is lost.
func (w *world) cut(i int) {
	c := &w.clients[i]
	if c.phase == creating {
		c.phase, c.asked = seeking, false
	}
	w.follow(i, c.clock.Disconnected())
}

// connect makes a connection, which the leader grants: in the session, if that has not
// ended, and else in the next.
func (w *world) connect(i int) {
	c := &w.clients[i]
	if c.clock.ID() != 0 && !w.serves(i) {
		w.follow(i, c.clock.Accepted(0, 0, c.time(), c.time()))
	}
	if !w.open[i] {
		w.opened[i]++
		w.open[i] = true
	}
	w.follow(i, c.clock.Accepted(int64(w.opened[i]), timeout, c.time(), c.time()))
	w.follow(i, c.clock.Connected(0))
	c.watched = 0
	if c.phase == waiting && w.flaw != deafToReconnect {
		c.turn.Doubt()
		w.drive(i)
	}
}

// seek looks for the znode of a create without a reply. The server has caught up.
func (w *world) seek(i int) {
	c := &w.clients[i]
	found := int8(none)
	for _, k := range c.shown.each() {
		if queue.IsOf(w.nameOf(k), guidOf(int8(i), c.guid)) && w.flaw != createAgain {
			found = k
		}
	}
	switch {
	case found >= 0 && (c.unwanted || c.session() != w.znodes[found].session):
		w.leave(i)
		c.erase |= only(found)
	case found >= 0:
		c.own, c.alone = found, false
		w.enqueued(i)
	case c.unwanted:
		w.leave(i)
	default:
		c.own = none
		w.ask(i)
	}
}

// runOut is the session clock's: nothing was acknowledged in time.
func (w *world) runOut(i int) {
	c := &w.clients[i]
	c.now += int8(timeout / unit)
	w.follow(i, c.clock.Check(c.time()))
}

// revive takes in a late acknowledgement, which the server of the client has given, and a
// while later one of the leader's, if that still knows the session.
func (w *world) revive(i int) {
	c := &w.clients[i]
	w.follow(i, c.clock.Acknowledged(c.time(), c.time(), false))
	if w.serves(i) {
		c.now++
		w.follow(i, c.clock.Acknowledged(c.time(), c.time(), true))
	}
}
