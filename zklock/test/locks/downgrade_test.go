package locks_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/zklock"
)

// A writer that becomes a reader lets the readers behind it in, and keeps the
// writers out, also one that stood first in line.
func TestDowngrade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := func() *zklock.RWMutex { return newRWMutex(w.dial(session), w.path) }
	writer := w.lock(lock())
	reading, waiting := w.startLock(reader{lock()}), w.dial(session)
	writing := w.startLock(newRWMutex(waiting, w.path))
	downgraded, err := writer.Downgrade(w.within())
	if err != nil {
		t.Fatal(err)
	}
	if downgraded.Mode() != zklock.ModeRead || downgraded.Token() != writer.Token() || sequenceOf(downgraded) != sequenceOf(writer) {
		t.Errorf("%s %d %s, was %d %s", downgraded.Mode(), downgraded.Token(), downgraded.Node(), writer.Token(), writer.Node())
	}
	if err := writer.Context().Err(); err == nil {
		t.Error("the writer's lease goes on")
	}
	w.unlock(writer) // does nothing
	beside := reading.held(t)
	if err := downgraded.Check(w.within()); err != nil {
		t.Error(err)
	}
	w.unlock(beside)
	writing.await(t, "wait-start "+downgraded.Node(), 1)
	w.caughtUp(waiting)
	if writing.count("acquired") > 0 {
		t.Error("a writer came in beside the reader")
	}
	w.unlock(downgraded)
	w.unlock(writing.held(t))
	w.empties()
}

// The trace is told of the writer's end, and then of the reader.
func TestDowngradeTrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record := newRecorder()
	var modes []zklock.Mode
	modal := &zklock.Trace{
		Acquired:     func(i zklock.AcquiredInfo) { modes = append(modes, i.Mode) },
		ReleaseStart: func(i zklock.ReleaseStartInfo) { modes = append(modes, i.Mode) },
		Released:     func(i zklock.ReleasedInfo) { modes = append(modes, i.Mode) },
	}
	writer := w.lock(newRWMutex(w.dial(session), w.path), record.trace(), modal)
	before := len(record.all()) - 1
	downgraded, err := writer.Downgrade(w.within())
	if err != nil {
		t.Fatal(err)
	}
	w.unlock(downgraded)
	w.unlock(writer) // does nothing
	stay := []string{"acquired", "release-start", "released failed=false"}
	if diff := cmp.Diff(slices.Concat(stay, stay), record.all()[before:]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const writes, reads = zklock.ModeWrite, zklock.ModeRead
	if diff := cmp.Diff([]zklock.Mode{writes, writes, writes, reads, reads, reads}, modes); diff != "" {
		t.Errorf("modes (-want +got):\n%s", diff)
	}
}

func sequenceOf(l *zklock.Lease) string {
	return l.Node()[strings.LastIndexAny(l.Node(), "_-")+1:]
}

// A writer who waits behind the writer that downgrades watches its znode, and
// must not take its end for the end of the stay.
func TestDowngradeBeforeAWriter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	writer := w.lock(newRWMutex(w.dial(session), w.path))
	s := w.dial(session)
	next := w.startLock(newRWMutex(s, w.path))
	downgraded, err := writer.Downgrade(w.within())
	if err != nil {
		t.Fatal(err)
	}
	next.await(t, "wait-start "+downgraded.Node(), 1)
	w.caughtUp(s)
	if next.count("acquired") > 0 {
		t.Error("a writer came in beside the reader")
	}
	w.unlock(downgraded)
	w.unlock(next.held(t))
}

func TestDowngradeLost(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*network, ...int32) <-chan struct{}{
		"request": (*network).loseRequest, "reply": (*network).loseReply,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s, network := w.dialThrough(session)
			writer := w.lock(newRWMutex(s, w.path))
			lost := lose(network, opMulti)
			downgraded, err := writer.Downgrade(w.within())
			if err != nil {
				t.Fatal(err)
			}
			receive(t, lost, "the loss")
			if err := downgraded.Check(w.within()); err != nil {
				t.Error(err)
			}
			select {
			case <-writer.Lost():
				t.Error("the writer's lease counts as lost")
			default:
			}
			w.unlock(downgraded)
			w.empties()
		})
	}
}

// The outcome is not known in time: the lease is lost, and nothing stays.
func TestDowngradeCancelled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	record := newRecorder()
	writer := w.lock(newRWMutex(s, w.path), record.trace())
	network.holdReplies()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(w.children()) == 0 || !strings.Contains(w.children()[0], "__READ__") {
			if ctx.Err() != nil {
				return
			}
		}
		cancel()
	}()
	if _, err := writer.Downgrade(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	receive(t, writer.Lost(), "the loss")
	network.heal()
	w.empties()
}

func TestDowngradeNeedsAWriter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	for name, lock := range map[string]zklock.Locker{
		"mutex": newMutex(s, w.path+"-mutex"), "reader": reader{newRWMutex(s, w.path+"-rw")},
	} {
		lease := w.lock(lock)
		if _, err := lease.Downgrade(w.within()); !errors.Is(err, zklock.ErrNotWriter) {
			t.Errorf("%s: %v", name, err)
		}
		if err := lease.Check(w.within()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		w.unlock(lease)
		if _, err := lease.Downgrade(w.within()); err == nil {
			t.Errorf("%s: downgraded after unlock", name)
		}
	}
}

// A reader that asks for the writer's lock would wait for itself.
func TestUpgradeIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	lock := newRWMutex(s, w.path)
	reading := w.lock(reader{lock})
	ctx, cancel := context.WithTimeout(reading.Context(), timeout)
	defer cancel()
	if _, err := lock.Lock(ctx); !errors.Is(err, zklock.ErrUpgrade) {
		t.Fatalf("Lock = %v, want ErrUpgrade", err)
	}
	within := w.lockIn(ctx, newMutex(s, w.path+"-inner"))
	deep, cancel := context.WithTimeout(within.Context(), timeout)
	defer cancel()
	if _, err := lock.Lock(deep); !errors.Is(err, zklock.ErrUpgrade) {
		t.Fatalf("Lock = %v inside another lock, want ErrUpgrade", err)
	}
	w.unlock(within)
	if n := len(w.children()); n != 1 {
		t.Errorf("%d znodes, want the reader's", n)
	}
	w.unlock(w.lock(newRWMutex(s, w.path+"-other")))
	w.unlock(reading)
	writing, err := lock.Lock(context.WithoutCancel(reading.Context())) // it has ended
	if err != nil {
		t.Fatal(err)
	}
	w.unlock(writing)
}

// lockIn takes a lock with the values of ctx.
func (w *world) lockIn(ctx context.Context, l zklock.Locker) *zklock.Lease {
	w.Helper()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	w.Cleanup(cancel)
	lease, err := l.Lock(ctx)
	if err != nil {
		w.Fatal(err)
	}
	return lease
}

// Unlock comes while the downgrade waits for its reply, and does not wait: the
// znode goes all the same, whichever it is.
func TestUnlockDuringDowngrade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	writer := w.lock(newRWMutex(s, w.path))
	network.holdReplies()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	downgraded := make(chan error, 1)
	go func() {
		_, err := writer.Downgrade(ctx)
		downgraded <- err
	}()
	eventually(t, "the reader's znode is there", func() bool {
		return len(w.children()) == 1 && strings.Contains(w.children()[0], "__READ__")
	})
	ended, end := context.WithCancel(t.Context())
	end()
	if err := writer.Unlock(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Unlock = %v, want Canceled", err)
	}
	cancel()
	if err := receive(t, downgraded, "Downgrade to return"); err == nil {
		t.Error("Downgrade of an unlocked lease succeeds")
	}
	network.heal()
	w.empties()
}
