package locks_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// Who follows the textbook is told, too; who does without the watch is not, and keeps
// the lease until it asks.
func TestNoticeOfLoss(t *testing.T) {
	for name, c := range map[string]struct {
		opts []zklock.Option
		told bool
	}{
		"by default":          {nil, true},
		"textbook":            {[]zklock.Option{zklock.WithTextbook()}, true},
		"switched off":        {[]zklock.Option{zklock.WithOwnWatch(false)}, false},
		"textbook, and off":   {[]zklock.Option{zklock.WithTextbook(), zklock.WithOwnWatch(false)}, false},
		"off, then on again":  {[]zklock.Option{zklock.WithOwnWatch(false), zklock.WithOwnWatch(true)}, true},
		"on before textbook":  {[]zklock.Option{zklock.WithOwnWatch(true), zklock.WithTextbook()}, true},
		"off before textbook": {[]zklock.Option{zklock.WithOwnWatch(false), zklock.WithTextbook()}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := w.dial(session)
			lease := w.lock(newMutex(s, w.path, c.opts...))
			later := w.lock(newMutex(s, w.path+"-later")) // is told after the other would be
			w.watches(later, 1)
			w.delete(lease.Node())
			w.delete(later.Node())
			receive(t, later.Lost(), "the loss")
			w.caughtUp(s)
			if c.told {
				receive(t, lease.Lost(), "the loss")
				if cause := context.Cause(lease.Context()); !errors.Is(cause, zklock.ErrLost) || errors.Is(cause, zklock.ErrSessionLost) {
					t.Errorf("cause %v", cause)
				}
				return
			}
			if err := lease.Context().Err(); err != nil {
				t.Errorf("the lease has ended, by %v", context.Cause(lease.Context()))
			}
			if err := lease.Check(w.within()); !errors.Is(err, zklock.ErrLost) {
				t.Errorf("Check = %v, want ErrLost", err)
			}
		})
	}
}

// The token is the czxid of the lease's znode, however that was made.
func TestTokenIsTheCzxid(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		for name, opts := range map[string][]zklock.DialOption{"directly": nil, "by go-zookeeper": {zklock.WithDirectRequests(false)}} {
			s, network := w.dialThrough(session, opts...)
			lock := r.make(s, w.path)
			for i := range 4 { // one by one request, once the lock is known to be idle
				if i == 3 {
					network.loseReply(opCreate, opMulti) // and one that is found again
				}
				lease := w.lock(lock)
				w.checkToken(lease)
				if err := lease.Check(w.within()); err != nil {
					w.Errorf("%s: %v", name, err)
				}
				w.unlock(lease)
			}
		}
	})
}

// watches waits until n sessions watch the znode of l. One of them is l's own,
// some time after the lock was acquired.
func (w *world) watches(l *zklock.Lease, n int) {
	w.Helper()
	eventually(w, "the znode is watched", func() bool { return len(w.server.Watches(w)[l.Node()]) == n })
}

// The holder is told when the watch is in place already, and over a reconnect.
func TestHolderIsToldLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	lease := w.lock(newMutex(s, w.path))
	w.watches(lease, 1)
	network.cut()
	eventually(t, "it is connected again", func() bool { return network.dials() > 1 })
	w.watches(lease, 1)
	if err := w.conn.Delete(lease.Node(), -1); err != nil {
		t.Fatal(err)
	}
	receive(t, lease.Lost(), "the loss")
}

// Who looks ahead is next without a watch on its own znode for a moment. It
// may then hold without one, but not for long.
func TestWaiterDeletedInTheHandOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := func() zklock.Locker { return newMutex(w.dial(session), w.path) }
	first := w.lock(lock())
	second, third := w.startLock(lock()), w.startLock(lock())
	w.unlock(first)
	lease := second.held(t)
	third.await(t, "listed 1 of 2", 1)
	if err := w.conn.Delete(w.others(lease)[0], -1); err != nil {
		t.Fatal(err)
	}
	w.unlock(lease)
	last := third.held(t)
	// Either it noticed in time and stood in line again, or it is told now.
	if third.count("enqueued recovered=false failed=false") == 1 {
		receive(t, last.Lost(), "the loss")
	} else {
		w.unlock(last)
	}
}

// Waiters who give up leave their watch to the next one.
func TestWaitsThatAreGivenUpShareAWatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(newMutex(w.dial(session), w.path))
	s, network := w.dialThrough(session)
	lock := newMutex(s, w.path)
	for range 5 {
		waiter := w.startLock(lock)
		waiter.cancel()
		if err := waiter.failed(t); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		eventually(t, "its znode is gone", func() bool { return len(w.children()) == 1 })
	}
	// One for the holder, and one for each own znode.
	if n := network.requests(opGetData); n != 1+5 {
		t.Errorf("%d watches set, want 6", n)
	}
	waiter := w.startLock(lock)
	w.unlock(holder)
	w.unlock(waiter.held(t))
}

// A refusing client is refused the watch on a znode as often as refusals says, but
// for that at the path spared.
type refusing struct {
	*zk.Conn
	spared   string
	refusals *atomic.Int32
}

func (c refusing) GetW(path string) ([]byte, *zk.Stat, <-chan zk.Event, error) {
	if path != c.spared && c.refusals.Add(-1) >= 0 {
		return nil, nil, nil, errors.New("unknown error: -127") // what go-zookeeper makes of it
	}
	return c.Conn.GetW(path)
}

// A watch on the own znode that was refused is asked for again, by a holder and by a
// waiter, and then tells of the end of the znode.
func TestOwnWatchRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var refusals atomic.Int32
	bring := func(spared string) *zklock.Session {
		return w.bring(func(c *zk.Conn) zklock.Client { return refusing{c, spared, &refusals} })
	}
	refusals.Store(1)
	holder := w.lock(newMutex(bring(""), w.path))
	w.watches(holder, 1)
	refusals.Store(1)
	waiter := w.startLock(newMutex(bring(holder.Node()), w.path))
	waiter.await(t, "wait-start", 1)
	own := w.others(holder)[0]
	eventually(t, "the own znode is watched", func() bool { return len(w.server.Watches(w)[own]) == 1 })
	if err := w.conn.Delete(own, -1); err != nil {
		t.Fatal(err)
	}
	waiter.await(t, "enqueued recovered=false failed=false", 2)
	if err := w.conn.Delete(holder.Node(), -1); err != nil {
		t.Fatal(err)
	}
	receive(t, holder.Lost(), "the loss")
	w.unlock(waiter.held(t))
	if n := refusals.Load(); n >= 0 {
		t.Errorf("%d refusals are left", n+1)
	}
}

// A lease is told of its znode's deletion once its own watch is set, and not before.
func TestOwnWatchDelay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	late := w.lock(newMutex(s, w.path, zklock.WithOwnWatchDelay(time.Hour)))
	w.delete(late.Node())
	soon := w.lock(newMutex(s, w.path, zklock.WithOwnWatchDelay(0)))
	w.watches(soon, 1)
	w.delete(soon.Node())
	receive(t, soon.Lost(), "the loss")
	if err := late.Err(); err != nil {
		t.Errorf("told before the watch: %v", err)
	}
	if err := late.Check(w.within()); !errors.Is(err, zklock.ErrLost) {
		t.Errorf("Check = %v, want ErrLost", err)
	}
}
