// Package check reads the log of a run and judges it.
//
// A [Checker] is a fold: it is given the events in order, live or from a
// recording, and keeps for every lane the counters of the [Summary] and one
// fold for each [Check]. [All] lists the checks; each says in a sentence what it
// asserts, and by what evidence.
//
// A verdict is holds, violated or undecided, always with a why that points at
// events. Undecided means that there is no evidence yet, or that the log ends
// before the run did; it is never a pass.
// A verdict that changes comes back from [Checker.Apply] as an event, so that
// it stands in the log at the instant it was reached.
//
// What the releases of a lock have cost it takes from the events that [state] has made:
// see [Follow].
//
// The package imports the event vocabulary, and state, and nothing else of ours: what it
// says about a recording it says about a live run.
package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Check is one property that a lane is judged by: what it is called, what it
// asserts by what evidence, and how it reads the log. To add one, write a file
// like fifo.go: its Check and its fold. The API, the summary, the validation of
// scenarios and the table of playground/scenario/README.md take it from [All].
type Check struct {
	// Name is the check's in a summary, an event and a scenario.
	Name string `json:"name"`
	// Title is the name for people.
	Title string `json:"title"`
	// Sentence says what is asserted, and by what evidence.
	Sentence string `json:"sentence"`
	// Violated says what has happened when it is violated.
	Violated string `json:"violated"`

	order     int                   // in the summary, lowest first
	facts     bool                  // whether it reads what follows from events, and not what was observed
	elsewhere bool                  // whether it reads who watches what, and of znodes outside the queues, too
	beliefs   bool                  // whether it holds only if everybody who may hold tells so
	judges    func(event.Lane) bool // whether the check is for this lane; nil: for every one
	start     func(event.Lane) fold
}

// A fold is a check at work: it reads the events of one lane, in order.
type fold interface {
	// apply looks at the next event of the lane. It keeps nothing but copies of it.
	apply(e *event.Event)
	// verdict answers for all events so far.
	verdict() event.Verdict
	// why gives the reason.
	why() *event.Reason
}

// A relapse is a fold that goes on looking once it is violated. Of the others only the
// first violation is told.
type relapse interface {
	// again returns how many violations came after the first, and the reason of the
	// newest.
	again() (times int64, why *event.Reason)
}

// violations are the reasons of a fold that goes on looking: broken is the first, which
// stays its verdict's.
type violations struct {
	broken *event.Reason
	more   int64
	newest *event.Reason
}

func (v *violations) violate(why *event.Reason) {
	if v.broken == nil {
		v.broken = why
		return
	}
	v.more++
	v.newest = why
}

func (v *violations) again() (int64, *event.Reason) { return v.more, v.newest }

// all is written to only while the package's variables are initialized.
var all []Check

// register adds a check to those that [All] returns.
func register(c Check) Check {
	all = append(all, c)
	return c
}

// All returns every check, in the order of the summary.
func All() []Check {
	return slices.SortedFunc(slices.Values(all), func(a, b Check) int {
		return cmp.Or(a.order-b.order, strings.Compare(a.Name, b.Name))
	})
}

// running is a check at work in one lane.
type running struct {
	Check
	fold
	last  event.Verdict // that was told
	told  int64         // so many violations after the first have been told
	short *event.Reason // why the log ended before the run did; nil if it has not
	doubt *event.Reason // whose belief is not told that it needs; nil if nobody's
}

// anew is why the check is violated anew since the last call; nil if it is not.
func (r *running) anew() *event.Reason {
	f, ok := r.fold.(relapse)
	if !ok {
		return nil
	}
	times, why := f.again()
	if times == r.told {
		return nil
	}
	r.told = times
	return why
}

// verdict is the check's own, but of a log that does not tell everything only a violation
// is believed.
func (r *running) verdict() event.Verdict {
	if verdict := r.fold.verdict(); r.missing() == nil || verdict == event.Violated {
		return verdict
	}
	return event.Undecided
}

func (r *running) why() *event.Reason {
	if missing := r.missing(); missing != nil && r.fold.verdict() != event.Violated {
		return missing
	}
	return r.fold.why()
}

// missing says what the log does not tell; nil if it tells everything.
func (r *running) missing() *event.Reason { return cmp.Or(r.short, r.doubt) }

// startChecks starts the checks that are for this lane.
func startChecks(l event.Lane) []running {
	var started []running
	for _, c := range All() {
		if c.judges == nil || c.judges(l) {
			f := c.start(l)
			started = append(started, running{Check: c, fold: f, last: f.verdict()})
		}
	}
	return started
}
