package locks_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A witness is told of every acquisition at once, and knows whether two
// clients believe that they hold, or the fence goes backwards.
type witness struct {
	testing.TB
	mu    sync.Mutex
	last  *zklock.Lease
	count int
}

func (w *witness) enter(l *zklock.Lease) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if l.Context().Err() != nil {
		return // lost before anything could be done with it
	}
	if w.last != nil && believes(w.last) {
		w.Errorf("%s and %s both believe that they hold", w.last.Node(), l.Node())
	}
	if w.last != nil && l.Token() <= w.last.Token() {
		w.Errorf("token %d of %s after %d of %s", l.Token(), l.Node(), w.last.Token(), w.last.Node())
	}
	w.last = l
	w.count++
}

func (w *witness) acquisitions() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count
}

// A belief is what says whether a lock is held: a Lease, or a MultiLease.
type belief interface {
	Check(context.Context) error
	Context() context.Context
}

// believes reports whether who has l and looks would believe to hold. Check
// looks at the clock: where the machine stands still, the lease's own may be
// late. It asks nobody, for its context has ended.
func believes(l belief) bool {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	l.Check(ended)
	return l.Context().Err() == nil
}

// Clients whose networks fail at random, for some seconds: nobody believes
// wrongly, and at the end nothing is left.
func TestStress(t *testing.T) {
	t.Parallel()
	const clients, seed = 4, 7
	for i, r := range recipes[:3] {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			see := &witness{TB: t}
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			w.whileNetworksFail(clients, random, see.acquisitions, func(ctx context.Context, s *zklock.Session) {
				work(ctx, r.make(s, w.path), see)
			})
			t.Logf("%d acquisitions", see.count)
		})
	}
}

// whileNetworksFail has clients work for a while on networks that break, and until
// there is an acquisition, for which a busy machine needs longer. It checks that
// nothing is left in the queue.
func (w *world) whileNetworksFail(clients int, random *rand.Rand, acquisitions func() int, work func(context.Context, *zklock.Session)) {
	w.Helper()
	ctx, stop := context.WithCancel(w.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	var networks []*network
	for range clients {
		s, n := w.dialThrough(short)
		networks = append(networks, n)
		all.Go(func() { work(ctx, s) })
	}
	all.Go(func() { breakAtRandom(ctx, networks, random) })
	<-time.After(5 * time.Second)
	eventually(w, "somebody has held", func() bool { return acquisitions() > 0 })
	stop()
	all.Wait()
	for _, n := range networks {
		n.heal()
	}
	w.empties()
}

// work locks and unlocks until ctx ends. It waits now for a short time, now for long.
func work(ctx context.Context, lock zklock.Locker, see *witness) {
	for i := 0; ctx.Err() == nil; i++ {
		some, cancel := context.WithTimeout(ctx, 5*time.Millisecond<<(i%8))
		lease, err := lock.Lock(some)
		if err == nil {
			see.enter(lease)
			lease.Unlock(some) // an error only says that it takes longer
		}
		cancel()
	}
}

func breakAtRandom(ctx context.Context, networks []*network, random *rand.Rand) {
	ops := []int32{opCreate, opDelete, opGetChildren2, opGetData, opMulti, opSetWatches, opPing}
	for ctx.Err() == nil {
		n, op := networks[random.IntN(len(networks))], ops[random.IntN(len(ops))]
		switch random.IntN(6) {
		case 0:
			n.cut()
		case 1:
			n.loseRequest(op)
		case 2:
			n.loseReply(op)
		case 3:
			n.partition()
		case 4:
			n.holdReplies()
		default:
			n.heal()
		}
		select {
		case <-time.After(time.Duration(random.IntN(200)) * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// Goroutines of one process share a session, and even a lock object.
func TestOneSessionManyGoroutines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := zklock.NewMutex(w.dial(session), w.path)
	see := &witness{TB: t}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				lease, err := lock.Lock(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				see.enter(lease)
				if err := lease.Unlock(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if see.count != 40 {
		t.Errorf("%d acquisitions, want 40", see.count)
	}
}

// outage is the timeout of sessions that outlast the restart of a server,
// however slow the machine is.
const outage = time.Minute

// The server dies and comes back: who held still holds, who waited waits on.
func TestServerRestart(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	w := &world{TB: t, server: server, conn: server.Conn(t), path: server.Root(t) + "/lock"}
	dial := func() *zklock.Session { // a server that boots accepts, and answers nothing at first
		return w.dial(outage, zklock.WithHandshakeTimeout(2*time.Second))
	}
	holder := w.lock(zklock.NewMutex(dial(), w.path))
	waiter := w.startLock(zklock.NewMutex(dial(), w.path))
	if err := zktest.Kill(server.Managed().PID()); err != nil {
		t.Fatal(err)
	}
	waiter.await(t, "wait-start", 2)
	if err := holder.Check(w.within()); err != nil {
		t.Fatal(err)
	}
	w.unlock(holder)
	w.unlock(waiter.held(t))
}

// A server that accepts and says nothing does not hold a client up.
func TestMuteServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := newNetwork(t)
	n.holdReplies()
	s := w.dial(session, zklock.WithDialer(n.Dial), zklock.WithHandshakeTimeout(500*time.Millisecond))
	eventually(t, "it has tried again", func() bool { return n.dials() >= 3 })
	n.heal()
	w.unlock(w.lock(zklock.NewMutex(s, w.path)))
}

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

// workInCrowd takes permits until ctx ends. It waits now for a short time, now for long.
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
