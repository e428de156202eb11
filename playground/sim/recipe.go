package sim

import (
	"context"
	"maps"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

// A contender is a recipe bound to one client's session and one lock path.
type contender interface {
	// acquire blocks until the lock is held, for writing or for reading where
	// the recipe knows the difference.
	acquire(ctx context.Context, write bool) (grip, error)
}

// A grip is one hold of a lock; a *zklock.Lease is one.
type grip interface {
	// Node is the path of the holder's znode, empty if it has none.
	Node() string
	// Token is the fence, 0 if there is none.
	Token() zklock.Token
	// Lost is closed when the holder learns that it holds no longer; nil when
	// the recipe never tells.
	Lost() <-chan struct{}
	// Unlock lets go. An error that wraps zklock.ErrLost says that the lock was
	// gone already.
	Unlock(ctx context.Context) error
}

// recipes are the lock recipes by the name that scenarios use, as textbooks
// have them, so that every step can be seen. To add one, write a contender and
// give it a line here. The client has its session when its recipe is made.
var recipes = map[string]func(*client, event.Lane) contender{
	"herd":  newHerd,
	"mutex": newMutex,
	"rw":    newReadWrite,
	// The museum of broken locks.
	"adopting":    newAdopting,
	"deaf":        newDeaf,
	"gozookeeper": newGoZooKeeper,
	"plain":       newPlain,
	"writelock":   newWriteLock,
	"flag":        newFlag,
}

// RecipeNames returns the names that a lane's recipe may have, sorted.
func RecipeNames() []string { return slices.Sorted(maps.Keys(recipes)) }

// gripOf keeps a lease that is nil from becoming a grip that is not.
func gripOf(lease *zklock.Lease, err error) (grip, error) {
	if err != nil {
		return nil, err
	}
	return lease, nil
}

// exclusive is a recipe that has only one way to hold the lock.
type exclusive struct{ zklock.Locker }

func (x exclusive) acquire(ctx context.Context, _ bool) (grip, error) { return gripOf(x.Lock(ctx)) }

func newHerd(c *client, lane event.Lane) contender {
	return exclusive{teach.NewHerdMutex(c.session.Load(), lane.Path, zklock.WithOwnWatch(false), zklock.WithLockTrace(c.trace(lane.Recipe)))}
}

func newMutex(c *client, lane event.Lane) contender {
	return exclusive{zklock.NewMutex(c.session.Load(), lane.Path, zklock.WithTextbook(), zklock.WithOwnWatch(false), zklock.WithLockTrace(c.trace(lane.Recipe)))}
}

// readWrite is the recipe whose readers share the lock.
type readWrite struct{ lock *zklock.RWMutex }

func newReadWrite(c *client, lane event.Lane) contender {
	return readWrite{zklock.NewRWMutex(c.session.Load(), lane.Path, zklock.WithTextbook(), zklock.WithOwnWatch(false), zklock.WithLockTrace(c.trace(lane.Recipe)))}
}

func (rw readWrite) acquire(ctx context.Context, write bool) (grip, error) {
	if write {
		return gripOf(rw.lock.Lock(ctx))
	}
	return gripOf(rw.lock.RLock(ctx))
}
