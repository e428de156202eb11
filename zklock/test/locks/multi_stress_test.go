package locks_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// multiNames are the paths that the clients of a stress contend for.
var multiNames = []string{"a", "b", "c", "d"}

// A ledger sees who holds what: the paths' holders, and their last tokens.
type ledger struct {
	testing.TB
	holders [4]atomic.Int32
	tokens  [4]atomic.Int64
	entries atomic.Int32
}

// hold enters and leaves the paths with these indexes.
func (l *ledger) hold(paths []int, token zklock.Token) {
	l.entries.Add(1)
	for _, i := range paths {
		if n := l.holders[i].Add(1); n != 1 {
			l.Errorf("%d hold %s at once", n, multiNames[i])
		}
		if before := l.tokens[i].Swap(int64(token)); before >= int64(token) {
			l.Errorf("token %d after %d on %s", token, before, multiNames[i])
		}
	}
	for _, i := range paths {
		l.holders[i].Add(-1)
	}
}

// Clients that take random paths in random orders, among them some who use a
// mutex, all get what they want.
func TestMultiNoDeadlock(t *testing.T) {
	t.Parallel()
	const clients, acquisitions, seed = 6, 200, 11
	w := newWorld(t)
	see := &ledger{TB: t}
	ctx, cancel := context.WithTimeout(t.Context(), 3*timeout)
	defer cancel()
	var all sync.WaitGroup
	for i := range clients {
		s, random := w.dial(session), rand.New(rand.NewPCG(seed, uint64(i)))
		all.Go(func() {
			for range (acquisitions + clients - 1) / clients {
				if err := w.takeSome(ctx, s, random, see); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if n := see.entries.Load(); n < acquisitions {
		t.Errorf("%d acquisitions, want %d", n, acquisitions)
	}
	w.become("a b c d", 0)
}

// takeSome takes and releases a random choice of paths.
func (w *world) takeSome(ctx context.Context, s *zklock.Session, random *rand.Rand, see *ledger) error {
	paths := random.Perm(len(multiNames))[:1+random.IntN(len(multiNames))]
	if len(paths) == 1 && random.IntN(2) == 0 {
		lease, err := newMutex(s, w.at(multiNames[paths[0]])[0]).Lock(ctx)
		if err != nil {
			return err
		}
		see.hold(paths, lease.Token())
		return lease.Unlock(ctx)
	}
	names := ""
	for _, i := range paths {
		names += multiNames[i] + " "
	}
	m, err := newMulti(s, w.at(names))
	if err != nil {
		return err
	}
	lease, err := m.Lock(ctx)
	if err != nil {
		return err
	}
	see.hold(paths, lease.Token())
	return lease.Unlock(ctx)
}
