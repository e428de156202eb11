package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Patience is for how many session timeouts a lock may stand still: one until the server
// ends the session of a client that is gone, one for its clock and the client's, and what a
// client takes to connect again.
const Patience = 3

// startup is how long programs may take to begin, a Java machine and a slow computer
// included.
const startup = 20 * time.Second

// leftOut is how often others may acquire while a client that wants the lock never does.
const leftOut = 20

// judgeLive looks for the longest time in which nobody believed and somebody could have
// acquired, and for clients that never do.
func judgeLive(h *history) Finding {
	for _, c := range h.clients {
		for _, e := range c.ended {
			if !e.kept {
				return violated(Live, e.seq, fmt.Sprintf("client %d: %s", c.number, e.why))
			}
		}
	}
	if f, missed := h.faultMissed(Live); missed {
		return f
	}
	for _, free := range h.free() {
		patience := Patience * h.trial.session()
		if free.from == 0 {
			patience = micros(startup)
		}
		if able := h.able(free, patience); len(able) > 0 {
			at := free.from + patience
			if len(h.holds) == 0 {
				return violated(Live, h.stopped.seq, fmt.Sprintf("no client has got the lock in %s", seconds(free.to)))
			}
			return violated(Live, h.seqAt(at), fmt.Sprintf("nobody held from %s to %s, though nothing kept %s from taking the lock%s",
				seconds(free.from), seconds(free.to), clientsNamed(able), h.waitsForNothing(able, at)))
		}
	}
	for _, c := range h.clients {
		if h.trial.impatient(c.number) {
			continue
		}
		if since, others := h.unheld(c); others >= leftOut && h.stopped.at-since > Patience*h.trial.session() {
			return violated(Live, h.stopped.seq, fmt.Sprintf("client %d has not got the lock since %s, while others got it %d times", c.number, seconds(since), others))
		}
	}
	if len(h.holds) == 0 {
		return undecided(Live, fmt.Sprintf("nobody has got the lock in %s", seconds(h.stopped.at)))
	}
	return holds(Live, fmt.Sprintf("%d acquisitions, and the lock never stood still for long", len(h.holds)))
}

// waitsForNothing names what clients wait for without end at an instant: a znode that is gone,
// or each other; empty if they do not.
func (h *history) waitsForNothing(clients []int, at int64) string {
	for _, first := range clients {
		var circle []string
		c := h.clients[first-1]
		for range h.clients {
			n := h.watched(c, at)
			if n == nil || n.session == "" && n.gone.at >= at { // that of no session is nobody's place
				break
			}
			switch {
			case n.gone.at < at:
				return fmt.Sprintf(": client %d watches a znode that is gone", c.number)
			case n.client == c:
				return fmt.Sprintf(": client %d watches a znode of its own", c.number)
			}
			circle = append(circle, fmt.Sprintf("client %d watches the znode of client %d", c.number, n.client.number))
			if c = n.client; c.number == first {
				return ": " + strings.Join(circle, ", and ")
			}
		}
	}
	return ""
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

func clientsNamed(numbers []int) string {
	if len(numbers) == 1 {
		return fmt.Sprintf("client %d", numbers[0])
	}
	text := "clients "
	for i, n := range numbers {
		switch {
		case i == len(numbers)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}
