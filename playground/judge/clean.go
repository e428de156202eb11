package judge

import (
	"fmt"
	"path"
	"slices"
)

// mostWatches is how many watches a client may leave behind on the server.
const mostWatches = 20

func judgeClean(h *history) Finding {
	for _, n := range h.znodes {
		if other, since := h.orphan(n); other != nil {
			return violated(Clean, other.made.seq, fmt.Sprintf("client %d left its znode %s in the queue and made another one, %s: from %s on it had two",
				n.client.number, path.Base(n.path), path.Base(other.path), seconds(since)))
		}
	}
	for _, c := range h.clients {
		for _, e := range c.ended {
			if e.kept && len(h.trial.Faults) == 0 {
				return violated(Clean, e.seq, fmt.Sprintf("client %d was asked to end, and left its session to time out: %s", c.number, e.why))
			}
		}
		if n := len(c.watching(h.stopped.at)); n > mostWatches {
			return violated(Clean, h.stopped.seq, fmt.Sprintf("client %d had %d watches on the server in the end", c.number, n))
		}
	}
	return holds(Clean, "no client had two znodes in the queue for long, left its session open, or let watches pile up")
}

// orphan returns the znode that a client made while another one of its was left, for longer
// than the server takes to end a session; nil if it did not.
func (h *history) orphan(n *znode) (other *znode, since int64) {
	for _, m := range h.znodes {
		if m.client != n.client || m.made.at <= n.made.at || m.made.at >= n.gone.at {
			continue
		}
		both := h.unimpeded(n.client, span{m.made.at, min(n.gone.at, h.stopped.at)})
		if both.to-both.from > (Patience-1)*h.trial.session()+h.stalled(both) {
			return m, m.made.at
		}
	}
	return nil, 0
}

// unimpeded is the part of a time after which a client was paused or cut off no more, and no
// servers were broken.
func (h *history) unimpeded(c *contender, s span) span {
	for _, wrong := range slices.Concat(c.paused, c.cut, h.servers, h.away) {
		if wrong.from < s.to && wrong.to > s.from {
			s.from = min(wrong.to, s.to)
		}
	}
	return s
}
