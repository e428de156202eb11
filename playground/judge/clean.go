package judge

import (
	"path"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// mostWatches is how many watches a client may leave behind on the server.
const mostWatches = 20

func judgeClean(h *history) Finding {
	for _, n := range h.znodes {
		if other, since := h.orphan(n); other != nil {
			return violated(Clean, other.made.seq, hadTwo.With(n.client.number, path.Base(n.path), path.Base(other.path), since))
		}
	}
	for _, c := range h.clients {
		for _, e := range c.ended {
			if e.kept && len(h.trial.Faults) == 0 {
				return violated(Clean, e.seq, leftSession.With(c.number, e.why))
			}
		}
		if n := len(c.watching(h.stopped.at)); n > mostWatches {
			return violated(Clean, h.stopped.seq, leftWatches.With(c.number, n))
		}
	}
	return holds(Clean, leftNothing.With())
}

// orphan returns the znode that a client made while another one of its was left, for longer
// than the server takes to end a session; nil if it did not.
func (h *history) orphan(n *znode) (other *znode, since int64) {
	for _, m := range h.znodes {
		if m.client != n.client || m.made.at <= n.made.at || m.made.at >= n.gone.at || m.flags != n.flags || role(m.path) != role(n.path) {
			continue
		}
		both := h.unimpeded(n.client, span{m.made.at, min(n.gone.at, h.stopped.at)})
		if both.to-both.from > (Patience-1)*h.trial.session()+h.stalled(both) {
			return m, m.made.at
		}
	}
	return nil, 0
}

// role is what a znode is for, as far as its path tells: its directory, and the word before the
// number, none where that is an id. A client may have a znode for its place in the queue, and
// others that say that it lives, or that it holds.
func role(node string) string {
	name := strings.TrimRight(path.Base(node), "0123456789-_")
	if i := strings.LastIndexAny(name, "-_"); i >= 0 {
		name = name[i+1:]
	}
	if strings.ContainsAny(name, "0123456789") {
		name = ""
	}
	return path.Dir(node) + "/" + name
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

var (
	hadTwo      = event.NewCode("had-two", "{client} left its znode {znode} in the queue and made another one, {znode other}: from {instant} on it had two")
	leftSession = event.NewCode("left-session", "{client} was asked to end, and left its session to time out: {reason}")
	leftWatches = event.NewCode("left-watches", "{client} had {count} watches on the server in the end")
	leftNothing = event.NewCode("left-nothing", "no client had two znodes in the queue for long, left its session open, or let watches pile up")
)
