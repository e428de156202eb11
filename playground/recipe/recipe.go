// Package recipe has the lock recipes that a client runs.
//
// A [Recipe] is one value: it names and describes itself, and makes a [Lock] for
// one client. [All] are the recipes of package zklock, as textbooks have them, so
// that every step can be seen; package broken has copies of bugs in the same
// form. A recipe is given what it needs as an [Env] and knows nothing of the
// client that runs it, of runs and of lanes. What it does is told through the
// Trace of its Env.
//
//	client -Env-> Recipe.New -> Lock -Acquire-> Hold -Unlock-> ...
//	                 |-> Trace: lock.* events
package recipe

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

// A Lock is a recipe bound to one client's session and one lock path.
type Lock interface {
	// Acquire blocks until the lock is held, for writing or for reading where
	// the recipe knows the difference.
	Acquire(ctx context.Context, write bool) (Hold, error)
}

// A Hold is one acquisition of a lock; a *zklock.Lease is one.
type Hold interface {
	// Node is the path of the holder's znode, empty if it has none.
	Node() string
	// Token is the fence, 0 if there is none.
	Token() zklock.Token
	// Lost is closed when the holder learns that it holds no longer; nil when
	// the recipe never tells.
	Lost() <-chan struct{}
	// Unlock releases. An error that wraps zklock.ErrLost says that the lock was
	// gone already.
	Unlock(ctx context.Context) error
}

// A Recipe is one way to take a lock.
type Recipe struct {
	scenario.RecipeKind
	// Shared says that readers hold the lock together.
	Shared bool
	// New makes the lock. The client has a session by then.
	New func(Env) Lock
}

// An Env is what a recipe is given by the client that runs it.
type Env struct {
	// Session is the client's session at the start.
	Session *zklock.Session
	// Path is the lock directory, or where the recipe wants its znode.
	Path string
	// Trace is told what the recipe does.
	Trace *zklock.Trace
	// Process is for recipes that make requests of their own, past zklock.
	Process Process
}

// A Process is what a recipe that makes its own requests may ask of its client.
type Process interface {
	// Session is the client's present session; Renew replaces it.
	Session() *zklock.Session
	// Renew gives the session up without a word to the server, opens another and
	// waits until that is connected.
	Renew(ctx context.Context) error
	// LastCreated is the newest znode that the client was told it made, and the
	// transaction that made it.
	LastCreated() (node string, zxid int64)
	// Label is a name for znodes that tells people whose they are.
	Label() string
	// Ending says that the client is gone or about to be, and its session too:
	// nothing is worth another attempt.
	Ending() bool
	// Grace ends when there is no time left to finish anything.
	Grace() context.Context
	// Go does something that only the end of the session ends.
	Go(func())
	// CleanUp is Go for the removal of a znode: the end of the run waits for it.
	CleanUp(func())
}

// All returns the recipes of package zklock.
func All() []Recipe {
	return []Recipe{
		{RecipeKind: scenario.RecipeKind{Name: "herd", Title: "Herd",
			Sentence: "Every waiter watches the lock directory: each release wakes all of them, and all but one in vain.",
			Code:     herdCode},
			New: newHerd},
		{RecipeKind: scenario.RecipeKind{Name: "mutex", Title: "Predecessor",
			Sentence: "Each waiter watches the znode just ahead of its own: a release wakes one at most.",
			Code:     mutexCode},
			New: newMutex},
		{RecipeKind: scenario.RecipeKind{Name: "rw", Title: "Read-write lock",
			Sentence: "Readers share the lock, a writer has it alone; each waits for the last one ahead that excludes it.",
			Code:     readWriteCode},
			Shared: true, New: newReadWrite},
	}
}

// holdOf keeps a lease that is nil from becoming a hold that is not.
func holdOf(lease *zklock.Lease, err error) (Hold, error) {
	if err != nil {
		return nil, err
	}
	return lease, nil
}

// exclusive is a recipe that has only one way to hold the lock.
type exclusive struct{ zklock.Locker }

func (x exclusive) Acquire(ctx context.Context, _ bool) (Hold, error) { return holdOf(x.Lock(ctx)) }

func newHerd(e Env) Lock {
	return exclusive{teach.NewHerdMutex(e.Session, e.Path, zklock.WithOwnWatch(false), zklock.WithLockTrace(e.Trace))}
}

var herdCode = []scenario.Line{
	Connect, Think, Create, Find, Repeat,
	{Text: "  list dir and watch it", At: looking},
	First,
	{Text: "  sleep until dir changes in any way", At: at{scenario.Waiting}},
	Work, Delete, Again,
}

func newMutex(e Env) Lock {
	return exclusive{zklock.NewMutex(e.Session, e.Path, zklock.WithTextbook(), zklock.WithOwnWatch(false), zklock.WithLockTrace(e.Trace))}
}

var mutexCode = []scenario.Line{Connect, Think, Create, Find, Repeat, List, First, Ahead, Watch, Sleep, Work, Delete, Again}

// readWrite is the recipe whose readers share the lock.
type readWrite struct{ lock *zklock.RWMutex }

func newReadWrite(e Env) Lock {
	return readWrite{zklock.NewRWMutex(e.Session, e.Path, zklock.WithTextbook(), zklock.WithOwnWatch(false), zklock.WithLockTrace(e.Trace))}
}

func (rw readWrite) Acquire(ctx context.Context, write bool) (Hold, error) {
	if write {
		return holdOf(rw.lock.Lock(ctx))
	}
	return holdOf(rw.lock.RLock(ctx))
}

var readWriteCode = []scenario.Line{
	Connect, Think,
	{Text: "me = create dir/_c_<guid>-__READ__ or -__WRIT__, ephemeral, sequential",
		At: at{scenario.Idle}, Awaits: []string{"create"}},
	Find, Repeat, List,
	{Text: "  to read: ahead = the last writer before me"},
	{Text: "  to write: ahead = the znode just before me"},
	{Text: "  if there is none: it holds, leave the loop"},
	Watch, Sleep, Work, Delete, Again,
}
