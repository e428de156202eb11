package zklock

import (
	"slices"

	"github.com/go-zookeeper/zk"
)

// A turn works out, from what a waiter is told, when its place is the first,
// and what it has to ask meanwhile. It is pure: it sends nothing, and knows no
// time. The safety of the waiting rests on three facts about a lock directory.
//
// Numbers only grow, so the first listing that shows the own znode shows all
// who can ever be ahead of it. A name never comes back, so who is gone is gone
// for good. And so "nobody of those is left" stays true once it is: in what
// order, how late, or over how many connections the news comes in does not
// matter. The one exception is a writer who becomes a reader in its old place;
// after its znode has gone, only a listing counts.
type turn struct {
	kind kind
	own  string // name of the own znode
	// ahead are those whose going is awaited, as far as is known.
	ahead    []contender
	position int  // in the last listing, -1 before the first
	doubtful bool // only a listing can tell what comes next
	heir     bool // of those before the one just ahead, an heir will tell
	single   bool // watch only the one ahead
	textbook bool // list after each change, and watch only the one ahead
}

func newTurn(k kind, own string, textbook bool, single ...bool) *turn {
	return &turn{single: len(single) > 0 && single[0], kind: k, own: own, position: -1, doubtful: true, textbook: textbook}
}

// listed takes in a listing. It returns false when the own znode is not there.
func (t *turn) listed(queue []contender) bool {
	t.position = positionOf(queue, t.own)
	if t.position < 0 {
		return false
	}
	t.ahead = append(t.ahead[:0:0], t.kind.blockers(queue, t.position)...)
	t.doubtful, t.heir = false, false
	return true
}

// guessed takes in two who are just ahead, as a watch on each has found, the
// last first. Who else is ahead, only a listing can tell.
func (t *turn) guessed(ahead []contender) {
	t.ahead, t.position, t.doubtful = ahead, -1, false
}

// released takes in that the place numbered last has been held and released,
// so that nobody up to it is left. It returns false when it needs to know more.
// That is so of those who were guessed, too, unless last is just before them.
func (t *turn) released(last, own int32) bool {
	left := slices.DeleteFunc(slices.Clone(t.ahead), func(c contender) bool { return c.sequence <= last })
	if last >= own || len(left) > 1 || t.position < 0 && last < own-1-lookAhead {
		return false
	}
	t.ahead, t.position, t.doubtful = left, len(left), false
	return true
}

// heard takes in the event of a watch on the znode name. Of a change, the next
// watch tells whether the znode is still there.
func (t *turn) heard(name string, event zk.EventType) {
	if event == zk.EventNodeDeleted {
		t.gone(name)
	}
}

// gone takes in that the znode name has been deleted. Unless it was the last
// one ahead, it need not have been its turn, and those before it may be there
// or not.
func (t *turn) gone(name string) {
	for i, c := range t.ahead {
		if c.name != name {
			continue
		}
		t.ahead = append(t.ahead[:i:i], t.ahead[i+1:]...)
		t.doubtful = t.doubtful || t.textbook || !t.kind.final(c) || len(t.ahead) > 0
		return
	}
}

// doubt takes in that something may have been missed.
func (t *turn) doubt() { t.doubtful = true }

// A wish is what a turn needs next.
type wish int

const (
	wishListing wish = iota // only a listing can tell
	wishNews                // of the znodes that watches names
	wishNothing             // the place holds the lock
)

func (t *turn) wishes() wish {
	switch {
	case t.doubtful:
		return wishListing
	case len(t.ahead) > 0:
		return wishNews
	default:
		return wishNothing
	}
}

// next reports whether only the one just ahead is left.
func (t *turn) next() bool { return !t.doubtful && len(t.ahead) == 1 }

// watches returns the names to be watched: the one just ahead, whose going is
// the hand-over, and the one before it. When that goes, the one just ahead is
// about to hold, and the listing that shows that nobody else is left is made
// while it does: the look-ahead, which takes the listing out of the hand-over.
func (t *turn) watches() []string {
	last := len(t.ahead) - 1
	switch {
	case last < 0:
		return nil
	case last == 0 || t.single || t.textbook || t.heir:
		return []string{t.ahead[last].name}
	default:
		return []string{t.ahead[last].name, t.ahead[last-1].name}
	}
}
