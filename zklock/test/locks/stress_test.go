package locks_test

import (
	"context"
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

// Goroutines of one process share a session, and even a lock object.
func TestOneSessionManyGoroutines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := newMutex(w.dial(session), w.path)
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
	holder := w.lock(newMutex(dial(), w.path))
	waiter := w.startLock(newMutex(dial(), w.path))
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
	w.unlock(w.lock(newMutex(s, w.path)))
}
