package zklock_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// A patient is a waiter behind one holder, whose look-ahead waits for longer
// than any test does.
type patient struct {
	*world
	*attempt
	network *network
	holder  *zklock.Lease // whom it waits for
}

// newPatient has three hold in turn, the first two for long, before the waiter.
func newPatient(t *testing.T) *patient {
	w := newWorld(t)
	s, network := w.dialThrough(session)
	lock := func(s *zklock.Session) zklock.Locker { return zklock.NewMutex(s, w.path) }
	first := w.lock(lock(w.dial(session)))
	second := w.startLock(lock(w.dial(session)))
	third := w.startLock(lock(w.dial(session)))
	began := time.Now()
	waiter := w.startLock(zklock.NewMutex(s, w.path, zklock.WithBreath(never)))
	trip := time.Since(began)
	w.lasts(10*trip + 10*time.Millisecond)
	w.unlock(first)
	held := second.held(w)
	w.lasts(10*trip + 10*time.Millisecond)
	w.unlock(held)
	waiter.await(w, "looked-ahead", 1)
	return &patient{w, waiter, network, third.held(w)}
}

// lasts lets a hold last.
func (w *world) lasts(length time.Duration) {
	w.Helper()
	began := time.Now()
	eventually(w, "the hold has lasted", func() bool { return time.Since(began) > length })
}

// The look-ahead waits, but not for longer than the one just ahead holds.
func TestLookAheadWaits(t *testing.T) {
	t.Parallel()
	p := newPatient(t)
	p.unlock(p.holder)
	p.unlock(p.held(t))
	lines := p.all()
	done := slices.Index(lines, "wait-done EventNodeDeleted")
	if done < 0 || listings(lines[:done]) != 1 || listings(lines[done:]) != 1 {
		t.Errorf("%q", lines)
	}
}

func listings(lines []string) (n int) {
	for _, line := range lines {
		if strings.HasPrefix(line, "listed") {
			n++
		}
	}
	return n
}

// Nor for longer than the caller wants to, or the connection lasts.
func TestLookAheadWaitsNoLonger(t *testing.T) {
	t.Parallel()
	p := newPatient(t)
	p.network.cut()
	p.await(t, "listed", 2)
	p.unlock(p.holder)
	p.unlock(p.held(t))

	p = newPatient(t)
	p.cancel()
	if err := p.failed(t); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.unlock(p.holder)
}
