package judge

import (
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// Patience is for how many session timeouts a lock may stand still: one until the server
// ends the session of a client that is gone, one for its clock and the client's, and what a
// client takes to connect again.
const Patience = 3

// startup is how long programs may take until one has a session, and how long from there
// until one has the lock for the first time, a Java machine and a slow computer included.
const startup = 20 * time.Second

// leftOut is how often others may acquire while a client that wants the lock never does.
const leftOut = 20

// judgeLive looks for the longest time in which nobody believed and somebody could have
// acquired, and for clients that never do.
func judgeLive(h *history) Finding {
	for _, c := range h.clients {
		for _, e := range c.ended {
			if !e.kept {
				return violated(Live, e.seq, itsProgram.With(c.number, e.why))
			}
		}
	}
	for _, free := range h.free() {
		patience := Patience * h.trial.session()
		if free.from == 0 {
			free.from, patience = h.opened, micros(startup)
		}
		if able := h.able(free, patience); len(able) > 0 {
			at := free.from + patience
			why, seq := stoodStill.With(free.from, free.to, able), h.seqAt(at)
			if len(h.holds) == 0 {
				why, seq = nobodyIn.With(free.to), h.stopped.seq
			}
			if waits := h.waitsForNothing(able, at); waits != nil {
				why = stoodStillAs.With(why, waits)
			}
			return violated(Live, seq, why)
		}
	}
	for _, c := range h.clients {
		if h.trial.impatient(c.number) {
			continue
		}
		if since, others := h.unheld(c); others >= leftOut && h.stopped.at-since > Patience*h.trial.session() {
			return violated(Live, h.stopped.seq, isLeftOut.With(c.number, since, others))
		}
	}
	if len(h.holds) == 0 {
		return undecided(Live, nobodyIn.With(h.stopped.at))
	}
	return holds(Live, neverStill.With(len(h.holds)))
}

// waitsForNothing names what clients wait for without end at an instant: a znode that is gone,
// or each other; nil if they do not.
func (h *history) waitsForNothing(clients []int, at int64) []*event.Reason {
	for _, first := range clients {
		var circle []*event.Reason
		c := h.clients[first-1]
		for range h.clients {
			n := h.watched(c, at)
			if n == nil || n.session == "" && n.gone.at >= at { // that of no session is nobody's place
				break
			}
			switch {
			case n.gone.at < at:
				return []*event.Reason{watchesGone.With(c.number)}
			case n.client == c:
				return []*event.Reason{watchesOwn.With(c.number)}
			}
			circle = append(circle, watchesOther.With(c.number, n.client.number))
			if c = n.client; c.number == first {
				return circle
			}
		}
	}
	return nil
}

// watched is the znode in the queue that a client has watched last, and still does; nil for
// none.
func (h *history) watched(c *contender, at int64) (found *znode) {
	all := c.watching(at)
	if len(all) == 0 {
		return nil
	}
	for _, n := range h.znodes {
		if n.path == all[len(all)-1].path && n.made.at <= at {
			found = n
		}
	}
	return found
}

// watching are the watches of a client at an instant.
func (c *contender) watching(at int64) []watch {
	return slices.DeleteFunc(slices.Clone(c.watches), func(w watch) bool { return w.set.from > at || w.set.to <= at })
}

// free are the times in which nobody believed that it held, up to the end.
func (h *history) free() []span {
	var all []span
	from := int64(0)
	sorted := slices.Clone(h.holds)
	slices.SortFunc(sorted, func(a, b *hold) int { return int(a.began.at - b.began.at) })
	for _, x := range sorted {
		if x.began.at > from {
			all = append(all, span{from, x.began.at})
		}
		from = max(from, min(x.to, h.stopped.at))
	}
	if from < h.stopped.at {
		all = append(all, span{from, h.stopped.at})
	}
	return all
}

// able are the clients that could have acquired in a time: for so long, nothing was wrong
// with them or with the servers.
func (h *history) able(s span, patience int64) []int {
	var able []int
	for _, c := range h.clients {
		if !slices.ContainsFunc(c.alive, func(life span) bool { return life.to >= s.to }) {
			continue // its process is gone
		}
		from := h.unimpeded(c, s).from
		for _, life := range c.alive {
			if life.from > from && life.from < s.to {
				from = life.from
			}
		}
		if s.to-from > patience+h.stalled(span{from, s.to}) {
			able = append(able, c.number)
		}
	}
	return able
}

// unheld is since when a client that lives has not acquired, and how often others have.
func (h *history) unheld(c *contender) (since int64, others int) {
	life := c.alive[len(c.alive)-1]
	if life.to < unending {
		return h.stopped.at, 0
	}
	since = life.from
	for _, x := range h.holds {
		if x.client == c && x.began.at > since {
			since = min(x.to, h.stopped.at)
		}
	}
	for _, wrong := range slices.Concat(c.paused, c.cut, h.servers, h.away) {
		since = max(since, min(wrong.to, h.stopped.at))
	}
	for _, x := range h.holds {
		if x.client != c && x.began.at > since {
			others++
		}
	}
	return since, others
}

// seqAt is the last event up to an instant, to show.
func (h *history) seqAt(at int64) int64 {
	next, _ := slices.BinarySearch(h.times, at+1)
	return int64(max(next, 1))
}

var (
	itsProgram   = event.NewCode("its-program", "{client}: {reason}")
	nobodyIn     = event.NewCode("nobody-in", "nobody has got the lock in {instant}")
	stoodStill   = event.NewCode("stood-still", "nobody held from {instant from} to {instant to}, though nothing kept {clients} from taking the lock")
	stoodStillAs = event.NewCode("stood-still-as", "{reason}: {list waits}")
	watchesGone  = event.NewCode("watches-gone", "{client} watches a znode that is gone")
	watchesOwn   = event.NewCode("watches-own", "{client} watches a znode of its own")
	watchesOther = event.NewCode("watches-other", "{client} watches the znode of {client other}")
	isLeftOut    = event.NewCode("is-left-out", "{client} has not got the lock since {instant}, while others got it {times} times")
	neverStill   = event.NewCode("never-still", "{count} acquisitions, and the lock never stood still for long")
)
