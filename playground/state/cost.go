package state

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// costs count what the releases of one lock directory cost: whom each woke, and whose
// wake-up was for nothing. What has changed is told by [event.CostChanged].
type costs struct {
	changes     changes
	rounds      []*round           // the newest
	reads       map[int][2]watched // the newest watches that each client was left with, the newest first
	waits       map[int]*wait      // those that are not over, by client
	again       map[int]watchedAgain
	unexplained []*wait // the newest of those that are over, and of which it is not known what woke them
	unfired     unfired
	explained   int64 // wake-ups of which it is known what caused them
	sums, told  event.Cost
	changed     []*round // since the last event
}

// A round is a change that freed the lock, with all whom it woke. It is complete
// when each of them has acquired, waits again or is gone.
type round struct {
	event.Round
	open    int64 // how many are to be woken yet, or are woken and undecided
	changed bool
}

// A wait is of a client that waits or waited, with its wake-up if it had one.
type wait struct {
	node    string   // its own
	watch   *watched // what it waits for; nil when the log does not tell
	change  int64    // the number of the change that fired the watch, or 0
	cause   cause    // of that
	woken   bool
	lapsed  bool // its session has ended, and its watch with it
	outcome outcome
}

// A client that has been woken, and does not tell, has watched the queue again when it lists
// that with a watch. It waits if its znode was not the first then; else it holds.
type watchedAgain struct {
	waiting event.Event
	zxid    int64
}

// An outcome is what came of a wait.
type outcome int

const (
	openOutcome outcome = iota
	endAcquired
	endWasted
	endGone
)

// Only so many rounds, and as many unexplained wake-ups, are kept.
const mostRounds = 100

func newCosts(clients int) *costs {
	return &costs{changes: newChanges(clients), reads: make(map[int][2]watched), waits: make(map[int]*wait), again: make(map[int]watchedAgain), unfired: newUnfired()}
}

// apply takes the next event and adds to facts how the costs of the directory have changed.
func (c *costs) apply(facts []event.Event, e *event.Event, lane, directory string) []event.Event {
	c.follow(e)
	c.sums.Unexplained = c.sums.Wakeups - c.explained
	if len(c.changed) == 0 && c.sums == c.told {
		return facts
	}
	c.told = c.sums
	tell := func(changed *event.Round) {
		cost := c.sums
		cost.Round = changed
		facts = append(facts, event.Event{Kind: event.CostChanged, Lane: lane, Path: directory, Cost: &cost})
	}
	for _, round := range c.changed {
		figures := round.Round
		tell(&figures)
		round.changed = false
	}
	if len(c.changed) == 0 {
		tell(nil)
	}
	c.changed = c.changed[:0]
	return facts
}

func (c *costs) follow(e *event.Event) {
	if w, ok := watchLeft(e); ok {
		c.reads[e.Client] = [2]watched{w, c.reads[e.Client][0]} // one may be on its own znode
	}
	newest := c.changes.number
	if c.changes.apply(e) {
		if c.changes.number > newest {
			change := c.changes.list[len(c.changes.list)-1]
			c.begin(change)
			c.unfired.concern(change)
		}
		c.lapse(e)
		if c.changes.dropped != nil {
			c.unfired.forget(c.changes.dropped)
		}
		c.review()
	}
	c.decide(c.changes.known)
	if e.Client > 0 {
		c.applyWait(e)
	}
}

// decide says what has come of those that watch again, once the changes are known that they
// had seen.
func (c *costs) decide(known int64) {
	for client, again := range c.again {
		if again.zxid > known {
			continue
		}
		delete(c.again, client)
		if c.changes.nodes.first() == again.waiting.Path {
			c.end(client, endAcquired)
			continue
		}
		c.end(client, endWasted)
		c.wait(&again.waiting)
	}
}

// watchesAgain notes a waiter of whom nobody knows yet whether it waits on.
func (c *costs) watchesAgain(e *event.Event) bool {
	w, read := c.waits[e.Client], c.reads[e.Client][0]
	if !e.Derived || w == nil || !w.woken || w.node != e.Path || !read.children || read.path != e.Predecessor {
		return false
	}
	c.again[e.Client] = watchedAgain{*e, read.zxid}
	c.decide(c.changes.known)
	return true
}

func (c *costs) begin(freed *change) {
	if !freed.cause.frees() {
		return
	}
	begun := &round{Round: event.Round{Change: freed.number, At: freed.at, Cause: freeing[freed.cause], Client: freed.client}}
	if c.rounds = append(c.rounds, begun); len(c.rounds) > mostRounds {
		c.rounds = slices.Delete(c.rounds, 0, 1)
	}
	c.touch(begun)
}

// touch notes that the figures of a round have changed.
func (c *costs) touch(round *round) {
	if !round.changed {
		round.changed = true
		c.changed = append(c.changed, round)
	}
}

// lapse is for a client whose session has ended: nobody will wake it, unless its
// notification is under way.
func (c *costs) lapse(e *event.Event) {
	w := c.waits[e.Client]
	if e.Kind == event.TreeDeleted && (e.Cause == "expiry" || e.Cause == "close") && w != nil && w.node == e.Path && !w.woken {
		c.move(w, func() { w.lapsed = true })
	}
}

// review looks again at what was not known.
func (c *costs) review() {
	for w := range c.unfired.unsure {
		c.explain(w)
	}
	for _, round := range c.rounds {
		c.close(round)
	}
}

// explain says which change woke the client, or will, once that is known.
func (c *costs) explain(w *wait) {
	change, unsure := c.changes.firedBy(*w.watch)
	if change == nil {
		c.unfired.note(w, unsure)
		return
	}
	c.unfired.remove(w)
	c.move(w, func() { w.change, w.cause = change.number, change.cause })
	if w.outcome != openOutcome {
		c.unexplained = slices.DeleteFunc(c.unexplained, func(other *wait) bool { return other == w })
	}
}

func (c *costs) applyWait(e *event.Event) {
	switch e.Kind {
	case event.LockWaiting:
		if !c.watchesAgain(e) {
			c.end(e.Client, endWasted)
			c.wait(e)
		}
	case event.LockWoken:
		c.woken(e)
	case event.LockAcquired:
		c.end(e.Client, endAcquired)
	case event.LockGaveUp:
		c.end(e.Client, endWasted)
	case event.LockLost, event.ProgramSilent:
		if w := c.waits[e.Client]; w != nil && (e.Path == "" || e.Path == w.node) { // else it is told late, of a former znode
			c.end(e.Client, endGone)
		}
	case event.LockReleased:
		c.end(e.Client, endGone)
	case event.TreeDeleted: // of a guest nobody may have told what came of its wait
		if w := c.waits[e.Client]; w != nil && w.node == e.Path && e.Client > c.changes.clients {
			c.end(e.Client, endGone)
		}
	default:
		if EndsBelief(e) {
			c.end(e.Client, endGone)
		}
	}
}

func (c *costs) wait(e *event.Event) {
	w := &wait{node: e.Path}
	for _, read := range c.reads[e.Client] {
		if w.watch == nil && e.Kind == event.LockWaiting && read.path != "" && read.path == e.Predecessor {
			w.watch = &read
			w.watch.lost = read.zxid < c.changes.forgotten
		}
	}
	c.waits[e.Client] = w
	if w.watch != nil {
		c.explain(w)
	}
}

func (c *costs) woken(e *event.Event) {
	if again, ok := c.again[e.Client]; ok {
		c.decide(again.zxid)
	}
	if w := c.waits[e.Client]; w == nil || w.woken { // it was not told that it waits
		c.end(e.Client, endGone)
		c.wait(e)
	}
	c.sums.Wakeups++
	w := c.waits[e.Client]
	c.move(w, func() { w.woken, w.lapsed = true, false })
}

func (c *costs) end(client int, how outcome) {
	w := c.waits[client]
	delete(c.again, client)
	if w == nil {
		return
	}
	delete(c.waits, client)
	if w.woken && how == endWasted {
		c.sums.Wasted++
	}
	c.move(w, func() { w.outcome = how })
	switch {
	case w.change > 0:
		return
	case !w.woken:
		c.unfired.remove(w)
		return
	}
	if c.unexplained = append(c.unexplained, w); len(c.unexplained) > mostRounds {
		c.unfired.remove(c.unexplained[0])
		c.unexplained = slices.Delete(c.unexplained, 0, 1)
	}
}

// move changes what is known of a wait, and the figures that it is counted in.
func (c *costs) move(w *wait, change func()) {
	c.tally(w, -1)
	change()
	c.tally(w, 1)
}

func (c *costs) tally(w *wait, sign int64) {
	if w.change == 0 {
		return
	}
	if w.woken && w.cause != unknownCause {
		c.explained += sign
	}
	newest := len(c.rounds) - 1
	for newest >= 0 && c.rounds[newest].Change > w.change {
		newest--
	}
	if w.woken && w.cause == byJoining {
		c.sums.Joining += sign
		if newest >= 0 {
			c.rounds[newest].Joined += sign
			c.touch(c.rounds[newest])
		}
	}
	if newest < 0 || c.rounds[newest].Change != w.change {
		return
	}
	round := c.rounds[newest]
	c.touch(round)
	c.reopen(round)
	if w.outcome == openOutcome && !w.lapsed {
		round.open += sign
	}
	if w.woken {
		round.Woken += sign
	}
	if w.woken && w.outcome == endAcquired {
		round.Acquired += sign
	}
	if w.woken && w.outcome == endWasted {
		round.Wasted += sign
	}
	c.close(round)
}

// reopen is for somebody of whom it is known late that the round woke him.
func (c *costs) reopen(round *round) {
	if !round.Complete {
		return
	}
	round.Complete = false
	c.sums.Rounds--
	c.sums.RoundWakeups -= round.Woken
	c.sums.RoundWasted -= round.Wasted
}

func (c *costs) close(round *round) {
	if round.Complete || round.open > 0 || !c.changes.isPlaced(round.Change) {
		return
	}
	round.Complete = true
	c.sums.Rounds++
	c.sums.RoundWakeups += round.Woken
	c.sums.RoundWasted += round.Wasted
	c.touch(round)
}
