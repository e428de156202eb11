package zklock

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
)

// A contender is a znode in the queue of a lock.
type contender struct {
	name     string
	marker   string
	sequence int32
}

// queueOf returns the contenders among the children of a lock directory, the
// first in line first. Strays are left out.
func queueOf(children []string, markers []string) []contender {
	return queueUpTo(math.MaxInt32, children, markers)
}

// queueUpTo leaves out those behind the number last, too.
func queueUpTo(last int32, children []string, markers []string) []contender {
	queue := make([]contender, 0, len(children))
	for _, name := range children {
		if isBehind(name, last) {
			continue
		}
		if marker, sequence, ok := parseName(name, markers); ok && sequence <= last {
			queue = append(queue, contender{name, marker, sequence})
		}
	}
	slices.SortFunc(queue, func(a, b contender) int {
		if a.sequence != b.sequence {
			return cmp.Compare(a.sequence, b.sequence)
		}
		return cmp.Compare(a.name, b.name)
	})
	return queue
}

// isBehind reports, at a glance, whether a name ends in a number behind last.
// It is not sure of numbers from 10^9, which may belong to a minus sign.
func isBehind[T string | []byte](name T, last int32) bool {
	if len(name) < 10 || name[len(name)-10] != '0' {
		return false
	}
	number := int32(0)
	for _, c := range []byte(name[len(name)-9:]) {
		if c < '0' || c > '9' {
			return false
		}
		number = 10*number + int32(c-'0')
	}
	return number > last
}

// positionOf returns the index of the znode at node, -1 when it is missing.
func positionOf(queue []contender, node string) int {
	name := path.Base(node)
	return slices.IndexFunc(queue, func(c contender) bool { return c.name == name })
}

// A kind is what distinguishes the recipes.
type kind struct {
	marker  string   // of the znode to create
	markers []string // of all contenders
	mode    Mode
	// blockers returns those ahead of the place own that must go before it
	// holds the lock, in their order.
	blockers func(queue []contender, own int) []contender
	// final reports whether a contender whose znode is deleted has left the
	// queue for good. If not, another znode may have taken its place.
	final func(contender) bool
	// steady says that contenders come back under names that can be guessed.
	steady bool
	// wait returns when the place holds the lock; nil stands for awaitTurn.
	wait func(ctx context.Context, a *acquisition, p place) error
}

var (
	mutexKind = kind{
		marker: lockMarker, markers: []string{lockMarker}, mode: ModeWrite,
		blockers: everybody, final: always, steady: true,
	}
	herdKind = kind{
		marker: lockMarker, markers: []string{lockMarker}, mode: ModeWrite,
		blockers: everybody, wait: awaitHerd,
	}
	readKind = kind{
		marker: readMarker, markers: []string{readMarker, writeMarker}, mode: ModeRead,
		blockers: writers, final: always,
	}
	writeKind = kind{
		marker: writeMarker, markers: []string{readMarker, writeMarker}, mode: ModeWrite,
		blockers: everybody, final: isReader,
	}
)

// everybody blocks by all who are ahead.
func everybody(queue []contender, own int) []contender { return queue[:own] }

// writers blocks a reader by the writers ahead.
func writers(queue []contender, own int) []contender {
	return slices.DeleteFunc(slices.Clone(queue[:own]), isReader)
}

func always(contender) bool { return true }

// isReader is the final of a writer: a writer ahead of it may become a reader
// in its old place.
func isReader(c contender) bool { return c.marker == readMarker }
