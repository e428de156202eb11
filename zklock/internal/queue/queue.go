// Package queue holds the rules of a lock's queue: how its znodes are named, who
// stands ahead of whom, and when a waiter's turn has come. It is pure: it sends
// nothing and knows no time, so each rule can be tested by itself, and all of
// them together in every order in which things can happen.
//
// What flows through it, in a lock:
//
//	names of a listing ──> Read ──> contenders, first in line first
//	contenders ──> Turn.Listed ──> Turn.Next: list again, watch these, or hold
//	events of those watches ──> Turn.Gone, Turn.Doubt
//
// A [Permit] is to a semaphore what a [Turn] is to a lock.
package queue

import (
	"cmp"
	"slices"
)

// A Contender is a znode in the queue of a lock.
type Contender struct {
	Name     string // of the znode, without its directory
	Marker   string // what kind of contender it is, see Kind
	Sequence int32  // the number that the server gave it
}

// Read returns the contenders among the names of a lock directory's children, up to
// the sequence number last, the first in line first. A contender has one of the
// markers. Any other child that may be a contender, at whatever place, contends by
// rules that nobody here knows; the first such is returned as foreign, which is else
// empty. The rest of the children are left out.
func Read(children, markers []string, last int32) (contenders []Contender, foreign string) {
	contenders = make([]Contender, 0, len(children))
	for _, name := range children {
		marker, sequence, ok := Parse(name, markers)
		switch {
		case ok && sequence <= last:
			contenders = append(contenders, Contender{name, marker, sequence})
		case !ok && foreign == "" && mayContend(name):
			foreign = name
		}
	}
	slices.SortFunc(contenders, func(a, b Contender) int {
		if a.Sequence != b.Sequence {
			return cmp.Compare(a.Sequence, b.Sequence)
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return contenders, foreign
}

// Position returns the index of the contender of that name, -1 when there is none.
func Position(contenders []Contender, name string) int {
	return slices.IndexFunc(contenders, func(c Contender) bool { return c.Name == name })
}

// A Kind says which contenders are in a queue, and which of them wait for which.
type Kind struct {
	// Marker is in the names of its own znodes, Markers are in those of all whom
	// it recognizes.
	Marker  string
	Markers []string
	// Blockers returns those ahead of the contender at the index own that must
	// have gone before it holds, in their order.
	Blockers func(contenders []Contender, own int) []Contender
	// Final reports whether a contender whose znode is gone has left the queue for
	// good. If not, another znode may have taken its place there.
	Final func(Contender) bool
}

// The kinds of a mutex, and of the two sides of a read/write lock.
var (
	Mutex  = Kind{LockMarker, []string{LockMarker}, everybody, always}
	Reader = Kind{ReadMarker, []string{ReadMarker, WriteMarker}, writers, always}
	// A writer ahead of a writer may become a reader in its old place.
	Writer = Kind{WriteMarker, []string{ReadMarker, WriteMarker}, everybody, Contender.Reads}
)

// Semaphore returns the kind of a semaphore of which limit tells the permits.
func Semaphore(limit func() int) Kind {
	return Kind{PermitMarker, []string{PermitMarker}, func(contenders []Contender, own int) []Contender {
		return contenders[:max(0, own-limit()+1)]
	}, always}
}

// With returns k, which recognizes contenders with further markers, too.
func (k Kind) With(markers []string) Kind {
	if len(markers) > 0 {
		k.Markers = slices.Concat(k.Markers, markers)
	}
	return k
}

// Reads reports whether c is a reader.
func (c Contender) Reads() bool { return c.Marker == ReadMarker }

// HasPermit reports whether c contends for a permit of a semaphore.
func (c Contender) HasPermit() bool { return c.Marker == PermitMarker }

func everybody(contenders []Contender, own int) []Contender { return contenders[:own] }

func writers(contenders []Contender, own int) []Contender {
	return slices.DeleteFunc(slices.Clone(contenders[:own]), Contender.Reads)
}

func always(Contender) bool { return true }
