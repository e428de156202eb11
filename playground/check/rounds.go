package check

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// rounds count what a release cost: whom it woke, and whose wake-up was wasted.
// The page counts by the same rules: static/js/model/rounds.js.
type rounds struct {
	changes     changes
	list        []*round
	reads       map[int][2]watched // the newest watches that each client was left with, the newest first
	waits       map[int]*wait      // those that are not over, by client
	unexplained []*wait            // the newest of those that are over, and of which it is not known what woke them
	unfired     unfired
	wakeups     int64
	wasted      int64 // of those
	explained   int64 // of those: it is known what caused them
	joining     int64 // of those: caused by clients that joined the queue
	sums        Rounds
}

// A round is a change that freed the lock, with all whom it woke. It is complete
// when each of them has acquired, waits again or is gone.
type round struct {
	change   int64 // its number
	woken    int64
	wasted   int64 // of those: they wait again, or gave up
	open     int64 // how many are to be woken yet, or are woken and undecided
	complete bool
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

func newRounds(clients int) rounds {
	return rounds{changes: newChanges(clients), reads: make(map[int][2]watched), waits: make(map[int]*wait), unfired: newUnfired()}
}

func (r *rounds) apply(e *event.Event) {
	if w, ok := watchLeft(e); ok {
		r.reads[e.Client] = [2]watched{w, r.reads[e.Client][0]} // one may be on its own znode
	}
	newest := r.changes.number
	if r.changes.apply(e) {
		if r.changes.number > newest {
			change := r.changes.list[len(r.changes.list)-1]
			r.begin(change)
			r.unfired.concern(change)
		}
		r.lapse(e)
		r.review()
	}
	if e.Client > 0 {
		r.applyWait(e)
	}
}

func (r *rounds) begin(c *change) {
	if !c.cause.frees() {
		return
	}
	if r.list = append(r.list, &round{change: c.number}); len(r.list) > mostRounds {
		r.list = slices.Delete(r.list, 0, 1)
	}
}

// lapse is for a client whose session has ended: nobody will wake it, unless its
// notification is under way.
func (r *rounds) lapse(e *event.Event) {
	w := r.waits[e.Client]
	if e.Kind == event.TreeDeleted && (e.Cause == "expiry" || e.Cause == "close") && w != nil && w.node == e.Path && !w.woken {
		r.move(w, func() { w.lapsed = true })
	}
}

// review looks again at what was not known.
func (r *rounds) review() {
	for w := range r.unfired.unsure {
		r.explain(w)
	}
	for _, round := range r.list {
		r.close(round)
	}
}

// explain says which change woke the client, or will, once that is known.
func (r *rounds) explain(w *wait) {
	change, unsure := r.changes.firedBy(*w.watch)
	if change == nil {
		r.unfired.note(w, unsure)
		return
	}
	r.unfired.remove(w)
	r.move(w, func() { w.change, w.cause = change.number, change.cause })
	if w.outcome != openOutcome {
		r.unexplained = slices.DeleteFunc(r.unexplained, func(other *wait) bool { return other == w })
	}
}

func (r *rounds) applyWait(e *event.Event) {
	switch e.Kind {
	case event.LockWaiting:
		r.end(e.Client, endWasted)
		r.wait(e)
	case event.LockWoken:
		r.woken(e)
	case event.LockAcquired:
		r.end(e.Client, endAcquired)
	case event.LockGaveUp:
		r.end(e.Client, endWasted)
	case event.LockLost:
		if w := r.waits[e.Client]; w != nil && (e.Path == "" || e.Path == w.node) { // else it is told late, of a former znode
			r.end(e.Client, endGone)
		}
	case event.LockReleased:
		r.end(e.Client, endGone)
	default:
		if endsBelief(e) {
			r.end(e.Client, endGone)
		}
	}
}

func (r *rounds) wait(e *event.Event) {
	w := &wait{node: e.Path}
	for _, read := range r.reads[e.Client] {
		if w.watch == nil && e.Kind == event.LockWaiting && read.path != "" && read.path == e.Predecessor {
			w.watch = &read
		}
	}
	r.waits[e.Client] = w
	if w.watch != nil {
		r.explain(w)
	}
}

func (r *rounds) woken(e *event.Event) {
	if w := r.waits[e.Client]; w == nil || w.woken { // it was not told that it waits
		r.end(e.Client, endGone)
		r.wait(e)
	}
	r.wakeups++
	w := r.waits[e.Client]
	r.move(w, func() { w.woken, w.lapsed = true, false })
}

func (r *rounds) end(client int, how outcome) {
	w := r.waits[client]
	if w == nil {
		return
	}
	delete(r.waits, client)
	if w.woken && how == endWasted {
		r.wasted++
	}
	r.move(w, func() { w.outcome = how })
	switch {
	case w.change > 0:
		return
	case !w.woken:
		r.unfired.remove(w)
		return
	}
	if r.unexplained = append(r.unexplained, w); len(r.unexplained) > mostRounds {
		r.unfired.remove(r.unexplained[0])
		r.unexplained = slices.Delete(r.unexplained, 0, 1)
	}
}

// move changes what is known of a wait, and the figures that it is counted in.
func (r *rounds) move(w *wait, change func()) {
	r.tally(w, -1)
	change()
	r.tally(w, 1)
}

func (r *rounds) tally(w *wait, sign int64) {
	if w.change == 0 {
		return
	}
	if w.woken && w.cause != unknownCause {
		r.explained += sign
	}
	if w.woken && w.cause == byJoining {
		r.joining += sign
	}
	i := slices.IndexFunc(r.list, func(round *round) bool { return round.change == w.change })
	if i < 0 {
		return
	}
	round := r.list[i]
	r.reopen(round)
	if w.outcome == openOutcome && !w.lapsed {
		round.open += sign
	}
	if w.woken {
		round.woken += sign
	}
	if w.woken && w.outcome == endWasted {
		round.wasted += sign
	}
	r.close(round)
}

// reopen is for somebody of whom it is known late that the round woke him.
func (r *rounds) reopen(round *round) {
	if !round.complete {
		return
	}
	round.complete = false
	r.sums.Complete--
	r.sums.Wakeups -= round.woken
	r.sums.WastedWakeups -= round.wasted
}

func (r *rounds) close(round *round) {
	if round.complete || round.open > 0 || !r.changes.isPlaced(round.change) {
		return
	}
	round.complete = true
	r.sums.Complete++
	r.sums.Wakeups += round.woken
	r.sums.WastedWakeups += round.wasted
}
