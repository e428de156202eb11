package locks_test

import (
	"errors"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// A release notifies the first in line and the one behind it, and no other waiter.
func TestSemaphoreWakeUps(t *testing.T) {
	t.Parallel()
	const waiters, limit = 10, 3
	w := newWorld(t)
	leases := w.hold(w.semaphore(limit), limit)
	var queue []*attempt
	var listeners []*listener
	for i := range waiters {
		l := w.listen()
		listeners = append(listeners, l)
		// A lease that watches its own znode hears of its own mark in that.
		p := newSemaphore(l.session, w.path, limit, zklock.WithOwnWatch(false))
		queue = append(queue, w.startLock(permits{p}))
		queue[0].await(t, "wait-start", i+1) // each arrival wakes the head
	}
	for i := range queue {
		waiting := listeners[i:] // a holder hears once more from its watch on the queue
		before := toldAll(waiting)
		w.unlock(leases[i])
		leases = append(leases, queue[i].held(t))
		woken := 1
		if i+1 < waiters {
			woken = 2
			queue[i+1].await(t, "wait-start", 2) // and it is the head now
		}
		if n := toldAll(waiting) - before; n != woken {
			t.Errorf("release %d notified %d, want %d", i, n, woken)
		}
	}
}

// What a permit costs is known to the request.
func TestSemaphoreRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	p := permits{newSemaphore(s, w.path, 2)}
	w.unlock(w.lock(p))
	network.sends(t, "create list delete", func() { w.unlock(w.lock(p)) })
	others := w.semaphore(2)
	leases := w.hold(others, 2)
	network.sends(t, "create list list list delete", func() { // the first in line
		waiter := w.startLock(p)
		w.unlock(leases[0])
		w.unlock(waiter.held(t))
		leases = append(leases[1:], w.lock(others))
	})
	closeSession(t, s)                            // waits for what is done in the background
	if n := network.requests(opSetData); n != 1 { // the limit
		t.Errorf("wrote %d times, want 1: nobody was behind", n)
	}
}

func TestSemaphoreData(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(w.semaphore(1))
	waiter := w.startLock(w.semaphore(1, zklock.WithData([]byte("who"))))
	last := w.startLock(w.semaphore(1))
	w.unlock(holder)
	lease := waiter.held(t)
	last.await(t, "wait-start "+w.path, 2) // it has seen the mark
	data, stat, err := w.conn.Get(lease.Node())
	if err != nil || string(data) != "who" || stat.Version != 1 {
		t.Errorf("data %q, version %d, %v", data, stat.Version, err)
	}
	w.checkToken(lease)
}

func TestSemaphoreMaxWaiters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.semaphore(2, zklock.WithMaxWaiters(1), zklock.WithProbe())
	w.hold(p, 2)
	w.startLock(p)
	if _, err := p.Acquire(w.within()); !errors.Is(err, zklock.ErrTooManyWaiters) {
		t.Errorf("Acquire = %v, want ErrTooManyWaiters", err)
	}
	if _, err := p.TryAcquire(w.within()); !errors.Is(err, zklock.ErrHeld) {
		t.Errorf("TryAcquire = %v, want ErrHeld", err)
	}
}
