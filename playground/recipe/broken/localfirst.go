package broken

import (
	"context"
	"errors"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

var localFirstRecipe = recipe.Recipe{New: newLocalFirst,
	RecipeKind: scenario.RecipeKind{Name: "local-first", Title: "Hands on in its process first", Capabilities: scenario.Capabilities{Broken: true, Threads: true},
		Sentence: "A thread that releases lets the next one of its own process go before it deletes the znode, which that one then goes on with: other processes wait for as long as this one is busy.",
		Code:     localFirstCode}}

var localFirstCode = []scenario.Line{
	recipe.Connect, recipe.Think, recipe.QueueLocally,
	{Text: "if the process has a znode: it holds, go on with that", Wrong: "whoever waits in another process is overtaken"},
	recipe.Create, recipe.Find, recipe.Repeat, recipe.List, recipe.First, recipe.Ahead, recipe.Watch, recipe.Sleep, recipe.Work,
	{Text: "first leave the process's queue: its next thread may go", Wrong: "it should come last"},
	{Text: "then, if nobody else in the process wants the lock: delete the znode", At: at{scenario.Idle}, Awaits: []string{"delete"}},
	recipe.Again,
}

// localFirst is the two-level lock that is released in the wrong order: what
// zklock.Reentrant would be if it let go of its local lock first. The znode is the
// process's, and stays for as long as some thread wants the lock.
type localFirst struct {
	mutex   *zklock.Mutex
	thread  func(int) recipe.Thread
	local   *semaphore.Weighted // first come, first served
	wanted  atomic.Int64        // threads that wait or hold
	process *semaphore.Weighted // guards lease, and is held while that is taken or released
	lease   *zklock.Lease       // of the process; nil when it has none
}

func newLocalFirst(e recipe.Env) recipe.Lock {
	return &localFirst{mutex: zklock.NewMutex(e.Session, e.Path, zklock.WithTextbook(), zklock.WithOwnWatch(false)), thread: e.Thread,
		local: semaphore.NewWeighted(1), process: semaphore.NewWeighted(1)}
}

func (l *localFirst) Acquire(ctx context.Context, turn scenario.Turn) (recipe.Hold, error) {
	thread := l.thread(turn.Thread)
	l.wanted.Add(1)
	thread.Queued()
	if err := l.local.Acquire(ctx, 1); err != nil {
		thread.Left()
		return nil, errors.Join(err, l.leave(ctx))
	}
	lease, err := l.take(ctx, thread)
	if err != nil {
		thread.Left()
		l.local.Release(1)
		return nil, errors.Join(err, l.leave(ctx))
	}
	return localFirstHold{lease, l, thread}, nil
}

// take goes on with the znode of the process, or makes one.
func (l *localFirst) take(ctx context.Context, thread recipe.Thread) (*zklock.Lease, error) {
	if err := l.process.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer l.process.Release(1)
	if l.lease != nil && l.lease.Context().Err() == nil {
		thread.Trace.Acquired(zklock.AcquiredInfo{Node: l.lease.Node(), Token: l.lease.Token(), Mode: l.lease.Mode()})
		return l.lease, nil
	}
	trace := *thread.Trace
	trace.ReleaseStart = nil // each thread tells its own
	lease, err := l.mutex.Lock(zklock.WithTrace(ctx, &trace))
	l.lease = lease
	return lease, err
}

// localFirstHold is the hold of one thread by the znode of its process.
type localFirstHold struct {
	*zklock.Lease
	lock   *localFirst
	thread recipe.Thread
}

func (h localFirstHold) Unlock(ctx context.Context) error {
	l := h.lock
	if h.Context().Err() == nil {
		h.thread.Trace.ReleaseStart(zklock.ReleaseStartInfo{Node: h.Node(), Token: h.Token(), Mode: h.Mode()})
	}
	h.thread.Left()
	l.local.Release(1)
	return l.leave(ctx)
}

// leave is what comes last: a thread wants the lock no longer, and the znode goes if
// that was the last one.
func (l *localFirst) leave(ctx context.Context) error {
	if l.wanted.Add(-1) > 0 {
		return nil // the next thread has the znode
	}
	if err := l.process.Acquire(context.WithoutCancel(ctx), 1); err != nil { // nobody else wants it
		return err
	}
	defer l.process.Release(1)
	lease := l.lease
	if lease == nil || l.wanted.Load() > 0 {
		return nil // a thread has come meanwhile
	}
	l.lease = nil
	return lease.Unlock(ctx)
}
