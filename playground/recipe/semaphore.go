package recipe

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

var _ = register(Recipe{order: 4, New: newSemaphore,
	RecipeKind: scenario.RecipeKind{Name: "semaphore", Title: "Semaphore", Capabilities: scenario.Capabilities{Permits: true},
		Sentence: "The first few places of the queue hold a permit each. A permit comes back when its znode goes, also that of a client that has crashed.",
		Code: []scenario.Line{
			Connect, Think,
			{Text: "once: read the number of permits in dir; if there is none: write it",
				At: at{scenario.Idle}, Awaits: []string{"getData", "setData"}},
			{Text: "me = create dir/_c_<guid>-lease-, ephemeral, sequential",
				At: at{scenario.Idle}, Awaits: []string{"create"}},
			Find, Repeat,
			{Text: "  list dir; who is the first without a permit watches it, too", At: looking},
			{Text: "  if fewer znodes than permits are before me: it holds, leave the loop"},
			{Text: "  who is not the first without: read the znode just before me and watch it", At: looking, Awaits: []string{"getData", "notification"}},
			Sleep,
			{Text: "write into me, which wakes the next: it is the first without now", At: at{scenario.Holds}, Awaits: []string{"setData"}},
			Work, Delete, Again,
		}}})

// semaphore is a lock that several hold at once.
type semaphore struct{ permits *zklock.Semaphore }

func newSemaphore(e Env) Lock {
	return semaphore{zklock.NewSemaphore(e.Session, e.Path, e.Permits, zklock.WithOwnWatch(false), zklock.WithLockTrace(e.Trace))}
}

func (s semaphore) Acquire(ctx context.Context, _ scenario.Turn) (Hold, error) {
	return holdOf(s.permits.Acquire(ctx))
}
