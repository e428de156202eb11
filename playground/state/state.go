package state

import (
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A State follows the events of one run. It is not safe for concurrent use.
type State struct {
	lanes    []*lane
	byName   map[string]*lane
	stopping bool
	event    event.Event // being applied: it is large, and what follows from it keeps no part of it
}

// A lane is what follows in one lane of the run.
type lane struct {
	event.Lane
	directories Directories
	watches     watches
	account     *account
	locks       []*lock // one a directory
}

// A lock is what follows in one lock directory.
type lock struct {
	costs   *costs
	beliefs *beliefs
	queue   *queue
}

// New returns the state of the run described, before its first event.
func New(run event.Run) *State {
	s := &State{byName: make(map[string]*lane)}
	for _, described := range run.Lanes {
		l := &lane{Lane: described, directories: described.Directories(), watches: newWatches(described.Name), account: newAccount()}
		for range l.directories {
			l.locks = append(l.locks, &lock{costs: newCosts(described.Clients), beliefs: newBeliefs(described.MostHolders()),
				queue: newQueue(described)})
		}
		s.lanes = append(s.lanes, l)
		s.byName[l.Name] = l
	}
	return s
}

// Apply takes the next event of the log and returns what follows from it, as events to be
// appended right after it. From those, and from what checks find, nothing follows.
func (s *State) Apply(next event.Event) []event.Event {
	if next.Kind.Follows() {
		return nil
	}
	s.event = next
	e := &s.event
	if e.Kind == event.NoteStopping {
		s.stopping = true
	}
	if e.Lane == "" {
		var facts []event.Event
		for _, l := range s.lanes {
			facts = l.apply(facts, e, s.stopping)
		}
		return facts
	}
	if l, ok := s.byName[e.Lane]; ok {
		return l.apply(nil, e, s.stopping)
	}
	return nil
}

// apply adds to facts what follows from an event of the lane or of the whole run. What
// clients do to end costs nobody anything.
func (l *lane) apply(facts []event.Event, e *event.Event, stopping bool) []event.Event {
	facts = l.watches.apply(facts, e)
	if !l.Concerns(e) {
		return facts
	}
	isFrame := strings.HasPrefix(string(e.Kind), "wire.")
	if !isFrame {
		facts = l.account.apply(facts, e, l.Name)
	}
	one := l.directories.Of(e)
	for i, lock := range l.locks {
		if one >= 0 && i != one {
			continue
		}
		if !isFrame {
			facts = lock.beliefs.apply(facts, e, l.Name, l.directories[i])
		}
		if !isFrame && !stopping {
			facts = lock.queue.apply(facts, e, l.Name, l.directories[i])
		}
		if !stopping {
			facts = lock.costs.apply(facts, e, l.Name, l.directories[i])
		}
	}
	return facts
}
