package programtest

import (
	"context"
	"os"
	"time"

	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

// twoSessions is a lock of a program with two sessions: its znode is in the first, and it
// listens to the second.
var twoSessions = recipe.Recipe{RecipeKind: scenario.RecipeKind{Name: "two-sessions"}, New: func(e recipe.Env) recipe.Lock {
	second, err := zklock.Dial([]string{os.Getenv("PLAYGROUND_SERVER")}, 2*time.Second)
	exit(err)
	return wrongListener{zklock.NewMutex(e.Session, e.Path), second}
}}

type wrongListener struct {
	*zklock.Mutex
	second *zklock.Session
}

func (l wrongListener) Acquire(ctx context.Context, _ scenario.Turn) (recipe.Hold, error) {
	if err := l.second.WaitConnected(ctx); err != nil {
		return nil, err
	}
	lease, err := l.Lock(ctx)
	if err != nil {
		return nil, err
	}
	return wrongHold{lease, l.second.Context().Done()}, nil
}

type wrongHold struct {
	*zklock.Lease
	lost <-chan struct{}
}

func (h wrongHold) Lost() <-chan struct{} { return h.lost }
