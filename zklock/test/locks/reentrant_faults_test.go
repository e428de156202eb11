package locks_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// Waiters that give up, here or in ZooKeeper, make way for the others.
func TestReentrantCancel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReentrant(w.dial(session), w.path)
	other := w.lock(newMutex(w.dial(session), w.path))
	var queue []*call
	for range 4 {
		queue = append(queue, w.call(w.owned(), r))
	}
	queue[0].await(t, "wait-start", 1)
	for _, c := range []*call{queue[1], queue[0], queue[2]} {
		c.cancel()
		receive(t, c.done, "Lock to return")
		if !errors.Is(c.err, context.Canceled) {
			t.Errorf("Lock = %v, want Canceled", c.err)
		}
	}
	w.unlock(other)
	w.giveUp(queue[3].held(t))
	w.empties()
}

// Calls that one owner makes at once wait as one, and each counts.
func TestReentrantCallsOfOneOwner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReentrant(w.dial(session), w.path)
	other := w.lock(newMutex(w.dial(session), w.path))
	ctx := w.owned()
	first := w.call(ctx, r)
	first.await(t, "wait-start", 1)
	calls := []*call{w.call(ctx, r), w.call(ctx, r), w.call(ctx, r)}
	first.cancel() // another call asks in its stead
	receive(t, first.done, "the first call")
	w.unlock(other)
	token := calls[0].held(t).Token()
	for _, c := range calls {
		if c.held(t).Token() != token {
			t.Error("one owner got two acquisitions")
		}
	}
	w.giveUp(calls[0].hold)
	w.giveUp(calls[1].hold)
	if err := calls[2].hold.Check(w.within()); err != nil {
		t.Errorf("released before the last Unlock: %v", err)
	}
	w.giveUp(calls[2].hold)
}

// A loss ends all holds of the owner, and the next in line need not wait until
// it has noticed.
func TestReentrantLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(mortal)
	r := newReentrant(s, w.path)
	ctx := w.owned()
	outer := w.take(ctx, r)
	inner := w.take(ctx, r)
	next := w.call(w.owned(), r)
	network.partition()
	receive(t, outer.Lost(), "the loss")
	receive(t, inner.Lost(), "the loss")
	network.heal()
	next.await(t, "enqueue-start", 1) // nobody has come, or unlocked, to see that the owner is gone
	again := w.call(ctx, r)           // the owner has not unlocked anything yet
	h := next.held(t)
	for _, lost := range []*zklock.Hold{inner, outer} {
		if err := lost.Unlock(w.within()); !errors.Is(err, zklock.ErrLost) {
			t.Errorf("Unlock = %v, want ErrLost", err)
		}
	}
	if err := h.Check(w.within()); err != nil {
		t.Errorf("unlocking a lost hold hurt the next: %v", err)
	}
	w.giveUp(h)
	if last := again.held(t); last.Token() <= h.Token() {
		t.Error("the owner's next Lock was not a new acquisition")
	}
	w.giveUp(again.hold)
	w.empties()
}

// A call that does not return normally leaves nothing behind.
func TestReentrantPanicInHook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReentrant(w.dial(session), w.path)
	func() {
		defer func() { recover() }()
		trace := &zklock.Trace{EnqueueStart: func(zklock.EnqueueStartInfo) { panic("in a hook") }}
		r.Lock(zklock.WithTrace(w.owned(), trace))
		t.Error("Lock returned")
	}()
	w.giveUp(w.take(w.owned(), r))
}

func TestReentrantClosedSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	r := newReentrant(s, w.path)
	h := w.take(w.owned(), r)
	waiting := []*call{w.call(w.owned(), r), w.call(w.owned(), r)}
	closeSession(t, s)
	for _, c := range waiting {
		receive(t, c.done, "Lock to return")
		if !errors.Is(c.err, zklock.ErrClosed) {
			t.Errorf("Lock = %v, want ErrClosed", c.err)
		}
	}
	if err := h.Unlock(w.within()); !errors.Is(err, zklock.ErrLost) {
		t.Errorf("Unlock = %v, want ErrLost", err)
	}
}

func TestReentrantExclusion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const processes, owners, rounds = 3, 3, 5
	var holder, entries atomic.Int64
	var all sync.WaitGroup
	for process := range processes {
		r := newReentrant(w.dial(session), w.path)
		for n := range owners {
			me := int64(process*owners + n + 1)
			all.Go(func() {
				for range rounds {
					w.nest(zklock.WithOwner(w.Context()), r, 2, func(depth int) {
						if depth == 0 && !holder.CompareAndSwap(0, me) || holder.Load() != me {
							w.Error("two hold at once")
						}
						entries.Add(1)
					}, func() { holder.Store(0) })
				}
			})
		}
	}
	all.Wait()
	if n := entries.Load(); n != 2*processes*owners*rounds {
		t.Errorf("entered %d times", n)
	}
	w.empties()
}

// nest takes the lock levels times, one inside the other.
func (w *world) nest(ctx context.Context, r *zklock.Reentrant, levels int, entered func(depth int), leaving func()) {
	var holds []*zklock.Hold
	for depth := range levels {
		h, err := r.Lock(ctx)
		if err != nil {
			w.Error(err)
			return
		}
		holds = append(holds, h)
		entered(depth)
	}
	for depth := levels - 1; depth >= 0; depth-- {
		if depth == 0 {
			leaving()
		}
		if err := holds[depth].Unlock(w.Context()); err != nil {
			w.Error(err)
		}
	}
}

// The owner locks again while its last Unlock is under way: that is a new
// acquisition, after the old one.
func TestReentrantLockDuringUnlock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReentrant(w.dial(session), w.path)
	ctx := w.owned()
	var again *call
	trace := &zklock.Trace{ReleaseStart: func(zklock.ReleaseStartInfo) { again = w.call(ctx, r) }}
	h := w.take(zklock.WithTrace(ctx, trace), r)
	w.giveUp(h)
	next := again.held(t)
	if next.Token() <= h.Token() || next.Context().Err() != nil {
		t.Error("got the acquisition that was being released")
	}
	w.giveUp(next)
}
