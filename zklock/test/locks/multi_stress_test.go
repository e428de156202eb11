package locks_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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
		lease, err := zklock.NewMutex(s, w.at(multiNames[paths[0]])[0]).Lock(ctx)
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
	m, err := zklock.NewMulti(s, w.at(names))
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

// Clients whose networks fail at random: nobody believes wrongly, and at the
// end nothing is left.
func TestMultiStress(t *testing.T) {
	t.Parallel()
	const clients, seed = 4, 7
	w := newWorld(t)
	witnesses := map[string]*witnessMulti{"a": {TB: t}, "b": {TB: t}, "c": {TB: t}}
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	var networks []*network
	for i := range clients {
		s, n := w.dialThrough(short)
		networks = append(networks, n)
		pair := [][]string{{"a", "b"}, {"b", "c"}, {"c", "a"}, {"c", "b", "a"}}[i]
		all.Go(func() { w.workMulti(ctx, s, pair, witnesses) })
	}
	all.Go(func() { breakMultiAtRandom(ctx, networks, rand.New(rand.NewPCG(seed, 0))) })
	<-time.After(2 * time.Second)
	for name, see := range witnesses {
		eventually(t, name+" has been held", func() bool { return see.acquisitions() > 0 })
	}
	stop()
	all.Wait()
	for _, n := range networks {
		n.heal()
	}
	w.become("a b c", 0)
	for name, see := range witnesses {
		t.Logf("%s: %d acquisitions", name, see.count)
	}
}

// A witnessMulti is told of every acquisition of one path.
type witnessMulti struct {
	testing.TB
	mu    sync.Mutex
	last  *zklock.MultiLease
	count int
}

func (w *witnessMulti) enter(l *zklock.MultiLease) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !believes(l) {
		return // lost before anything could be done with it
	}
	if w.last != nil && believes(w.last) {
		w.Errorf("%s and %s both believe that they hold", w.last.Nodes(), l.Nodes())
	}
	if w.last != nil && l.Token() <= w.last.Token() {
		w.Errorf("token %d of %s after %d of %s", l.Token(), l.Nodes(), w.last.Token(), w.last.Nodes())
	}
	w.last = l
	w.count++
}

func (w *witnessMulti) acquisitions() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count
}

// workMulti locks and unlocks until ctx ends. It waits now for a short time, now for long.
func (w *world) workMulti(ctx context.Context, s *zklock.Session, names []string, see map[string]*witnessMulti) {
	var paths []string
	for _, name := range names {
		paths = append(paths, w.at(name)...)
	}
	m, err := zklock.NewMulti(s, paths)
	if err != nil {
		w.Error(err)
		return
	}
	for i := 0; ctx.Err() == nil; i++ {
		some, cancel := context.WithTimeout(ctx, 10*time.Millisecond<<(i%7))
		if lease, err := m.Lock(some); err == nil {
			for _, name := range names {
				see[name].enter(lease)
			}
			lease.Unlock(some) // an error only says that it takes longer
		}
		cancel()
	}
}

func breakMultiAtRandom(ctx context.Context, networks []*network, random *rand.Rand) {
	for ctx.Err() == nil {
		n := networks[random.IntN(len(networks))]
		switch random.IntN(6) {
		case 0:
			n.cut()
		case 1:
			n.loseRequest(opMulti)
		case 2:
			n.loseReply(opMulti)
		case 3:
			n.partition()
		default:
			n.heal()
		}
		select {
		case <-time.After(time.Duration(random.IntN(150)) * time.Millisecond):
		case <-ctx.Done():
		}
	}
}
