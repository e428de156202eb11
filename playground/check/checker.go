package check

import "github.com/zkplayground/zkplayground/playground/event"

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
	untold   *untold
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
	return &lane{Lane: l, counters: newCounters(l), checks: startChecks(l), untold: newUntold(l)}
}

// Apply takes the next event of the log and returns the verdicts that it
// changed, as events to be appended.
func (c *Checker) Apply(next event.Event) []event.Event {
	c.events++
	c.event = next
	e := &c.event
	switch e.Kind {
	case event.CheckChanged, event.CheckViolation, event.StateWhole:
		return nil
	case event.WireUndecoded:
		c.undecoded++
	case event.NoteStalled:
		c.stalled += e.For
	case event.NoteStopping:
		c.stopping = true
	}
	if e.Lane != "" {
		lane, ok := c.byName[e.Lane]
		if !ok {
			return nil
		}
		return append(lane.doubt(e), c.applyTo(lane, e)...)
	}
	var changed []event.Event
	for _, lane := range c.lanes {
		changed = append(changed, c.applyTo(lane, e)...)
	}
	return changed
}

func (c *Checker) applyTo(lane *lane, e *event.Event) []event.Event {
	concerns := lane.Concerns(e)
	if concerns && !c.stopping {
		lane.counters.apply(e)
	}
	follows, short := e.Kind.Follows(), endsShort(e)
	var changed []event.Event
	for i := range lane.checks {
		c := &lane.checks[i]
		if follows == c.facts && (concerns || c.elsewhere) || c.elsewhere && e.Watched != nil {
			c.apply(e)
		} else if short == nil {
			continue
		}
		if short != nil {
			c.short = short
		}
		if verdict := c.verdict(); verdict != c.last || short != nil {
			changed = append(changed, c.tell(lane.Name))
		}
		if why := c.anew(); why != nil {
			changed = append(changed, event.Event{Kind: event.CheckViolation, Lane: lane.Name, Check: c.Name, Reason: why})
		}
	}
	return changed
}

// doubt takes an event that may tell of somebody whose belief nobody knows, and returns
// the verdicts that this changes.
func (l *lane) doubt(e *event.Event) []event.Event {
	if !l.untold.apply(e) {
		return nil
	}
	var changed []event.Event
	for i := range l.checks {
		c := &l.checks[i]
		if !c.beliefs {
			continue
		}
		c.doubt = l.untold.why()
		if c.short == nil && c.fold.verdict() != event.Violated {
			changed = append(changed, c.tell(l.Name))
		}
	}
	return changed
}

// tell is the check's verdict now.
func (r *running) tell(lane string) event.Event {
	r.last = r.verdict()
	return event.Event{Kind: event.CheckChanged, Lane: lane, Check: r.Name, Verdict: r.last, Reason: r.why()}
}

var logEnds = event.NewCode("log-ends", "the log ends with event {event}, before the run did: {error}")

// endsShort says why the log ends with e before the run does; nil if it does not.
func endsShort(e *event.Event) *event.Reason {
	if e.Kind != event.NoteTruncated || e.Err == "" {
		return nil
	}
	return logEnds.With(e.Seq, e.Err)
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
