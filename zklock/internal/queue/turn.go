package queue

import (
	"slices"
	"strings"
)

// A Turn works out, from the events that a waiter gets, when its place is the first,
// and what it has to ask meanwhile. The safety of the waiting rests on three
// facts about a lock directory.
//
// Numbers only grow, so the first listing that shows the own znode shows all
// that can ever be ahead of it. A name never comes back, so a contender that is gone is gone
// for good. And so "nobody of those is left" stays true once it is: in what
// order, how late, or over how many connections the news comes in does not
// matter. The one exception is a writer that becomes a reader in its old place;
// after its znode has gone, only a listing counts.
type Turn struct {
	kind     Kind
	own      string // name of the own znode
	recipe   Recipe
	ahead    int         // how many have to go before, as far as is known
	nearest  []Contender // of those, the last MaxWatches at most, in their order
	doubtful bool        // only a listing can say what comes next
}

// A Recipe says how a lock comes to know that its turn has come. The zero Recipe
// watches only the contender just ahead, and lists again when that goes unless it
// was the only one.
type Recipe struct {
	// LookAhead watches the one before that, too. When it goes, the one just ahead
	// is about to hold, and the listing that shows that nobody else is left is made
	// while it does: that takes the listing out of the hand-over.
	LookAhead bool
	// OneTransaction joins a queue that is likely to be empty by one transaction,
	// which shows whether it was.
	OneTransaction bool
	// ListAlways lists again after each change.
	ListAlways bool
	// Herd watches the lock directory instead of a contender.
	Herd bool
}

var (
	// Default is the recipe of the locks.
	Default = Recipe{LookAhead: true, OneTransaction: true}
	// Textbook is as ZooKeeper's documentation of the recipe has it.
	Textbook = Recipe{ListAlways: true}
	// Herd wakes every waiter at each change of the queue.
	Herd = Recipe{ListAlways: true, Herd: true}
)

// NewTurn returns the turn of the znode of that name, which has to list first.
func NewTurn(kind Kind, own string, recipe Recipe) *Turn {
	return &Turn{kind: kind, own: own, recipe: recipe, doubtful: true}
}

// Listed takes in a listing. It returns false when the own znode is not there.
func (t *Turn) Listed(contenders []Contender) bool {
	position := Position(contenders, t.own)
	if position < 0 {
		return false
	}
	blockers := t.kind.Blockers(contenders, position)
	t.ahead = len(blockers)
	t.nearest = slices.Clone(blockers[max(0, t.ahead-MaxWatches):])
	for i, c := range t.nearest {
		t.nearest[i].Name = strings.Clone(c.Name) // which else keeps all of the listing
	}
	t.doubtful = false
	return true
}

// Gone takes in that the znode of that name, one of the nearest ahead, has been deleted.
// Unless it was the last one ahead, it need not have been its turn, and those before it
// may be there or not.
func (t *Turn) Gone(name string) {
	i := Position(t.nearest, name)
	if i < 0 {
		return
	}
	final := t.kind.Final(t.nearest[i])
	t.nearest = slices.Concat(t.nearest[:i], t.nearest[i+1:])
	t.ahead--
	t.doubtful = t.doubtful || t.recipe.ListAlways || !final || t.ahead > 0
}

// Doubt takes in that something may have been missed.
func (t *Turn) Doubt() { t.doubtful = true }

// MustList reports whether only a listing can say what comes next.
func (t *Turn) MustList() bool { return t.doubtful }

// Holds reports whether the place holds the lock.
func (t *Turn) Holds() bool { return !t.doubtful && t.ahead == 0 }

// IsNext reports whether only the one just ahead is left.
func (t *Turn) IsNext() bool { return !t.doubtful && t.ahead == 1 }

// Ahead returns how many have to go before the place holds, as far as is known.
func (t *Turn) Ahead() int { return t.ahead }

// Watches returns the names to be watched, the one just ahead first.
func (t *Turn) Watches() []string {
	var names []string
	for i := len(t.nearest) - 1; i >= 0 && len(names) < t.mostWatches(); i-- {
		names = append(names, t.nearest[i].Name)
	}
	return names
}

// MaxWatches is how many a turn requires at most.
const MaxWatches = 2

func (t *Turn) mostWatches() int {
	if t.recipe.LookAhead {
		return MaxWatches
	}
	return 1
}
