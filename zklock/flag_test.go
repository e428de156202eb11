package zklock_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// setFlag takes a flag lock that must be had.
func (w *world) setFlag(f *zklock.FlagLock) *zklock.FlagHold {
	w.Helper()
	h, err := f.Lock(w.within())
	if err != nil {
		w.Fatal(err)
	}
	return h
}

func (w *world) emptyFlag(h *zklock.FlagHold) {
	w.Helper()
	if err := h.Unlock(w.within()); err != nil {
		w.Fatal(err)
	}
}

// flag returns the data of the flag's znode, "" when there is none.
func (w *world) flag() (string, *zk.Stat) {
	w.Helper()
	data, stat, err := w.conn.Get(w.path)
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		w.Fatal(err)
	}
	return string(data), stat
}

// A flagCall is one of FlagLock.Lock in another goroutine.
type flagCall struct {
	*recorder
	hold   *zklock.FlagHold
	err    error
	done   chan struct{}
	cancel context.CancelFunc
}

// waitForFlag begins to lock, and returns when it waits.
func (w *world) waitForFlag(f *zklock.FlagLock) *flagCall {
	w.Helper()
	c := &flagCall{recorder: newRecorder(), done: make(chan struct{})}
	ctx, cancel := context.WithCancel(zklock.WithTrace(w.Context(), c.trace()))
	c.cancel = cancel
	go func() {
		defer close(c.done)
		c.hold, c.err = f.Lock(ctx)
	}()
	w.Cleanup(func() { cancel(); <-c.done })
	c.await(w, "wait-start", 1)
	return c
}

func TestFlagExclusion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const clients, rounds = 4, 5
	var holders, entries, last atomic.Int64
	var all sync.WaitGroup
	for range clients {
		f := zklock.NewFlagLock(w.dial(session), w.path)
		all.Go(func() {
			for range rounds {
				h, err := f.Lock(w.Context())
				if err != nil {
					w.Error(err)
					return
				}
				if n := holders.Add(1); n != 1 {
					w.Errorf("%d hold at once", n)
				}
				if before := last.Swap(int64(h.Token())); before >= int64(h.Token()) {
					w.Errorf("token %d after %d", h.Token(), before)
				}
				entries.Add(1)
				holders.Add(-1)
				if err := h.Unlock(w.Context()); err != nil {
					w.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := entries.Load(); n != clients*rounds {
		t.Errorf("entered %d times", n)
	}
	if data, _ := w.flag(); data != "" {
		t.Errorf("the flag is left at %q", data)
	}
}

func TestFlagTryLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := zklock.NewFlagLock(w.dial(session), w.path)
	h := w.setFlag(f)
	_, err := f.TryLock(w.within())
	var detail *zklock.Error
	if !errors.Is(err, zklock.ErrHeld) || !errors.As(err, &detail) || detail.Op != "try" || detail.Path != w.path {
		t.Errorf("TryLock = %v, want ErrHeld", err)
	}
	w.emptyFlag(h)
	w.emptyFlag(h) // does what it did
	again, err := f.TryLock(w.within())
	if err != nil {
		t.Fatal(err)
	}
	w.emptyFlag(h) // does nothing to the next
	if data, _ := w.flag(); data == "" {
		t.Error("unlocked by a former holder")
	}
	w.emptyFlag(again)
}

// One release wakes all who wait, and all but one in vain.
func TestFlagHerd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.setFlag(zklock.NewFlagLock(w.dial(session), w.path))
	var waiting []*flagCall
	for range 3 {
		waiting = append(waiting, w.waitForFlag(zklock.NewFlagLock(w.dial(session), w.path)))
	}
	w.emptyFlag(h)
	for _, c := range waiting {
		c.await(t, "wait-done", 1)
	}
	for left := len(waiting); left > 0; left-- {
		w.emptyFlag(w.anyFlag(waiting))
	}
}

// anyFlag returns the hold of whoever of the calls has it next.
func (w *world) anyFlag(calls []*flagCall) (next *zklock.FlagHold) {
	w.Helper()
	eventually(w, "somebody holds", func() bool {
		for _, c := range calls {
			select {
			case <-c.done:
				if next, c.hold = c.hold, nil; next != nil {
					return true
				}
			default:
			}
		}
		return false
	})
	return next
}

// The lesson: the flag of a client that crashed stays, until a human comes.
func TestFlagStaysAfterCrash(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(mortal)
	w.setFlag(zklock.NewFlagLock(s, w.path))
	w.sign(s)
	network.partition()
	w.empties() // the session is over
	next := zklock.NewFlagLock(w.dial(session), w.path)
	waiting := w.waitForFlag(next)
	if _, err := next.TryLock(w.within()); !errors.Is(err, zklock.ErrHeld) {
		t.Errorf("TryLock = %v, want ErrHeld", err)
	}
	if _, err := w.conn.Set(w.path, nil, -1); err != nil {
		t.Fatal(err)
	}
	receive(t, waiting.done, "the lock after the flag was emptied by hand")
	if waiting.err != nil {
		t.Fatal(waiting.err)
	}
	w.emptyFlag(waiting.hold)
}

func TestFlagCancelWhileWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.setFlag(zklock.NewFlagLock(w.dial(session), w.path))
	before, _ := w.flag()
	waiting := w.waitForFlag(zklock.NewFlagLock(w.dial(session), w.path))
	waiting.cancel()
	receive(t, waiting.done, "Lock to return")
	if !errors.Is(waiting.err, context.Canceled) {
		t.Errorf("Lock = %v, want Canceled", waiting.err)
	}
	if data, _ := w.flag(); data != before {
		t.Error("a waiter that gave up has changed the flag")
	}
	w.emptyFlag(h)
}

func TestFlagOverwritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := zklock.NewFlagLock(w.dial(session), w.path)
	h := w.setFlag(f)
	if _, err := w.conn.Set(w.path, []byte("mine"), -1); err != nil {
		t.Fatal(err)
	}
	if err := h.Unlock(w.within()); !errors.Is(err, zklock.ErrLost) {
		t.Errorf("Unlock = %v, want ErrLost", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := f.Lock(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Lock = %v, want the deadline's error", err)
	}
	if data, _ := w.flag(); data != "mine" {
		t.Errorf("another's flag is now %q", data)
	}
}

// What the trace of a wait is told: no position, and the bare reason.
func TestFlagTrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.setFlag(zklock.NewFlagLock(w.dial(session), w.path))
	ctx, cancel := context.WithCancel(w.within())
	var gaveUp error
	_, err := zklock.NewFlagLock(w.dial(session), w.path).Lock(zklock.WithTrace(ctx, &zklock.Trace{
		WaitStart: func(i zklock.WaitStartInfo) {
			if i.Position != -1 {
				t.Errorf("position %d, want -1", i.Position)
			}
			cancel()
		},
		GaveUp: func(i zklock.GaveUpInfo) { gaveUp = i.Err },
	}))
	var detail *zklock.Error
	if !errors.As(err, &detail) || detail.Err != gaveUp || gaveUp != context.Canceled {
		t.Errorf("Lock = %v, and GaveUp was told %v", err, gaveUp)
	}
	w.emptyFlag(h)
}
