package locks_test

import (
	"context"
	"errors"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// rw is a lock with the two ways to take it, for tests of both.
func (w *world) rw() (writers zklock.Locker, readers zklock.Locker) {
	return w.rwIn(w.dial(session))
}

func (w *world) rwIn(s *zklock.Session) (writers zklock.Locker, readers zklock.Locker) {
	m := newRWMutex(s, w.path)
	return m, reader{m}
}

func TestReadersShare(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	writers, readers := w.rwIn(s)
	first := w.lock(readers)
	second := w.lock(readers)
	if _, err := writers.TryLock(w.within()); !errors.Is(err, zklock.ErrHeld) {
		t.Fatalf("TryLock behind readers = %v, want ErrHeld", err)
	}
	writer := w.startLock(writers)
	w.unlock(first)
	// The znode just ahead of the writer is the second reader's: nothing moves.
	writer.await(t, "listed 1 of 2", 1)
	w.caughtUp(s)
	if writer.count("acquired") > 0 {
		t.Error("writer holds beside a reader")
	}
	w.unlock(second)
	lease := writer.held(t)
	if lease.Mode() != zklock.ModeWrite || first.Mode() != zklock.ModeRead {
		t.Errorf("modes %q and %q", lease.Mode(), first.Mode())
	}
	w.unlock(lease)
}

func TestWriterExcludes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	writers, readers := w.rw()
	writer := w.lock(writers)
	for _, locker := range []zklock.Locker{writers, readers} {
		if _, err := locker.TryLock(w.within()); !errors.Is(err, zklock.ErrHeld) {
			t.Errorf("TryLock behind a writer = %v, want ErrHeld", err)
		}
	}
	w.unlock(writer)
}

// A reader that comes after a waiting writer waits too: writers do not starve.
func TestReaderBehindWaitingWriter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	writers, readers := w.rwIn(s)
	holding := w.lock(readers)
	writer := w.startLock(writers)
	if _, err := readers.TryLock(w.within()); !errors.Is(err, zklock.ErrHeld) {
		t.Fatalf("TryRLock = %v, want ErrHeld", err)
	}
	late := w.startLock(readers)
	w.unlock(holding)
	lease := writer.held(t)
	w.caughtUp(s)
	if late.count("acquired") > 0 {
		t.Error("a reader overtook a writer")
	}
	w.unlock(lease)
	w.unlock(late.held(t))
}

// Readers watch the nearest writer ahead, and so are woken once, together,
// when they can all go on.
func TestNearestWriterIsWatched(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	writers, readers := w.rwIn(s)
	first := w.lock(writers)
	second := w.startLock(writers)
	nearest := w.others(first)[0]
	crowd := []*attempt{w.startLock(readers), w.startLock(readers), w.startLock(readers)}
	for _, r := range crowd {
		if r.count("wait-start "+nearest) != 1 {
			t.Errorf("reader does not watch %s: %q", nearest, r.all())
		}
	}
	w.unlock(first)
	lease := second.held(t)
	w.caughtUp(s)
	for _, r := range crowd {
		if r.count("wait-done") > 0 {
			t.Error("a reader woke for nothing")
		}
	}
	w.unlock(lease)
	for _, r := range crowd {
		w.unlock(r.held(t))
		if n := r.count("wait-done"); n != 1 {
			t.Errorf("reader woke %d times, want once", n)
		}
	}
}

// A waiting writer that gives up lets the readers behind it go on.
func TestWriterGivesUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	writers, readers := w.rw()
	holding := w.lock(readers)
	writer := w.startLock(writers)
	late := w.startLock(readers)
	writer.cancel()
	if err := writer.failed(t); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	w.unlock(late.held(t))
	w.unlock(holding)
}

// A waiting writer that gives up behind another one wakes every reader behind it,
// and all for nothing: here the queue has its herd back.
func TestWaitingWriterWakesReadersForNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	writers, readers := w.rw()
	first := w.lock(writers)
	second := w.startLock(writers)
	crowd := []*attempt{w.startLock(readers), w.startLock(readers), w.startLock(readers)}
	second.cancel()
	if err := second.failed(t); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for _, r := range crowd {
		r.await(t, "wait-done", 1)
		r.await(t, "wait-start "+first.Node(), 1)
		if r.count("acquired") > 0 {
			t.Error("a reader holds beside a writer")
		}
	}
	w.unlock(first)
	for _, r := range crowd {
		w.unlock(r.held(t))
	}
}
