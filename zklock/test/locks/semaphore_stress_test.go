package locks_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// A crowd is told of every permit at once, and knows when more clients believe
// that they hold than may.
type crowd struct {
	testing.TB
	limit  int
	mu     sync.Mutex
	inside []*zklock.Lease
	count  int
}

func (c *crowd) enter(l *zklock.Lease) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inside = slices.DeleteFunc(append(c.inside, l), func(l *zklock.Lease) bool { return !believes(l) })
	if n := len(c.inside); n > c.limit {
		c.Errorf("%d believe that they hold, and %d may", n, c.limit)
	}
	c.count++
}

func (c *crowd) acquisitions() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}

// Clients whose networks fail at random, for some seconds: never do too many
// believe that they hold, and at the end no permit is lost.
func TestSemaphoreStress(t *testing.T) {
	t.Parallel()
	const clients, limit, seed = 6, 2, 7
	w := newWorld(t)
	see := &crowd{TB: t, limit: limit}
	w.whileNetworksFail(clients, rand.New(rand.NewPCG(seed, 0)), see.acquisitions, func(ctx context.Context, s *zklock.Session) {
		workInCrowd(ctx, zklock.NewSemaphore(s, w.path, limit), see)
	})
	t.Logf("%d acquisitions", see.count)
	w.hold(w.semaphore(limit), limit)
}

// workInCrowd takes permits, now patiently and now not, until ctx ends.
func workInCrowd(ctx context.Context, s *zklock.Semaphore, see *crowd) {
	for i := 0; ctx.Err() == nil; i++ {
		some, cancel := context.WithTimeout(ctx, 5*time.Millisecond<<(i%8))
		if lease, err := s.Acquire(some); err == nil {
			see.enter(lease)
			lease.Unlock(some) // an error only says that it takes longer
		}
		cancel()
	}
}
