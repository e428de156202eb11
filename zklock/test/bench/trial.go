package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A trial is one cell being run.
type trial struct {
	cell
	place          string // its znode
	contenders     []contender
	exclusionCheck exclusionCheck
	counter        *counter
	gate           *gate
	measured       measured
	workers        sync.WaitGroup
	ended          chan struct{} // closed when no contender takes turns any more
	over           chan struct{} // closed when the measured time is over
	fail           func(error)   // ends the comparison
	unhang         func() bool   // nil until the contenders work
	close          func() error  // ends the sessions
}

// newTrial is a trial without contenders. They are told of its end, so they
// can be had only then.
func newTrial(c cell) *trial {
	m := &trial{cell: c, counter: newCounter(c.Contenders), gate: newGate(), ended: make(chan struct{}), over: make(chan struct{})}
	m.measured.counts = make([]int64, c.Contenders)
	m.close = sync.OnceValue(func() error { return closeAll(m.contenders) })
	return m
}

// named says of which trial an error is.
func (m *trial) named(err error) error { return fmt.Errorf("%v: %w", m.cell, err) }

// start has the contenders take turns until end. The first that fails says so.
func (m *trial) start(ctx context.Context, fail context.CancelCauseFunc) {
	m.fail = func(err error) { fail(m.named(err)) }
	// Not all waits know a context, but all end with their session.
	m.unhang = context.AfterFunc(ctx, func() { m.close() })
	for i := range m.contenders {
		m.workers.Go(func() {
			if err := m.work(ctx, i); err != nil {
				m.fail(err)
			}
		})
	}
	go func() { // end waits for it
		m.workers.Wait()
		close(m.ended)
	}()
}

// end gives each contender one more turn, waits for them, and judges.
func (m *trial) end() error {
	if m.unhang == nil {
		return nil // it has not begun
	}
	close(m.over)
	m.gate.open()
	cycle := time.Duration(m.Contenders) * m.Hold
	_ = m.within(cycle, func() error { <-m.ended; return nil })
	m.unhang()
	return m.exclusionCheck.verdict(m.counter.snapshot())
}

// hasEnded reports whether all turns were had, as happens when they were laid ahead.
func (m *trial) hasEnded() bool { return isClosed(m.ended) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// work lets contender i take turns until the trial is over.
func (m *trial) work(ctx context.Context, i int) error {
	thinker := newThinker(m.cell, i)
	for !isClosed(m.over) {
		err := m.turn(ctx, i)
		if err == nil {
			err = pause(ctx, thinker.next(), m.over)
		}
		switch {
		case errors.Is(err, errOver), errors.Is(err, errExhausted):
			return nil
		case err != nil:
			return fmt.Errorf("contender %d: %w", i, err)
		}
	}
	return nil
}

func (m *trial) turn(ctx context.Context, i int) error {
	c := m.contenders[i]
	if err := c.acquire(ctx); err != nil {
		return err
	}
	m.counter.acquired(i)
	m.exclusionCheck.enter(i)
	err := m.stay(ctx)
	m.exclusionCheck.leave(i)
	if err != nil {
		return err
	}
	m.counter.releasing()
	return c.release(ctx)
}

// stay is what a holder does. The gate comes first, so that it is part of no
// hand-over, and a hold is not cut in two.
func (m *trial) stay(ctx context.Context) error {
	if err := m.gate.pass(ctx); err != nil {
		return err
	}
	return pause(ctx, m.Hold, nil)
}

// pause waits for no longer than until enough is closed; a pause of nothing costs nothing.
func pause(ctx context.Context, length time.Duration, enough <-chan struct{}) error {
	if length <= 0 {
		return nil
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-enough:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errStalled: a trial did not come to its end, or to a stand, in time: a
// contender was never woken up.
var errStalled = errors.New("stalled")

// stallTimeout is how much longer than planned a part of a trial may take. The
// time in which it stands is in no part.
const stallTimeout = time.Minute

// within has the comparison fail, and so act end, when that takes too long.
func (m *trial) within(planned time.Duration, act func() error) error {
	watchdog := time.AfterFunc(planned+stallTimeout, func() { m.fail(errStalled) })
	defer watchdog.Stop()
	return act()
}

var (
	// errExclusion: two contenders held at once.
	errExclusion = errors.New("mutual exclusion violated")
	// errStarved: a contender never had its turn while others had several.
	errStarved = errors.New("a contender starved")
)

// A exclusionCheck sees every acquisition, and knows whether two overlapped.
type exclusionCheck struct {
	holder     atomic.Int64 // the holder's index plus 1; 0: nobody
	violations atomic.Int64
	counter    int // nothing guards it but the lock
}

func (w *exclusionCheck) enter(contender int) {
	if !w.holder.CompareAndSwap(0, int64(contender)+1) {
		w.violations.Add(1)
	}
	w.counter++
}

func (w *exclusionCheck) leave(contender int) {
	if !w.holder.CompareAndSwap(int64(contender)+1, 0) {
		w.violations.Add(1)
	}
}

// verdict judges a trial that has ended, in which the contenders acquired as
// often as counts says.
func (w *exclusionCheck) verdict(counts []int64) error {
	if n := w.violations.Load(); n > 0 {
		return fmt.Errorf("%w: %d overlaps", errExclusion, n)
	}
	if want := sum(counts); int64(w.counter) != want {
		return fmt.Errorf("%w: %d acquisitions, but the counter that they guard says %d", errExclusion, want, w.counter)
	}
	return nil
}

// starved is how often another contender must have had its turn to call one
// starved that had none. All recipes are fair queues: the difference is 1 or 2.
const starved = 5

// fairness judges the shares of the contenders while all of them contended.
func fairness(counts []int64) error {
	least, most := spread(counts)
	if least == 0 && most >= starved {
		return fmt.Errorf("%w: never its turn, another's %d times", errStarved, most)
	}
	return nil
}
