package judge

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// passes is how often the same client may pass another one that waits. In a queue none
// does; what is told of two clients at once may be told in another order.
const passes = 2

// judgeFair looks at each wait, from the instant at which a client stands in the queue,
// watches what it waits for, or was refused a znode, to its next hold: how often did another
// one acquire meanwhile?
func judgeFair(h *history) Finding {
	waits := 0
	for _, c := range h.clients {
		for _, x := range c.waits(h) {
			waits++
			passed := make(map[*contender]int)
			for _, other := range h.holds {
				if other.client == c || other.read || other.began.at <= x.from || other.began.at >= x.to {
					continue
				}
				if passed[other.client]++; passed[other.client] > passes {
					return violated(Fair, other.began.seq, passedAgain.With(c.number, x.from, other.client.number, passed[other.client]))
				}
			}
		}
	}
	if waits < 2*len(h.clients) {
		return undecided(Fair, fewWaits.With(waits))
	}
	return holds(Fair, inTurn.With(waits, passes))
}

// waits are the client's, each up to the hold that ended it, to the end of its process, or
// to the end of all.
func (c *contender) waits(h *history) []span {
	var all []span
	from := int64(-1) // since it waits; -1 while it does not
	next := 0
	for _, x := range append(holdsOf(h, c), &hold{began: instant{at: h.stopped.at}, to: unending}) {
		for ; next < len(c.queued) && c.queued[next].at < x.began.at; next++ {
			if h.outlasts(c.queued[next].path, x) {
				continue // it says that it lives, or the like
			}
			if from < 0 || h.expired(c, span{from, c.queued[next].at}) { // then it has queued up anew
				from = c.queued[next].at
			}
		}
		if from >= 0 {
			all = append(all, span{from, min(x.began.at, c.livesTo(from))})
		}
		from = -1
		for ; next < len(c.queued) && c.queued[next].at <= x.to; next++ { // of the hold itself
		}
	}
	return all
}

// outlasts says whether a znode of a client is left when a hold is over.
func (h *history) outlasts(node string, x *hold) bool {
	return slices.ContainsFunc(h.znodes, func(n *znode) bool {
		return n.path == node && n.client == x.client && n.made.at < x.began.at && x.to < unending && n.gone.at > x.to+micros(Grace)
	})
}

// expired says whether the server ended a session of the client, with a znode in the queue.
func (h *history) expired(c *contender, s span) bool {
	return slices.ContainsFunc(h.znodes, func(n *znode) bool {
		return n.client == c && n.cause == "expiry" && n.gone.at >= s.from && n.gone.at <= s.to
	})
}

// livesTo is the end of the process that the client has at an instant.
func (c *contender) livesTo(at int64) int64 {
	for _, life := range c.alive {
		if life.to > at {
			return life.to
		}
	}
	return at
}

func holdsOf(h *history, c *contender) []*hold {
	var all []*hold
	for _, x := range h.holds {
		if x.client == c {
			all = append(all, x)
		}
	}
	return all
}

var (
	passedAgain = event.NewCode("passed-again", "{client} waited from {instant} on while {client other} got the lock {times} times")
	fewWaits    = event.NewCode("few-waits", "{count} wait is too few to tell|{count} waits are too few to tell")
	inTurn      = event.NewCode("in-turn", "{count} waits, and nobody was passed by the same client more than {times} times")
)
