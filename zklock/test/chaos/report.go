package chaos

import (
	"fmt"
	"strings"
	"time"
)

// around is how much of a history is shown before and after a violation.
const around = 500 * time.Millisecond

// Around tells what happened to the lock of a violation about that time, and
// which faults struck, one line for each, for the human who has to find out why.
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
