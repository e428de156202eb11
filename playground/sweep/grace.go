package sweep

import "time"

// A subtree is what one run has on ZooKeeper, the znode BASE/rooms/room/run with all
// below it.
type subtree struct{ room, run string }

// A grace is the time for which a subtree must have been unused before it goes.
type grace struct {
	length time.Duration
	since  map[subtree]time.Time // when each was first seen unused
}

func newGrace(length time.Duration) *grace {
	return &grace{length: length, since: make(map[subtree]time.Time)}
}

// over returns those of the subtrees that have been unused for long enough, at
// every call in this time, and when it makes sense to call again: not before that for
// the others, never if the time is zero.
func (g *grace) over(now time.Time, unused []subtree) (due []subtree, next time.Time) {
	since := make(map[subtree]time.Time)
	for _, s := range unused {
		first, seen := g.since[s]
		if !seen {
			first = now
		}
		since[s] = first
		end := first.Add(g.length)
		if !end.After(now) {
			due = append(due, s)
		} else if next.IsZero() || end.Before(next) {
			next = end
		}
	}
	g.since = since
	return due, next
}
