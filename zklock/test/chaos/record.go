package chaos

import (
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// A Record is all that is known of a round. Its times are counted from the
// round's beginning by the process's monotonic clock, and 0 where a thing has
// not happened.
type Record struct {
	Acquisitions []Acquisition
	Writes       []Write
	Faults       []Fault
	Stalls       []Span
}

// A Span is a stretch of time.
type Span struct{ From, To time.Duration }

// overlaps reports whether s and t have a moment in common.
func (s Span) overlaps(t Span) bool { return s.From <= t.To && t.From <= s.To }

// An Acquisition is a call of Lock that returned a lease, and what became of it.
type Acquisition struct {
	Client int
	Lock   string // the kind's name
	Mode   zklock.Mode
	Node   string
	Token  zklock.Token

	Called, Returned time.Duration
	// Held is the last moment at which somebody looked and the lease was held.
	// It believed from Returned to Held, and perhaps longer. Where Held is
	// less than Returned, the lease had ended before Lock returned.
	Held time.Duration
	// Ended is when Unlock was called, or when the end was first noticed.
	Ended time.Duration
	// Lost says that the lease did not last until Unlock.
	Lost bool
	// Freed is when Unlock returned.
	Freed time.Duration

	// Created is the znode's place in the order in which the server created
	// the round's znodes, from 1.
	Created int
	// Deleted is when the server was seen to have deleted the znode, a little
	// after it did.
	Deleted time.Duration
}

// believed reports whether the client ever had the lock, as far as it knew.
func (a *Acquisition) believed() bool { return a.Held >= a.Returned }

// A Write is what the fenced register was once seen to hold.
type Write struct {
	Lock  string
	Zxid  int64 // of the transaction that wrote it
	Token zklock.Token
	// Torn says that it is no write but a reader's finding: the register
	// changed while the reader's znode existed.
	Torn bool
	At   time.Duration // when it was known
	// Read says that the observer read it, from a server that knew all that was known then.
	Read bool
}
