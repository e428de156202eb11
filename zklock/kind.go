package zklock

import (
	"cmp"
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
	queue := make([]contender, 0, len(children))
	for _, name := range children {
		if marker, sequence, ok := parseName(name, markers); ok {
			queue = append(queue, contender{name, marker, sequence})
		}
	}
	slices.SortFunc(queue, func(a, b contender) int {
		return cmp.Or(cmp.Compare(a.sequence, b.sequence), cmp.Compare(a.name, b.name))
	})
	return queue
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
	// blocker returns the index of the contender to wait for, -1 if there is
	// none and the lock is held. own is the own index.
	blocker func(queue []contender, own int) int
	// herd says that waiters watch the directory instead.
	herd bool
}

var (
	mutexKind = kind{marker: lockMarker, markers: []string{lockMarker}, mode: ModeWrite, blocker: justAhead}
	herdKind  = kind{marker: lockMarker, markers: []string{lockMarker}, mode: ModeWrite, blocker: justAhead, herd: true}
	readKind  = kind{marker: readMarker, markers: []string{readMarker, writeMarker}, mode: ModeRead, blocker: nearestWriter}
	writeKind = kind{marker: writeMarker, markers: []string{readMarker, writeMarker}, mode: ModeWrite, blocker: justAhead}
)

// justAhead blocks by whoever is next ahead, so that one release wakes one.
func justAhead(_ []contender, own int) int { return own - 1 }

// nearestWriter blocks a reader by the last writer ahead. Watching an earlier
// one would wake it while this one is still there.
func nearestWriter(queue []contender, own int) int {
	for i := own - 1; i >= 0; i-- {
		if queue[i].marker == writeMarker {
			return i
		}
	}
	return -1
}

// maxSequence is the greatest number that is used. The counter sticks at
// 2^31-1, and creates under way run ahead of it, so the last million is left.
const maxSequence = 1<<31 - 1<<20 - 1

// exhausted reports whether a number is too close to the counter's end.
func exhausted(sequence int32) bool { return sequence < 0 || sequence > maxSequence }
