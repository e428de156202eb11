package judge

import (
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// Grace is how long a client may take to learn what it could know: for the messages to
// reach its code, and for that to say so, on a machine that does other things as well.
const Grace = time.Second

// tolerance is for what a client says while another one's word is on its way, too.
const tolerance = 50 * time.Millisecond

// judgeSafe looks at each two holds that exclude each other: the earlier one must end
// before its client could know better.
func judgeSafe(h *history) Finding {
	for i, later := range h.holds {
		for _, earlier := range h.holds[:i] {
			if !earlier.excludes(later) || earlier.to <= later.began.at {
				continue
			}
			deadline, why := h.couldKnow(earlier, later.began.at)
			until := min(earlier.to, later.to, h.stopped.at)
			if until > deadline+earlier.late() {
				return violated(Safe, later.began.seq, bothHeld.With([]int{earlier.client.number, later.client.number}, later.began.at, until,
					[]*event.Reason{heldBy.With(earlier.client.number, earlier.began.at, why), h.heldSince(later)}))
			}
		}
	}
	if why, seq := h.fallingToken(); why != nil {
		return violated(Safe, seq, why)
	}
	if len(h.holds) < 2 {
		return undecided(Safe, fewAcquisitions.With(len(h.holds)))
	}
	return holds(Safe, neverBoth.With(len(h.holds)))
}

// late is how late the end of a hold may be told. A release is told before its program is
// asked for it, so that nobody can have the lock by then.
func (x *hold) late() int64 {
	if x.end == string(event.LockReleased) {
		return 0
	}
	return micros(tolerance)
}

// fallingToken looks whether tokens fence, where there are any: each acquisition to write has
// one that is higher than all before, or that of the hold before which its session takes up
// again. It returns nil if so.
func (h *history) fallingToken() (why *event.Reason, seq int64) {
	var highest *hold
	for _, x := range h.holds {
		if x.token == 0 || x.read {
			continue
		}
		if highest != nil && (x.token < highest.token || x.token == highest.token && x.session != highest.session) {
			return noFence.With(x.client.number, x.began.at, x.token, highest.client.number, highest.token), x.began.seq
		}
		highest = x
	}
	return nil, 0
}

// heldSince tells of a hold, and of its znode if that was gone before it began.
func (h *history) heldSince(x *hold) *event.Reason {
	if n := h.znodeOf(x); n != nil && n.gone.at < x.began.at-micros(tolerance) {
		return heldBy.With(x.client.number, x.began.at, byGone.With())
	}
	return heldOnly.With(x.client.number, x.began.at)
}

// couldKnow is until when the client of a hold may believe in it though another one has
// acquired at an instant, and why no longer.
func (h *history) couldKnow(x *hold, other int64) (deadline int64, why *event.Reason) {
	n := h.znodeOf(x)
	gone, ended := h.sessionEnd(x)
	ended = ended && gone <= other+micros(Grace) // what is told of it may be late
	grace := true                                // it learns that by a message, or by time
	switch {
	case n == nil && ended:
		deadline, why = h.afterExpiry(x, gone)
	case n == nil:
		deadline, why, grace = other, byUnknown.With(), false
	case n.session != "" && n.session != x.session && !x.several:
		return other, byOldSession.With()
	case n.gone.at > other+micros(Grace), n.by == 0 && (n.cause == "client" || n.cause == "close") && n.gone.at >= x.to: // what is told of it may be late
		return other, byThere.With()
	case n.cause == "expiry":
		deadline, why = h.afterExpiry(x, n.gone.at)
	case n.cause == "outsider" && n.gone.at < x.looked:
		return other, byUnseen.With()
	case n.cause == "outsider":
		deadline, why = n.gone.at+h.trial.session(), thoughDeleted.With()
		if x.notified > 0 {
			deadline = x.notified
		}
	case n.cause == "close":
		return other, byClosed.With()
	case n.by == 0:
		return other, byOwnDeleted.With()
	case n.session == "" && ended: // others clear away what a session leaves
		deadline, why = h.afterExpiry(x, gone)
	default:
		deadline, why, grace = other, byDeleted.With(n.by), false
	}
	if grace {
		deadline = h.later(deadline, micros(Grace)+h.stalled(span{deadline - h.trial.session(), deadline}))
	}
	for _, s := range x.client.paused { // a process that stands still cannot know
		if s.from <= deadline && s.to > other {
			deadline = max(deadline, min(s.to, unending/2)+micros(Grace))
		}
	}
	return deadline, why
}

// znodeOf is the znode by which a client holds, as it was then; nil if that is not known. It
// is the newest in the directory that the client has made in the queue, if that is one, and
// the newest ephemeral one if the client has made none in the queue.
func (h *history) znodeOf(x *hold) *znode {
	var found *znode
	for _, n := range h.znodes {
		its := n.path == x.path || x.path != "" && strings.HasPrefix(n.path, x.path+"/") || x.path == "" && n.session != "" && n.gone.at > x.began.at
		if its && n.client == x.client && n.made.at <= x.began.at+micros(tolerance) {
			found = n
		}
	}
	return found
}

// sessionEnd is when the session of a hold ended at the server, as far as a znode of it,
// or a refusal, shows.
func (h *history) sessionEnd(x *hold) (at int64, ended bool) {
	for _, n := range h.znodes {
		if n.session == x.session && n.cause == "expiry" {
			return n.gone.at, true
		}
	}
	for _, r := range x.client.refused {
		if r.at >= x.began.at {
			return r.at, true
		}
	}
	return 0, false
}

// afterExpiry is when a client can know that its session has ended at the server at an
// instant: when the server says so, or when it has heard nothing for the session timeout.
func (h *history) afterExpiry(x *hold, gone int64) (deadline int64, why *event.Reason) {
	told := unending
	for _, r := range x.client.refused {
		if r.at >= x.began.at {
			told = r.at
			break
		}
	}
	heard := x.began.at
	for _, at := range x.client.received {
		if at <= told && at-heard <= h.trial.session() {
			heard = max(heard, at)
		}
	}
	silent := heard + h.trial.session()
	if told < silent {
		return max(gone, told), thoughTold.With()
	}
	return max(gone, silent), thoughSilent.With(time.Duration(h.trial.Scenario.Session))
}

// find is what the history says of a property. Where a fault of the trial did not come,
// nothing has been tried that could hold.
func (h *history) find(p Property) Finding {
	f := judges[p](h)
	if f.Verdict == event.Holds && h.missed != nil {
		return undecided(p, faultMissed.With(h.missed))
	}
	return f
}

var (
	bothHeld    = event.NewCode("both-held", "{clients} both believed that they held, from {instant from} to {instant to}: {parts each}")
	heldBy      = event.NewCode("held-by", "{client} since {instant}, {reason}")
	heldOnly    = event.NewCode("held-since", "{client} since {instant}")
	neverBoth   = event.NewCode("never-both", "{count} acquisitions, never two clients that both believed that they held for longer than the session allows")
	noFence     = event.NewCode("no-fence", "{client} got the lock at {instant} with the token {token}, which is no fence: {client other} had had {highest} before")
	faultMissed = event.NewCode("fault-missed", "the trial's fault did not come: {reason}")
)

// By what a client held, though it had no right to.
var (
	byUnknown     = event.NewCode("by-unknown", "by no znode that is known")
	byOldSession  = event.NewCode("by-old-session", "by a znode of a session that was not its own any more")
	byThere       = event.NewCode("by-there", "by a znode that was still there")
	byGone        = event.NewCode("by-gone", "by a znode that was gone")
	byUnseen      = event.NewCode("by-unseen", "by a znode that an operator had deleted before it last looked")
	byClosed      = event.NewCode("by-closed", "by a znode that went with a session which it had closed itself")
	byOwnDeleted  = event.NewCode("by-own-deleted", "by a znode that it had deleted itself")
	byDeleted     = event.NewCode("by-deleted", "by a znode that {client} had deleted")
	thoughDeleted = event.NewCode("though-deleted", "though an operator had deleted its znode")
	thoughTold    = event.NewCode("though-told", "though the server had told it that its session had expired")
	thoughSilent  = event.NewCode("though-silent", "though its session had expired, and it had heard nothing for the session timeout of {span}")
)
