package locks_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// mortal is the timeout of sessions that are to expire when the test has cut
// them off, and not before, though the machine stalls for some seconds.
const mortal = 6 * time.Second

// A waiter whose connection breaks waits on, and gets the lock.
func TestReconnectWhileWaiting(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		s, network := w.dialThrough(session)
		waiter := w.startLock(r.make(s, w.path))
		before := s.SessionID()
		network.cut()
		waiter.await(w, "wait-start", 2)
		w.unlock(holder)
		w.unlock(waiter.held(w))
		if s.SessionID() != before {
			w.Error("the session did not survive")
		}
	})
}

// The release happens while the waiter is away: no event can tell it.
func TestReleaseWhileDisconnected(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		s, network := w.dialThrough(session)
		waiter := w.startLock(r.make(s, w.path))
		network.partition()
		network.cut()
		w.unlock(holder)
		network.heal()
		w.unlock(waiter.held(w))
	})
}

func TestLostWatchRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	for _, lose := range []func(...int32) <-chan struct{}{network.loseRequest, network.loseReply} {
		holder := w.lock(newMutex(w.dial(session), w.path))
		lost := lose(opGetData)
		waiter := w.startLock(newMutex(s, w.path))
		receive(t, lost, "the loss")
		w.unlock(holder)
		w.unlock(waiter.held(t))
	}
}

// Unlock is given up while the server cannot be reached.
func TestUnlockDisconnected(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, network := w.dialThrough(session)
		record := newRecorder()
		lease := w.lock(r.make(s, w.path), record.trace())
		network.partition()
		ctx, cancel := context.WithTimeout(w.Context(), 50*time.Millisecond)
		defer cancel()
		if err := lease.Unlock(ctx); !errors.Is(err, context.DeadlineExceeded) {
			w.Fatalf("Unlock = %v, want the deadline's error", err)
		}
		if lease.Context().Err() == nil {
			w.Error("the lease goes on")
		}
		record.await(w, "orphan-queued", 1)
		network.heal()
		record.await(w, "orphan-done failed=false", 1)
		w.empties()
	})
}

// The session expires while its client waits.
func TestExpiryWhileWaiting(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		s, network := w.dialThrough(mortal)
		waiter := w.startLock(r.make(s, w.path))
		before := s.SessionID()
		network.partition()
		if err := waiter.failed(w); !errors.Is(err, zklock.ErrSessionLost) {
			w.Fatalf("Lock = %v, want ErrSessionLost", err)
		}
		eventually(w, "the server has expired the session", func() bool { return len(w.children()) == 1 })
		network.heal()
		again := w.startLock(r.make(s, w.path))
		w.unlock(holder)
		w.unlock(again.held(w))
		if s.SessionID() == before {
			w.Error("the session survived")
		}
	})
}

// A partition: the holder knows of its loss before the server gives the lock
// to another.
func TestPartitionWhileHolding(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, network := w.dialThrough(mortal)
		record := newRecorder()
		lease := w.lock(r.make(s, w.path), record.trace())
		next := w.startLock(r.exclusive(w.dial(session), w.path))
		network.partition()
		receive(w, next.done, "the next holder")
		if next.err != nil {
			w.Fatal(next.err)
		}
		// The clock has to say so; the timer may be late on a busy machine.
		if err := lease.Check(w.ended(context.Canceled)); !errors.Is(err, zklock.ErrLost) {
			w.Error("two hold, and the first does not know")
		}
		if cause := context.Cause(lease.Context()); !errors.Is(cause, zklock.ErrLost) || !errors.Is(cause, zklock.ErrSessionLost) {
			w.Errorf("cause %v", cause)
		}
		if next.lease.Token() <= lease.Token() {
			w.Errorf("token %d after %d", next.lease.Token(), lease.Token())
		}
		record.await(w, "lost", 1)
		if err := lease.Unlock(w.within()); !errors.Is(err, zklock.ErrLost) {
			w.Errorf("Unlock = %v, want ErrLost", err)
		}
		network.heal()
		if err := s.WaitConnected(w.within()); err != nil {
			w.Fatal(err)
		}
		if n := record.count("release-start"); n != 0 {
			w.Error("a lost lease was released")
		}
		w.unlock(next.lease)
	})
}

// A break shorter than the session timeout costs nothing.
func TestReconnectWhileHolding(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, network := w.dialThrough(session)
		lease := w.lock(r.make(s, w.path))
		before := s.Context()
		for range 3 {
			network.cut()
			if err := lease.Check(w.within()); err != nil {
				w.Fatal(err)
			}
		}
		if before != s.Context() || lease.Context().Err() != nil {
			w.Error("the lease did not survive")
		}
		w.unlock(lease)
	})
}

// Replies do not come through, but the server hears the client: the client
// gives up its lock by its own clock, and cleans up when it learns that its
// session lives.
func TestLostByClockInLiveSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(mortal)
	record := newRecorder()
	lease := w.lock(newMutex(s, w.path), record.trace())
	before := s.SessionID()
	network.holdReplies()
	receive(t, lease.Lost(), "the loss")
	if found, stat, err := w.conn.Exists(lease.Node()); err != nil || !found || stat.EphemeralOwner != before {
		t.Fatalf("the server has ended the session: %v, %v", found, err)
	}
	network.heal()
	record.await(t, "orphan-done", 1)
	w.empties()
	w.unlock(w.lock(newMutex(s, w.path)))
}

// The server ends the session while its client is cut off for a moment only.
func TestSessionEndedByServer(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, network := w.dialThrough(mortal)
		lease := w.lock(r.make(s, w.path))
		network.partition()
		network.cut()
		eventually(w, "the session has expired", func() bool { return len(w.children()) == 0 })
		network.heal()
		receive(w, lease.Lost(), "the loss")
		w.unlock(w.lock(r.make(s, w.path)))
	})
}

// checkToken compares a lease's token with what the server says.
func (w *world) checkToken(l *zklock.Lease) {
	w.Helper()
	found, stat, err := w.conn.Exists(l.Node())
	if err != nil || !found {
		w.Fatal(found, err)
	}
	if l.Token() != zklock.Token(stat.Czxid) {
		w.Errorf("token %#x, want the czxid %#x", l.Token(), stat.Czxid)
	}
}
