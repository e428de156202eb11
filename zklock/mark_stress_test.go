package zklock_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

const opMultiRead = 22

// Clients that take a lock in turn, mark its queue, and go by the marks, while
// their networks fail: nobody believes wrongly, and nothing is left.
func TestMarksWhileNetworksFail(t *testing.T) {
	t.Parallel()
	const clients, seed = 8, 11
	w := newWorld(t)
	see := &witness{TB: t}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	var all sync.WaitGroup
	var networks []*network
	for range clients {
		s, n := w.dialThrough(short)
		networks = append(networks, n)
		all.Go(func() { takeTurns(ctx, zklock.NewMutex(s, w.path, zklock.WithMarks(2)), see) })
	}
	all.Go(func() { breakAtRandom(ctx, networks, rand.New(rand.NewPCG(seed, 0))) })
	all.Wait()
	read := 0
	for _, n := range networks {
		n.heal()
		read += n.requests(opMultiRead)
	}
	w.empties()
	t.Logf("%d acquisitions, %d marks read", see.count, read)
	if read == 0 {
		t.Error("no mark was ever read")
	}
}

// takeTurns locks and unlocks, and now and then gives up waiting, until ctx
// ends.
func takeTurns(ctx context.Context, lock zklock.Locker, see *witness) {
	for i := 1; ctx.Err() == nil; i++ {
		patience := time.Second
		if i%50 == 0 {
			patience = time.Millisecond
		}
		some, cancel := context.WithTimeout(ctx, patience)
		lease, err := lock.Lock(some)
		if err == nil {
			see.enter(lease)
			lease.Unlock(some) // an error only says that it takes longer
		}
		cancel()
	}
}
