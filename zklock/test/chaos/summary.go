package chaos

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Counts are what a workload has met beside its acquisitions.
type Counts struct {
	// Calls of Lock that returned no lease: the caller's time was over, a try
	// found the lock held, or the session was lost.
	GaveUp, Held, SessionLost int64
	// Uses of a register that its guard refused, and those whose reply was lost.
	Refused, Unknown int64
	// Other are the errors of Lock that nobody expects.
	Other []error
}

// A counter counts for several workers at a time.
type counter struct {
	mu     sync.Mutex
	counts Counts
}

func (c *counter) note(count func(*Counts)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	count(&c.counts)
}

// A Summary adds up rounds.
type Summary struct {
	Rounds       int
	Acquisitions int
	Faults       map[FaultKind]int
	// Announced and Late are the leases that did not last until Unlock: those
	// that ended in time, and those that were seen held when their znode was
	// gone. Of these, Expired were closed by force, Stalled fell into a time in
	// which the process stood still, and the others are violations.
	Announced, Late, Expired, Stalled int
	// Still is how long the process stood still.
	Still      time.Duration
	Counts     Counts
	Violations int
	Orphans    int
}

// Add adds a round.
func (s *Summary) Add(r Result) {
	s.Rounds++
	s.Acquisitions += len(r.Record.Acquisitions)
	s.Violations += len(r.Violations)
	s.Orphans += len(r.Orphans)
	s.addFaults(r.Record.Faults)
	s.addLeases(r.Record)
	for _, stall := range r.Record.Stalls {
		s.Still += stall.To - stall.From
	}
	s.Counts.add(r.Counts)
}

func (s *Summary) addFaults(faults []Fault) {
	if s.Faults == nil {
		s.Faults = make(map[FaultKind]int)
	}
	for _, f := range faults {
		s.Faults[f.Kind]++
	}
}

func (s *Summary) addLeases(r Record) {
	for i := range r.Acquisitions {
		a := &r.Acquisitions[i]
		switch {
		case a.late() && r.expired(a):
			s.Late, s.Expired = s.Late+1, s.Expired+1
		case a.late() && r.stalled(a):
			s.Late, s.Stalled = s.Late+1, s.Stalled+1
		case a.late():
			s.Late++
		case a.Lost:
			s.Announced++
		}
	}
}

func (c *Counts) add(o Counts) {
	c.GaveUp += o.GaveUp
	c.Held += o.Held
	c.SessionLost += o.SessionLost
	c.Other = append(c.Other, o.Other...)
	c.Refused += o.Refused
	c.Unknown += o.Unknown
}

// String is the summary in one line.
func (s *Summary) String() string {
	return fmt.Sprintf("%d rounds: %d acquisitions under %d faults (%s); "+
		"%d leases lost: %d announced in time, %d not knowable (%d expired by force, %d while the process stood still, %v in all); "+
		"%d stale uses refused; %d violations, %d orphans",
		s.Rounds, s.Acquisitions, s.faults(), s.byKind(),
		s.Announced+s.Late, s.Announced, s.Expired+s.Stalled, s.Expired, s.Stalled, s.Still.Round(time.Millisecond),
		s.Counts.Refused, s.Violations, s.Orphans)
}

func (s *Summary) faults() (n int) {
	for _, count := range s.Faults {
		n += count
	}
	return n
}

func (s *Summary) byKind() string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(s.Faults)) {
		parts = append(parts, fmt.Sprintf("%d %s", s.Faults[kind], kind))
	}
	return strings.Join(parts, ", ")
}

// around is how much of a history is shown before and after a violation.
const around = 500 * time.Millisecond

// Around tells what happened to the lock of a violation about that time, and
// which faults there were, one line for each, for the human who has to find out why.
func (r Record) Around(v Violation) string {
	var b strings.Builder
	near := func(s Span, format string, args ...any) {
		if s.overlaps(Span{v.At - around, v.At + around}) {
			fmt.Fprintf(&b, format+"\n", args...)
		}
	}
	for _, a := range byReturn(r, v.Lock) {
		near(Span{a.Called, max(a.Ended, a.Deleted)}, "%v", a)
	}
	for _, w := range r.Writes {
		if w.Lock == v.Lock {
			near(Span{w.At, w.At}, "register: token %d by zxid %d, known at %v, torn %v", w.Token, w.Zxid, w.At, w.Torn)
		}
	}
	for _, f := range r.Faults {
		near(f.Span, "fault: %s of client %d, %v to %v", f.Kind, f.Client, f.From, f.To)
	}
	for _, s := range r.Stalls {
		near(s, "the process stood still, %v to %v", s.From, s.To)
	}
	return b.String()
}

// String is the acquisition in one line.
func (a *Acquisition) String() string {
	return fmt.Sprintf("client %d %s token %d node %s: called %v, returned %v, held %v, ended %v (lost %v), unlocked %v, created as %d, deleted %v",
		a.Client, a.Mode, a.Token, a.Node, a.Called, a.Returned, a.Held, a.Ended, a.Lost, a.Freed, a.Created, a.Deleted)
}
