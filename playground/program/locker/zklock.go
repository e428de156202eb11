package locker

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

// ZKLock is the read/write lock of package zklock as people use it in production, with all
// that the recipes of the playground leave out, which keep to their textbooks.
func ZKLock() recipe.Recipe {
	return recipe.Recipe{RecipeKind: scenario.RecipeKind{Name: "zklock"}, New: func(e recipe.Env) recipe.Lock {
		return zkLock{zklock.NewRWMutex(e.Session, e.Path)}
	}}
}

type zkLock struct{ lock *zklock.RWMutex }

func (l zkLock) Acquire(ctx context.Context, turn scenario.Turn) (recipe.Hold, error) {
	lock := l.lock.RLock
	if turn.Write {
		lock = l.lock.Lock
	}
	lease, err := lock(ctx)
	if err != nil {
		return nil, err // and not a hold that is a lease of nil
	}
	return lease, nil
}
