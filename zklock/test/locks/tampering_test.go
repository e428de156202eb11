package locks_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A child without a sequence number is nobody's, whatever it is called.
func TestStraysAreIgnored(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		lock := r.make(w.dial(session), w.path)
		w.unlock(w.lock(lock))
		for _, name := range []string{"_c_", "stray", "lock-", "lock-1", "_c_x-lock-", "__WRIT__", "x__WRIT__123456789"} {
			if _, err := w.conn.Create(w.path+"/"+name, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
				w.Fatal(err)
			}
		}
		w.unlock(w.lock(lock))
	})
}

func TestParentDeletedBetween(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		lock := r.make(w.dial(session), w.path+"/deep/er")
		first := w.lock(lock)
		w.unlock(first)
		for _, part := range []string{"/deep/er", "/deep", ""} {
			if err := w.conn.Delete(w.path+part, -1); err != nil {
				w.Fatal(err)
			}
		}
		again := w.lock(lock)
		if again.Token() <= first.Token() {
			w.Errorf("token %d after %d", again.Token(), first.Token())
		}
		w.unlock(again)
	})
}

// Somebody deletes the waiter's znode: it must not believe to be first, nor
// wait forever, but stand in line again.
func TestOwnNodeDeletedWhileWaiting(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		waiter := w.startLock(r.make(w.dial(session), w.path))
		if err := w.conn.Delete(w.others(holder)[0], -1); err != nil {
			w.Fatal(err)
		}
		w.unlock(holder)
		lease := waiter.held(w)
		if err := lease.Check(w.within()); err != nil {
			w.Fatal(err)
		}
		if n := waiter.count("enqueued recovered=false failed=false"); n != 2 {
			w.Errorf("stood in line %d times, want 2", n)
		}
		w.unlock(lease)
	})
}

// Somebody deletes the holder's znode: Unlock and Check say so.
func TestOwnNodeDeletedWhileHeld(t *testing.T) {
	for name, act := range map[string]func(*zklock.Lease, context.Context) error{
		"Check": (*zklock.Lease).Check, "Unlock": (*zklock.Lease).Unlock,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			lease := w.lock(newMutex(w.dial(session), w.path))
			if err := w.conn.Delete(lease.Node(), -1); err != nil {
				t.Fatal(err)
			}
			if err := act(lease, w.within()); !errors.Is(err, zklock.ErrLost) {
				t.Errorf("%s = %v, want ErrLost", name, err)
			}
			if lease.Context().Err() == nil {
				t.Error("the lease goes on")
			}
		})
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	lease := w.lock(newMutex(s, w.path))
	write := func(n int) error {
		_, err := s.Client().Multi(lease.Guard(), &zk.CreateRequest{
			Path: fmt.Sprintf("%s-data-%d", w.path, n), Acl: zk.WorldACL(zk.PermAll),
		})
		return err
	}
	if err := write(1); err != nil {
		t.Fatal(err)
	}
	w.unlock(lease)
	if err := write(2); err == nil {
		t.Error("a released lease still guards")
	}
	if found, _, err := w.conn.Exists(w.path + "-data-2"); err != nil || found {
		t.Errorf("the write took effect: %v, %v", found, err)
	}
}

// The client's buffer is too small for the queue: Lock says so, where
// go-zookeeper only breaks the connection again and again.
func TestTooManyWaiters(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		lock := r.make(w.dial(session, zklock.WithBuffers(512, 4096)), w.path)
		w.unlock(w.lock(lock))
		for i := range 20 {
			if _, err := w.conn.Create(fmt.Sprintf("%s/a-stray-with-a-long-name-%d", w.path, i), nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
				w.Fatal(err)
			}
		}
		if _, err := lock.Lock(w.within()); !errors.Is(err, zklock.ErrTooManyWaiters) {
			w.Fatalf("Lock = %v, want ErrTooManyWaiters", err)
		}
		eventually(w, "its znode is gone", func() bool { return len(w.children()) == 20 })
	})
}
