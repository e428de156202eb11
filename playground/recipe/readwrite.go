package recipe

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

var _ = register(Recipe{order: 3, New: newReadWrite,
	RecipeKind: scenario.RecipeKind{Name: "rw", Title: "Read-write lock", Capabilities: scenario.Capabilities{Shared: true},
		Sentence: "Readers share the lock, a writer has it alone; each waits for the last one ahead that excludes it.",
		Code: []scenario.Line{
			Connect, Think, CreateMode, Find, Repeat, List, ToRead, ToWrite, NoneAhead,
			Watch, Sleep, Work, Delete, Again,
		}}})

// readWrite is the recipe whose readers share the lock.
type readWrite struct{ lock *zklock.RWMutex }

func newReadWrite(e Env) Lock { return readWrite{zklock.NewRWMutex(e.Session, e.Path, textbook(e)...)} }

func (rw readWrite) Acquire(ctx context.Context, turn scenario.Turn) (Hold, error) {
	if turn.Write {
		return holdOf(rw.lock.Lock(ctx))
	}
	return holdOf(rw.lock.RLock(ctx))
}
