package recipe

import (
	"context"
	"sync"

	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

var _ = register(Recipe{order: 9, New: newReentrant,
	RecipeKind: scenario.RecipeKind{Name: "reentrant", Title: "Reentrant", Capabilities: scenario.Capabilities{Threads: true},
		Sentence: "The threads of a process queue up in the process, and only the first of them in ZooKeeper: they cost one znode. A thread that releases deletes that first, so that other processes have their turn.",
		Code: []scenario.Line{
			Connect, Think,
			QueueLocally,
			Create, Find, Repeat, List, First, Ahead, Watch, Sleep, Work,
			{Text: "first delete me", At: at{scenario.Idle}, Awaits: []string{"delete"}},
			{Text: "then leave the process's queue: its next thread goes to the end of dir"},
			Again,
		}}})

// reentrant is a lock with a queue in the process and one in ZooKeeper. Each turn is an
// owner of its own.
type reentrant struct {
	lock   *zklock.Reentrant
	thread func(int) Thread
}

func newReentrant(e Env) Lock {
	return reentrant{zklock.NewReentrant(e.Session, e.Path, zklock.WithTextbook(), zklock.WithOwnWatch(false)), e.Thread}
}

func (r reentrant) Acquire(ctx context.Context, turn scenario.Turn) (Hold, error) {
	thread := r.thread(turn.Thread)
	left := sync.OnceFunc(thread.Left)
	trace := *thread.Trace
	trace.Released = func(zklock.ReleasedInfo) { left() } // before the next thread may go
	thread.Queued()
	hold, err := r.lock.Lock(zklock.WithOwner(zklock.WithTrace(ctx, &trace)))
	if err != nil {
		left()
		return nil, err
	}
	return threadHold{hold, left}, nil
}

// threadHold is the hold of a thread, which tells when that has left the queue of its
// process.
type threadHold struct {
	*zklock.Hold
	left func()
}

func (h threadHold) Unlock(ctx context.Context) error {
	defer h.left()
	return h.Hold.Unlock(ctx)
}
