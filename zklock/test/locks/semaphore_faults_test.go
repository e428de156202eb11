package locks_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// losses runs test twice: the next request with op, by the session that it dials, is
// lost, and the reply to it is.
func losses(t *testing.T, op int32, test func(w *world, s *zklock.Session, lose func() (lost <-chan struct{}))) {
	t.Parallel()
	for name, lose := range map[string]func(*network, ...int32) <-chan struct{}{
		"request": (*network).loseRequest, "reply": (*network).loseReply,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s, network := w.dialThrough(session)
			test(w, s, func() <-chan struct{} { return lose(network, op) })
		})
	}
}

// A mark whose request or reply is lost is written again: the one behind is
// not left waiting.
func TestSemaphoreLostMark(t *testing.T) {
	losses(t, opSetData, func(w *world, s *zklock.Session, lose func() <-chan struct{}) {
		leases := w.hold(w.semaphore(2), 2)
		next := w.startLock(permits{newSemaphore(s, w.path, 2)})
		last := w.startLock(w.semaphore(2))
		lost := lose()
		w.unlock(leases[0])
		receive(w, lost, "the loss")
		next.held(w)
		w.unlock(leases[1])
		last.held(w)
	})
}

// The limit's first write is repeated until it is known to be done.
func TestSemaphoreLostFirstLimit(t *testing.T) {
	losses(t, opSetData, func(w *world, s *zklock.Session, lose func() <-chan struct{}) {
		lost := lose()
		w.lock(permits{newSemaphore(s, w.path, 2)})
		receive(w, lost, "the loss")
		w.lock(w.semaphore(2))
	})
}

func TestSemaphoreLostResize(t *testing.T) {
	losses(t, opMulti, func(w *world, s *zklock.Session, lose func() <-chan struct{}) {
		p := permits{newSemaphore(s, w.path, 1)}
		w.lock(p)
		waiter := w.startLock(w.semaphore(1))
		lost := lose()
		if err := p.Resize(w.within(), 2); err != nil {
			w.Fatal(err)
		}
		receive(w, lost, "the loss")
		waiter.held(w)
	})
}

// A waiter whose connection breaks looks again at once, for the library does
// not tell when it fails to set a watch again.
func TestSemaphoreReconnect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(w.semaphore(1))
	var queue []*attempt
	for range 2 { // the head, and one behind it
		s, network := w.dialThrough(session)
		waiter := w.startLock(permits{newSemaphore(s, w.path, 1)})
		before := s.SessionID()
		waits := waiter.count("wait-start")
		network.cut()
		waiter.await(t, "wait-start", waits+1)
		if s.SessionID() != before {
			t.Error("the session did not survive")
		}
		queue = append(queue, waiter)
	}
	w.unlock(holder)
	w.unlock(queue[0].held(t))
	w.unlock(queue[1].held(t))
}

// The connection of each waiter breaks, and what is released meanwhile no
// event can tell it.
func TestSemaphoreReleaseWhileDisconnected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	leases := w.hold(w.semaphore(2), 2)
	var queue []*attempt
	var networks []*network
	for range 3 { // the head, one behind it, and one behind that
		s, network := w.dialThrough(session)
		queue = append(queue, w.startLock(permits{newSemaphore(s, w.path, 2)}))
		networks = append(networks, network)
	}
	for _, n := range networks {
		n.partition()
		n.cut()
	}
	for _, lease := range leases {
		w.unlock(lease)
	}
	for _, n := range networks {
		n.heal()
	}
	w.unlock(queue[0].held(t))
	queue[1].held(t)
	queue[2].held(t)
}

// A session that ends returns its permits, and its place in the queue.
func TestSemaphoreExpiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(mortal)
	p := permits{newSemaphore(s, w.path, 2)}
	lost := w.lock(p)
	lease := w.lock(w.semaphore(2))
	waiter := w.startLock(p)
	next := w.startLock(w.semaphore(2))
	network.partition()
	if err := waiter.failed(t); !errors.Is(err, zklock.ErrSessionLost) {
		t.Errorf("Acquire = %v, want ErrSessionLost", err)
	}
	next.held(t)
	select {
	case <-lost.Lost():
	default:
		t.Error("three believe that they hold")
	}
	w.unlock(lease)
	network.heal()
	w.unlock(w.lock(p)) // in the next session
}

// Somebody deletes the znode of a waiter, who stands in line again.
func TestSemaphoreWaiterDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(w.semaphore(1))
	waiter := w.startLock(w.semaphore(1))
	node := w.others(holder)[0]
	last := w.startLock(w.semaphore(1))
	if err := w.conn.Delete(node, -1); err != nil {
		t.Fatal(err)
	}
	waiter.await(t, "enqueued recovered=false failed=false", 2)
	w.unlock(holder)
	w.unlock(last.held(t))
	w.unlock(waiter.held(t))
}

// Waiters that give up behind the same one leave a single watch, which the
// next takes over.
func TestSemaphoreSparesWatches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(w.semaphore(1))
	head := w.startLock(w.semaphore(1))
	s, network := w.dialThrough(session)
	p := permits{newSemaphore(s, w.path, 1)}
	for range 5 {
		waiter := w.startLock(p)
		waiter.cancel()
		if err := waiter.failed(t); err == nil {
			t.Fatal("two hold")
		}
		waiter.await(t, "orphan-done failed=false", 1)
	}
	if n := network.requests(opGetData); n != 2 { // one is of the limit
		t.Errorf("%d reads, want 2", n)
	}
	last := w.startLock(p)
	w.unlock(holder)
	w.unlock(head.held(t))
	w.unlock(last.held(t))
}

func TestSemaphoreClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.lock(w.semaphore(1))
	s := w.dial(session)
	p := permits{newSemaphore(s, w.path, 1)}
	waiter := w.startLock(p)
	closeSession(t, s)
	if err := waiter.failed(t); !errors.Is(err, zklock.ErrClosed) {
		t.Errorf("Acquire = %v, want ErrClosed", err)
	}
	if _, err := p.Acquire(w.within()); !errors.Is(err, zklock.ErrClosed) {
		t.Errorf("Acquire = %v, want ErrClosed", err)
	}
	if err := p.Resize(w.within(), 2); !errors.Is(err, zklock.ErrClosed) || !strings.Contains(err.Error(), "resize "+w.path) {
		t.Errorf("Resize = %v, want ErrClosed", err)
	}
}
