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
	stalled   int64 // in milliseconds
	stopping  bool
	lanes     []*lane
	byName    map[string]*lane
	event     event.Event // being applied: folds share it, because it is large
}

// A lane is what the checker knows about one lane of the run.
type lane struct {
	event.Lane
	counters counters
	checks   []running
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

func newLane(l event.Lane) *lane {
	return &lane{Lane: l, counters: newCounters(l), checks: startChecks(l)}
}

// Apply takes the next event of the log and returns the verdicts that it
// changed, as events to be appended. Events of kind check.* change nothing.
func (c *Checker) Apply(next event.Event) []event.Event {
	c.events++
	c.event = next
	e := &c.event
	switch e.Kind {
	case event.CheckChanged, event.CheckViolation:
		return nil
	case event.WireUndecoded:
		c.undecoded++
	case event.NoteStalled:
		c.stalled += e.For
	case event.NoteStopping:
		c.stopping = true
	}
	if e.Lane != "" {
		if lane, ok := c.byName[e.Lane]; ok && lane.Concerns(e) {
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
	short := endsShort(e)
	var changed []event.Event
	for i := range lane.checks {
		c := &lane.checks[i]
		c.apply(e)
		if short != "" {
			c.short = short
		}
		if verdict := c.verdict(); verdict != c.last || short != "" {
			c.last = verdict
			changed = append(changed, event.Event{Kind: event.CheckChanged, Lane: lane.Name,
				Check: c.Name, Verdict: verdict, Why: c.why()})
		}
		if why := c.anew(); why != "" {
			changed = append(changed, event.Event{Kind: event.CheckViolation, Lane: lane.Name, Check: c.Name, Why: why})
		}
	}
	return changed
}

// endsShort says why the log ends with e before the run does; empty if it does not.
func endsShort(e *event.Event) string {
	if e.Kind != event.NoteTruncated || e.Err == "" {
		return ""
	}
	return fmt.Sprintf("the log ends with event %d, before the run did: %s", e.Seq, e.Err)
}

// times counts things for humans.
func times(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// participant names a client, or a guest by a number above those of the clients.
func participant(number, clients int) string {
	if number > clients {
		return fmt.Sprintf("guest %d", number)
	}
	return fmt.Sprintf("client %d", number)
}

// judged is the rule that all checks share: a violation stays, and without
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
