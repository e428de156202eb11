package judge

import (
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// What not every lock claims. A trial that judges a claim is done only when it is named.
const (
	Shared Property = "shared"
	Timely Property = "timely"
	Fenced Property = "fenced"
)

// claims are those properties, and the trials that judge them.
var claims = []Property{Shared, Timely, Fenced}

var claimTrials = []Trial{
	{Name: "readers-together", Sentence: "Several clients ask to read at once: they are to hold the lock together.", Asks: []Property{Safe, Live, Shared},
		Scenario: withReaders(plan(5, brisk))},
	{Name: "deadline", Sentence: "A client has a deadline that is far shorter than its turn is away: it is to leave the queue by then.", Asks: []Property{Safe, Live, Clean, Timely},
		Scenario: withImpatient(plan(3, unhurried), 2)},
	{Name: "tokens", Sentence: "Clients crash and are started again: each new token is to be higher than all before.", Asks: []Property{Safe, Live, Fenced}, Scenario: plan(3, steady),
		Faults: []Fault{fault("crash", 1, time.Second), fault("crash", 2, time.Second), fault("start-again", anyGone, 2*time.Second)}},
}

// lateness is how late an attempt with a deadline may end on a machine that does other
// things as well. In the trial, a turn is farther away than that.
const lateness = 3 * time.Second

// judgeShared looks for two clients that read at once.
func judgeShared(h *history) Finding {
	reads := 0
	var last *hold
	for i, x := range h.holds {
		if !x.read {
			continue
		}
		reads++
		last = x
		for _, earlier := range h.holds[:i] {
			if earlier.read && earlier.client != x.client && earlier.to > x.began.at {
				return holds(Shared, readTogether.With([]int{earlier.client.number, x.client.number}, x.began.at))
			}
		}
	}
	if reads < 2*len(h.clients) {
		return undecided(Shared, fewReads.With(reads))
	}
	return violated(Shared, last.began.seq, neverReadTogether.With(reads))
}

// judgeTimely looks at each attempt with a deadline: it must end by then, with or without
// the lock.
func judgeTimely(h *history) Finding {
	attempts := 0
	for _, c := range h.clients {
		limit := h.trial.limit(c.number)
		if limit == 0 {
			continue
		}
		for _, x := range c.attempts {
			attempts++
			if until := min(x.to, h.stopped.at); until-x.from > micros(limit+lateness)+h.stalled(span{x.from, until}) {
				return violated(Timely, x.seq, waitedTooLong.With(c.number, limit, x.from, until))
			}
		}
	}
	if attempts < 2 {
		return undecided(Timely, fewDeadlines.With(attempts))
	}
	return holds(Timely, endedInTime.With(attempts))
}

// judgeFenced wants a token at each acquisition to write.
func judgeFenced(h *history) Finding {
	for _, x := range h.holds {
		if !x.read && x.token == 0 {
			return violated(Fenced, x.began.seq, withoutToken.With(x.client.number, x.began.at))
		}
	}
	if why, seq := h.fallingToken(); why != nil {
		return violated(Fenced, seq, why)
	}
	if len(h.holds) < 2 {
		return undecided(Fenced, fewAcquisitions.With(len(h.holds)))
	}
	return holds(Fenced, tokensGrow.With(len(h.holds)))
}

var (
	readTogether      = event.NewCode("read-together", "{clients} read together from {instant} on")
	fewReads          = event.NewCode("few-reads", "{count} acquisition to read is too few to tell|{count} acquisitions to read are too few to tell")
	neverReadTogether = event.NewCode("never-read-together", "clients got the lock {count} times to read, and never two of them at once")
	waitedTooLong     = event.NewCode("waited-too-long", "{client} was to give up after {span limit}, and waited from {instant from} to {instant to}")
	fewDeadlines      = event.NewCode("few-deadlines", "{count} attempt with a deadline is too few to tell|{count} attempts with a deadline are too few to tell")
	endedInTime       = event.NewCode("ended-in-time", "{count} attempts with a deadline, and each ended by then")
	withoutToken      = event.NewCode("without-token", "{client} got the lock at {instant} without a token")
	tokensGrow        = event.NewCode("tokens-grow", "{count} acquisitions, each with a token that is higher than all before")
)
