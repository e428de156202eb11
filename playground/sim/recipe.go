package sim

import (
	"context"
	"maps"
	"slices"

	"github.com/zkplayground/zkplayground/zklock"
)

// A contender is a recipe bound to one client's session and one lock path.
type contender interface {
	// acquire blocks until the lock is held, for writing or for reading where
	// the recipe knows the difference.
	acquire(ctx context.Context, write bool) (*zklock.Lease, error)
}

// recipes are the lock recipes by the name that scenarios use, as textbooks
// have them, so that every step can be seen. To add one, write a contender and
// give it a line here.
var recipes = map[string]func(*zklock.Session, string, *zklock.Trace) contender{
	"herd":  newHerd,
	"mutex": newMutex,
	"rw":    newReadWrite,
}

// RecipeNames returns the names that a lane's recipe may have, sorted.
func RecipeNames() []string { return slices.Sorted(maps.Keys(recipes)) }

// exclusive is a recipe that has only one way to hold the lock.
type exclusive struct{ zklock.Locker }

func (x exclusive) acquire(ctx context.Context, _ bool) (*zklock.Lease, error) { return x.Lock(ctx) }

func newHerd(s *zklock.Session, path string, trace *zklock.Trace) contender {
	return exclusive{zklock.NewHerdMutex(s, path, zklock.WithLockTrace(trace))}
}

func newMutex(s *zklock.Session, path string, trace *zklock.Trace) contender {
	return exclusive{zklock.NewMutex(s, path, zklock.WithTextbook(), zklock.WithLockTrace(trace))}
}

// readWrite is the recipe whose readers share the lock.
type readWrite struct{ lock *zklock.RWMutex }

func newReadWrite(s *zklock.Session, path string, trace *zklock.Trace) contender {
	return readWrite{zklock.NewRWMutex(s, path, zklock.WithTextbook(), zklock.WithLockTrace(trace))}
}

func (rw readWrite) acquire(ctx context.Context, write bool) (*zklock.Lease, error) {
	if write {
		return rw.lock.Lock(ctx)
	}
	return rw.lock.RLock(ctx)
}
