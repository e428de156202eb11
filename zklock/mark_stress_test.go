package zklock_test

import (
	"context"
	"math/rand/v2"
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
	see, random := &witness{TB: t}, rand.New(rand.NewPCG(seed, 0))
	const tries = 5 // on a machine that is too busy to come to read any
	read := 0
	for try := 0; try < tries && read == 0; try++ {
		networks := w.whileNetworksFail(clients, random, func(ctx context.Context, s *zklock.Session) {
			takeTurns(ctx, zklock.NewMutex(s, w.path, zklock.WithMarks(2)), see)
		})
		for _, n := range networks {
			read += n.requests(opMultiRead)
		}
	}
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
