package locks_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// owned is a context of a new owner, bounded as a step of the test is.
func (w *world) owned() context.Context { return zklock.WithOwner(w.within()) }

// take takes a reentrant lock that must be had.
func (w *world) take(ctx context.Context, r *zklock.Reentrant) *zklock.Hold {
	w.Helper()
	h, err := r.Lock(ctx)
	if err != nil {
		w.Fatal(err)
	}
	return h
}

func (w *world) giveUp(h *zklock.Hold) {
	w.Helper()
	if err := h.Unlock(w.within()); err != nil {
		w.Fatal(err)
	}
}

// A call is one of Reentrant.Lock in another goroutine.
type call struct {
	*recorder
	hold   *zklock.Hold
	err    error
	done   chan struct{}
	cancel context.CancelFunc
}

// A context whose end somebody waits for tells so: a call of Lock that waits has its
// place in the local queue.
type awaited struct {
	context.Context
	once  *sync.Once
	waits chan struct{}
}

func (c awaited) Done() <-chan struct{} {
	c.once.Do(func() { close(c.waits) })
	return c.Context.Done()
}

// call begins to lock, and returns when the call waits, for whomever.
func (w *world) call(ctx context.Context, r *zklock.Reentrant) *call {
	w.Helper()
	c := &call{recorder: newRecorder(), done: make(chan struct{})}
	ctx, c.cancel = context.WithCancel(zklock.WithTrace(ctx, c.trace()))
	waiting := awaited{ctx, new(sync.Once), make(chan struct{})}
	go func() {
		defer close(c.done)
		c.hold, c.err = r.Lock(waiting)
	}()
	w.Cleanup(func() { c.cancel(); <-c.done })
	receive(w, waiting.waits, "the call to wait")
	return c
}

func (c *call) held(tb testing.TB) *zklock.Hold {
	tb.Helper()
	receive(tb, c.done, "Lock to return")
	if c.err != nil {
		tb.Fatal(c.err)
	}
	return c.hold
}

// The owner takes the lock three times, with one znode, and the last Unlock
// releases it.
func TestReentrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReentrant(w.dial(session), w.path)
	ctx := w.owned()
	outer := w.take(ctx, r)
	inner := w.take(outer.Context(), r)
	tried, err := r.TryLock(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if outer.Token() != inner.Token() || outer.Node() != tried.Node() || len(w.children()) != 1 {
		t.Errorf("the holds differ: %q", w.children())
	}
	w.giveUp(inner)
	w.giveUp(inner) // counts once
	w.giveUp(outer) // in any order
	if err := tried.Check(w.within()); err != nil || tried.Context().Err() != nil {
		t.Fatalf("released before the last Unlock: %v", err)
	}
	w.giveUp(tried)
	if cause := context.Cause(outer.Context()); !errors.Is(cause, zklock.ErrUnlocked) {
		t.Errorf("cause %v, want ErrUnlocked", cause)
	}
	w.empties()
	w.giveUp(w.take(ctx, r))
}

func TestReentrantNeedsOwner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReentrant(w.dial(session), w.path)
	for op, lock := range map[string]func(context.Context) (*zklock.Hold, error){"lock": r.Lock, "try": r.TryLock} {
		_, err := lock(w.within())
		var detail *zklock.Error
		if !errors.Is(err, zklock.ErrNoOwner) || !errors.As(err, &detail) || detail.Op != op || detail.Path != w.path {
			t.Errorf("%s = %v, want ErrNoOwner", op, err)
		}
	}
}

// However many owners wait, the process has one znode, and they get the lock
// in the order of their calls.
func TestReentrantLocalQueue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReentrant(w.dial(session), w.path)
	last := w.take(w.owned(), r)
	var queue []*call
	for range 5 {
		queue = append(queue, w.call(w.owned(), r))
	}
	for i, next := range queue {
		if n := len(w.children()); n != 1 {
			t.Errorf("%d znodes, want 1", n)
		}
		w.giveUp(last)
		h := next.held(t)
		if h.Token() <= last.Token() {
			t.Errorf("token %d after %d", h.Token(), last.Token())
		}
		for _, later := range queue[i+1:] {
			if later.count("enqueue-start") > 0 {
				t.Error("a later owner overtook")
			}
		}
		last = h
	}
	w.giveUp(last)
}

// Another process has its turn between two owners of one.
func TestReentrantIsFairToOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReentrant(w.dial(session), w.path)
	first := w.take(w.owned(), r)
	second := w.call(w.owned(), r)
	other := w.startLock(newMutex(w.dial(session), w.path))
	w.giveUp(first)
	lease := other.held(t)
	second.await(t, "wait-start", 1)
	w.unlock(lease)
	h := second.held(t)
	if h.Token() <= lease.Token() {
		t.Error("the second owner stood in the first one's place")
	}
	w.giveUp(h)
}

// The place in the local queue is given up only when the znode is gone: the next owner
// does not move before that.
func TestReentrantReleasesMutexFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var second *call
	check := func(when string) {
		w.children() // that takes longer than to begin
		if n := second.count("enqueue-start"); n != 0 {
			t.Errorf("%s: the next owner has begun", when)
		}
	}
	trace := &zklock.Trace{
		ReleaseStart: func(zklock.ReleaseStartInfo) { check("release-start") },
		Released:     func(zklock.ReleasedInfo) { check("released") },
	}
	r := newReentrant(w.dial(session), w.path)
	first := w.take(zklock.WithTrace(w.owned(), trace), r)
	second = w.call(w.owned(), r)
	w.giveUp(first)
	w.giveUp(second.held(t))
}

func TestReentrantTryLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReentrant(w.dial(session), w.path)
	mine := w.take(w.owned(), r)
	if _, err := r.TryLock(w.owned()); !errors.Is(err, zklock.ErrHeld) {
		t.Errorf("TryLock of another owner = %v, want ErrHeld", err)
	}
	w.giveUp(mine)
	other := w.lock(newMutex(w.dial(session), w.path))
	ctx := w.owned()
	if _, err := r.TryLock(ctx); !errors.Is(err, zklock.ErrHeld) {
		t.Errorf("TryLock while another process holds = %v, want ErrHeld", err)
	}
	waiting := w.call(ctx, r)
	waiting.await(t, "wait-start", 1)
	if _, err := r.TryLock(ctx); !errors.Is(err, zklock.ErrHeld) {
		t.Errorf("TryLock while the owner waits = %v, want ErrHeld", err)
	}
	w.unlock(other)
	w.giveUp(waiting.held(t))
	last, err := r.TryLock(w.owned())
	if err != nil {
		t.Fatalf("somebody is left: %v", err)
	}
	w.giveUp(last)
}

// Two objects on one path contend as two processes do, also for one owner.
func TestReentrantObjectsContend(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, ctx := w.dial(session), w.owned()
	h := w.take(ctx, newReentrant(s, w.path))
	if _, err := newReentrant(s, w.path).TryLock(ctx); !errors.Is(err, zklock.ErrHeld) {
		t.Errorf("TryLock of another object = %v, want ErrHeld", err)
	}
	w.giveUp(h)
}
