package recipe

import (
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

var _ = register(Recipe{order: 2, New: newMutex,
	RecipeKind: scenario.RecipeKind{Name: "mutex", Title: "Predecessor",
		Sentence: "Each waiter watches the znode just ahead of its own: a release wakes one at most.",
		Code:     []scenario.Line{Connect, Think, Create, Find, Repeat, List, First, Ahead, Watch, Sleep, Work, Delete, Again}}})

func newMutex(e Env) Lock {
	return exclusive{zklock.NewMutex(e.Session, e.Path, append(textbook(e), zklock.WithExtraMarkers(kazooMarker))...)}
}

// kazooMarker is what kazoo's Lock has before the number in the names of its znodes: a
// guest that uses it, and is told of the others by extra_lock_patterns=["-lock-"], stands
// in the same queue.
const kazooMarker = "__lock__"
