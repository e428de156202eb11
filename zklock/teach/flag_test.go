package teach_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

// set takes a flag lock that must be had.
func (w *world) set(f *teach.FlagLock) *teach.FlagHold {
	w.Helper()
	h, err := f.Lock(w.soon())
	if err != nil {
		w.Fatal(err)
	}
	return h
}

// empty unlocks what must be unlocked.
func (w *world) empty(h *teach.FlagHold) {
	w.Helper()
	if err := h.Unlock(w.soon()); err != nil {
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

// A waiter is a call of FlagLock.Lock in another goroutine.
type waiter struct {
	lock   *teach.FlagLock
	woken  chan zk.EventType
	hold   *teach.FlagHold
	err    error
	done   chan struct{}
	cancel context.CancelFunc
}

// waitForFlag begins to lock, and returns when it waits.
func (w *world) waitForFlag(s *zklock.Session) *waiter {
	w.Helper()
	waits := make(chan struct{}, 16)
	a := &waiter{woken: make(chan zk.EventType, 16), done: make(chan struct{})}
	a.lock = teach.NewFlagLock(s, w.path, &zklock.Trace{
		WaitStart: func(zklock.WaitStartInfo) { waits <- struct{}{} },
		WaitDone:  func(i zklock.WaitDoneInfo) { a.woken <- i.Type },
	})
	a.begin(w)
	receive(w, waits, "the wait")
	return a
}

// begin has the waiter lock.
func (a *waiter) begin(w *world) {
	var ctx context.Context
	ctx, a.cancel = context.WithCancel(w.Context())
	go func() {
		defer close(a.done)
		a.hold, a.err = a.lock.Lock(ctx)
	}()
	w.Cleanup(func() { a.cancel(); <-a.done })
}

func TestFlagExclusion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const clients, rounds = 4, 5
	var holders, entries, last atomic.Int64
	var all sync.WaitGroup
	for range clients {
		f := teach.NewFlagLock(w.dial(session), w.path, nil)
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
	f := teach.NewFlagLock(w.dial(session), w.path, nil)
	h := w.set(f)
	_, err := f.TryLock(w.soon())
	var detail *zklock.Error
	if !errors.Is(err, zklock.ErrHeld) || !errors.As(err, &detail) || detail.Op != "try" || detail.Path != w.path {
		t.Errorf("TryLock = %v, want ErrHeld", err)
	}
	w.empty(h)
	w.empty(h) // does what it did
	again, err := f.TryLock(w.soon())
	if err != nil {
		t.Fatal(err)
	}
	w.empty(h) // does nothing to the next
	if data, _ := w.flag(); data == "" {
		t.Error("unlocked by a former holder")
	}
	w.empty(again)
}

// The first lesson: one release wakes all who wait, and all but one in vain.
func TestFlagWakesAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.set(teach.NewFlagLock(w.dial(session), w.path, nil))
	var waiting []*waiter
	for range 3 {
		waiting = append(waiting, w.waitForFlag(w.dial(session)))
	}
	w.empty(h)
	for _, a := range waiting {
		if event := receive(t, a.woken, "the wake-up"); event != zk.EventNodeDataChanged {
			t.Errorf("woken by %v", event)
		}
	}
	for range waiting {
		w.empty(w.whoever(waiting))
	}
}

// whoever returns the hold of that of the waiters who has it next.
func (w *world) whoever(waiting []*waiter) (next *teach.FlagHold) {
	w.Helper()
	w.eventually("somebody holds", func() bool {
		for _, a := range waiting {
			select {
			case <-a.done:
				if next, a.hold = a.hold, nil; next != nil {
					return true
				}
			default:
			}
		}
		return false
	})
	return next
}

func TestFlagCancelWhileWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.set(teach.NewFlagLock(w.dial(session), w.path, nil))
	before, _ := w.flag()
	waiting := w.waitForFlag(w.dial(session))
	waiting.cancel()
	receive(t, waiting.done, "Lock to return")
	if !errors.Is(waiting.err, context.Canceled) {
		t.Errorf("Lock = %v, want Canceled", waiting.err)
	}
	if data, _ := w.flag(); data != before {
		t.Error("a waiter that gave up has changed the flag")
	}
	w.empty(h)
}

// A caller who gives up with a cause finds that, and the context's error, too.
func TestFlagCause(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.set(teach.NewFlagLock(w.dial(session), w.path, nil))
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("a sibling failed")
	var told error
	_, err := teach.NewFlagLock(w.dial(session), w.path, &zklock.Trace{
		WaitStart: func(i zklock.WaitStartInfo) {
			if i.Position != -1 {
				t.Errorf("position %d, want -1: there is no queue", i.Position)
			}
			cancel(cause)
		},
		GaveUp: func(i zklock.GaveUpInfo) { told = i.Err },
	}).Lock(ctx)
	var detail *zklock.Error
	if !errors.Is(err, cause) || !errors.Is(err, context.Canceled) || !errors.As(err, &detail) || detail.Err != told {
		t.Errorf("Lock = %v, and GaveUp was told %v", err, told)
	}
}

func TestFlagOverwritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	h := w.set(teach.NewFlagLock(s, w.path, nil))
	if _, err := w.conn.Set(w.path, []byte("mine"), -1); err != nil {
		t.Fatal(err)
	}
	if err := h.Unlock(w.soon()); !errors.Is(err, zklock.ErrLost) {
		t.Errorf("Unlock = %v, want ErrLost", err)
	}
	waiting := w.waitForFlag(s)
	waiting.cancel()
	if receive(t, waiting.done, "Lock to return"); !errors.Is(waiting.err, context.Canceled) {
		t.Errorf("Lock = %v, want Canceled", waiting.err)
	}
	if data, _ := w.flag(); data != "mine" {
		t.Errorf("another's flag is now %q", data)
	}
}

// A flag is data: who may not write it, or whose client has no room for it, is told.
func TestFlagThatMayNotBeWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermRead|zk.PermDelete)); err != nil {
		t.Fatal(err)
	}
	if _, err := teach.NewFlagLock(w.dial(session), w.path, nil).Lock(w.soon()); !errors.Is(err, zk.ErrNoAuth) {
		t.Errorf("Lock = %v, want ErrNoAuth", err)
	}
}
