// Package recipe has the lock recipes that a client runs.
//
// A [Recipe] is one value, in a file of its own: it names and describes itself, and
// makes a [Lock] for one client. [All] are the recipes of package zklock, as textbooks
// have them, so that every step can be seen; package broken has copies of bugs in the
// same form. A recipe is given what it needs as an [Env] and knows nothing of the
// client that runs it, of runs and of lanes. What it does is told through the
// Trace of its Env.
//
//	client -Env-> Recipe.New -> Lock -Acquire-> Hold -Unlock-> ...
//	                 |-> Trace: lock.* events
package recipe

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store"
	"github.com/zkplayground/zkplayground/zklock"
)

// A Lock is a recipe bound to one client's session and one lock path.
type Lock interface {
	// Acquire blocks until the lock is held, as turn wants it: each recipe looks
	// at what it knows of, as whether the turn is to write.
	Acquire(ctx context.Context, turn scenario.Turn) (Hold, error)
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

// A Changing hold becomes another one when half of its time is over.
type Changing interface {
	Hold
	// AtHalfTime returns what the hold has become. If it returns an error, the hold is
	// as it was, or lost.
	AtHalfTime(ctx context.Context) (Hold, error)
}

// A Recipe is one way to take a lock.
type Recipe struct {
	scenario.RecipeKind
	// New makes the lock. The client has a session by then.
	New func(Env) Lock

	order int // in the catalogue, lowest first
}

// An Env is what a recipe is given by the client that runs it.
type Env struct {
	// Session is the client's session with ZooKeeper at the start.
	Session *zklock.Session
	// Store is the client's connection to where the lock is, and Expiry how long that
	// may keep the lock for a client that says nothing, if that is not ZooKeeper. There
	// is no Session then.
	Store  *store.Conn
	Expiry time.Duration
	// Path is the lock directory, or where the recipe wants its znode.
	Path string
	// Paths are the directories of all locks that the client wants, in its order, for a
	// recipe that takes several. The first is Path.
	Paths []string
	// Permits is how many may hold at once, for a recipe that has permits.
	Permits int
	// Trace is told what the recipe does.
	Trace *zklock.Trace
	// Thread tells what one thread of the process does, for a recipe that knows
	// threads. It is 0 where there is one.
	Thread func(number int) Thread
	// Process is for recipes that make requests of their own, past zklock.
	Process Process
}

// A Thread tells what one thread of a client's process does.
type Thread struct {
	// Trace is told what it does in ZooKeeper.
	Trace *zklock.Trace
	// Queued is called when it stands in the queue of its process, and Left when it
	// leaves that.
	Queued, Left func()
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

// all is written to only while the package's variables are initialized.
var all []Recipe

// register adds a recipe to those that [All] returns.
func register(r Recipe) Recipe {
	all = append(all, r)
	return r
}

// All returns the recipes of package zklock, in the order of the catalogue.
func All() []Recipe {
	return slices.SortedFunc(slices.Values(all), func(a, b Recipe) int {
		return cmp.Or(a.order-b.order, strings.Compare(a.Name, b.Name))
	})
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

func (x exclusive) Acquire(ctx context.Context, _ scenario.Turn) (Hold, error) {
	return holdOf(x.Lock(ctx))
}

// textbook are the options of a lock that keeps to its recipe, step by step.
func textbook(e Env) []zklock.Option {
	return []zklock.Option{zklock.WithTextbook(), zklock.WithOwnWatch(false), zklock.WithLockTrace(e.Trace)}
}
