package check

import (
	"fmt"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Checker folds the events of one run. It is not safe for concurrent use.
type Checker struct {
	run       event.Run
	events    int64
	undecoded int64
	stopping  bool
	lanes     []*lane
	byName    map[string]*lane
	event     event.Event // being applied: judges share it, because it is large
}

// A lane is what the checker knows about one lane of the run.
type lane struct {
	event.Lane
	counters counters
	judges   []judge
	verdicts []event.Verdict // the last answer of each judge
}

// A judge decides one property of one lane.
type judge interface {
	// name is the check's, as it stands in the summary.
	name() string
	// apply looks at the next event of the lane. It keeps nothing but copies of it.
	apply(e *event.Event)
	// verdict answers for all events so far.
	verdict() event.Verdict
	// why gives the reason, as a sentence.
	why() string
}

// New returns a checker for the run described.
func New(run event.Run) *Checker {
	c := &Checker{run: run, byName: make(map[string]*lane)}
	for _, l := range run.Lanes {
		lane := newLane(l)
		c.lanes = append(c.lanes, lane)
		c.byName[l.Name] = lane
	}
	return c
}

// newJudges returns the judges of a lane. To add one, give it a line here.
func newJudges(l event.Lane) []judge {
	judges := []judge{newExclusion(), newBelief(), newFifo(), newOrphans(), &decoded{}, newProgress()}
	if l.Account != "" {
		judges = append(judges, newAccount())
	}
	return judges
}

// Names returns the names of the checks, in the order of the summary. Not every
// lane has the last: it needs an account.
func Names() []string {
	var names []string
	for _, j := range newJudges(event.Lane{Account: "any"}) {
		names = append(names, j.name())
	}
	return names
}

func newLane(l event.Lane) *lane {
	lane := &lane{Lane: l, counters: newCounters(), judges: newJudges(l)}
	for _, j := range lane.judges {
		lane.verdicts = append(lane.verdicts, j.verdict())
	}
	return lane
}

// Apply takes the next event of the log and returns the verdicts that it
// changed, as events to be appended. Events of kind check.changed change nothing.
func (c *Checker) Apply(next event.Event) []event.Event {
	c.events++
	c.event = next
	e := &c.event
	switch e.Kind {
	case event.CheckChanged:
		return nil
	case event.WireUndecoded:
		c.undecoded++
	case event.NoteStopping:
		c.stopping = true
	}
	if e.Lane != "" {
		if lane, ok := c.byName[e.Lane]; ok {
			return c.applyTo(lane, e)
		}
		return nil
	}
	var changed []event.Event
	for _, lane := range c.lanes {
		changed = append(changed, c.applyTo(lane, e)...)
	}
	return changed
}

func (c *Checker) applyTo(lane *lane, e *event.Event) []event.Event {
	if !c.stopping {
		lane.counters.apply(e)
	}
	var changed []event.Event
	for i, j := range lane.judges {
		j.apply(e)
		if verdict := j.verdict(); verdict != lane.verdicts[i] {
			lane.verdicts[i] = verdict
			changed = append(changed, event.Event{Kind: event.CheckChanged, Lane: lane.Name,
				Check: j.name(), Verdict: verdict, Why: j.why()})
		}
	}
	return changed
}

// times counts things for humans.
func times(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// judged is the rule that all judges share: a violation stays, and without
// evidence nothing holds.
func judged(violated, evidence bool) event.Verdict {
	switch {
	case violated:
		return event.Violated
	case evidence:
		return event.Holds
	default:
		return event.Undecided
	}
}
