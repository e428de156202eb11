package locks_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// A loss, of whatever kind, is that of one lease: the same object locks again,
// and what is done with the lost lease does not reach the next one.
func TestLockAgainAfterLoss(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, network := w.dialThrough(mortal)
		lock := r.make(s, w.path)
		deleted := w.lock(lock)
		w.delete(deleted.Node())
		if err := deleted.Unlock(w.within()); !errors.Is(err, zklock.ErrLost) {
			w.Errorf("Unlock = %v, want ErrLost", err)
		}
		expired := w.lock(lock)
		network.partition()
		receive(w, expired.Lost(), "the loss")
		w.empties()
		network.heal()
		lease := w.lock(lock)
		for _, lost := range []*zklock.Lease{deleted, expired} {
			if err := lost.Unlock(w.within()); !errors.Is(err, zklock.ErrLost) {
				w.Errorf("Unlock = %v, want ErrLost", err)
			}
			if lost.Token() >= lease.Token() {
				w.Errorf("token %d after %d", lease.Token(), lost.Token())
			}
		}
		if err := lease.Check(w.within()); err != nil {
			w.Fatal(err)
		}
		w.unlock(lease)
	})
}

// A release is finished late, in the background, while the same object holds
// again: it deletes its own znode, and no other.
func TestLateReleaseSparesTheNext(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, network := w.dialThrough(session)
		lock, record := r.make(s, w.path), newRecorder()
		old := w.lock(lock, record.trace())
		network.partition()
		ctx, cancel := context.WithTimeout(w.Context(), 20*time.Millisecond)
		defer cancel()
		if err := old.Unlock(ctx); err == nil {
			w.Fatal("unlocked without a connection")
		}
		next := w.beginLock(lock)
		network.heal()
		lease := next.held(w)
		record.await(w, "orphan-done failed=false", 1)
		if err := lease.Check(w.within()); err != nil || lease.Node() == old.Node() {
			w.Errorf("%s after %s: %v", lease.Node(), old.Node(), err)
		}
		w.unlock(lease)
		w.empties()
	})
}

// The same with the znode of a call that was given up: it is looked for by its
// guid, and may never have been made.
func TestLateCleanUpSparesTheNext(t *testing.T) {
	for name, part := range map[string]func(*network){
		"reply-lost": (*network).holdReplies, "request-lost": (*network).partition,
	} {
		t.Run(name, func(t *testing.T) {
			forEach(t, func(w *world, r recipe) {
				s, network := w.dialThrough(session)
				lock := r.make(s, w.path)
				w.unlock(w.lock(lock))
				part(network)
				old := w.beginLock(lock)
				if name == "reply-lost" {
					eventually(w, "it stands in line", func() bool { return len(w.children()) == 1 })
				} else {
					old.await(w, "enqueue-start", 1)
				}
				old.cancel()
				if err := old.failed(w); !errors.Is(err, context.Canceled) {
					w.Fatal(err)
				}
				next := w.beginLock(lock)
				network.cut()
				network.heal()
				lease := next.held(w)
				if old.count("orphan-queued") > 0 { // or else it was given up before anything was sent
					old.await(w, "orphan-done failed=false", 1)
				}
				if err := lease.Check(w.within()); err != nil {
					w.Error(err)
				}
				w.unlock(lease)
				w.empties()
			})
		})
	}
}

// Lock is called before there is a session: the first one is not mistaken for
// a change of sessions.
func TestLockBeforeTheFirstSession(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		network := newNetwork(w)
		network.partition()
		s := w.dial(session, zklock.WithDialer(network.Dial))
		attempt := w.beginLock(r.make(s, w.path))
		if id := s.SessionID(); id != 0 {
			w.Fatalf("session %#x, want none yet", id)
		}
		network.heal()
		lease := attempt.held(w)
		if err := lease.Check(w.within()); err != nil {
			w.Error(err)
		}
		found, stat, err := w.conn.Exists(lease.Node())
		if err != nil || !found || stat.EphemeralOwner != s.SessionID() {
			w.Errorf("znode of %+v, %v; want session %#x", stat, err, s.SessionID())
		}
		w.unlock(lease)
	})
}

// A lock that was revoked is as good as before: its next lease carries the data
// of the lock again, and can be asked for again.
func TestRevokeEachLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	lock := newMutex(s, w.path, zklock.WithData([]byte("me")))
	for range 3 {
		lease := w.lock(lock)
		if data, _, err := w.conn.Get(lease.Node()); err != nil || string(data) != "me" {
			t.Errorf("data %q, %v; want the lock's", data, err)
		}
		select {
		case <-lease.Revoked():
			t.Error("revoked before anybody asked")
		default:
		}
		if err := zklock.Revoke(w.within(), s, lease.Node()); err != nil {
			t.Fatal(err)
		}
		receive(t, lease.Revoked(), "the request")
		w.unlock(lease)
	}
}

// A second Unlock returns what the first one did, however its context stands,
// and so does a second Close.
func TestUnlockAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	const times = 20 // the choice between two that are ready is random
	for name, unlock := range w.unlocks() {
		if err := unlock(w.within()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for range times {
			if err := unlock(ended); err != nil {
				t.Errorf("%s: %v again, want nil", name, err)
			}
		}
	}
	s := w.dial(session)
	closeSession(t, s)
	for range times {
		if err := s.Close(ended); err != nil {
			t.Errorf("Close: %v again, want nil", err)
		}
	}
}

// unlocks takes a lock of each kind, and returns what unlocks it.
func (w *world) unlocks() map[string]func(context.Context) error {
	w.Helper()
	s := w.dial(session)
	hold, err := newReentrant(s, w.path+"/hold").Lock(zklock.WithOwner(w.within()))
	if err != nil {
		w.Fatal(err)
	}
	return map[string]func(context.Context) error{
		"lease": w.lock(newMutex(s, w.path+"/lease")).Unlock,
		"hold":  hold.Unlock,
		"multi": w.lockAll(w.multi(s, "a b")).Unlock,
	}
}
