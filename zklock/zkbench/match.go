package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// errStalled: a match did not end in time, so a contender was never woken up.
var errStalled = errors.New("stalled")

// stallTimeout is how much longer than planned a match may take. After the
// measured time each contender still gets the lock once.
const stallTimeout = time.Minute

// A match is one cell being played.
type match struct {
	cell
	contenders []contender
	witness    witness
	tally      *tally
	exhausted  chan struct{} // closed when a contender has had all its turns
	over       chan struct{} // closed when the measured time is over
	exhaust    func()
	close      func() error // ends the sessions
}

// newMatch is a match without contenders. They are told of its end, so they
// can be had only then.
func newMatch(c cell) *match {
	m := &match{cell: c, tally: newTally(c.Contenders), exhausted: make(chan struct{}), over: make(chan struct{})}
	m.exhaust = sync.OnceFunc(func() { close(m.exhausted) })
	m.close = sync.OnceValue(func() error { return closeAll(m.contenders) })
	return m
}

// play has the contenders take turns, measures them, and returns when they
// have ended. The sessions stay open unless it fails.
func (m *match) play(ctx context.Context, o observer) (sample, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, o.warm+maxLap+o.length+stallTimeout, errStalled)
	defer cancel()
	working, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	workers := m.start(working, fail)
	// Not all waits know a context, but all end with their session.
	unhang := context.AfterFunc(working, func() { m.close() })
	s, err := o.observe(working, m)
	close(m.over)
	failure := m.join(ctx, workers, unhang)
	if err = firstOf(failure, err, m.witness.verdict(m.tally.snapshot())); err != nil {
		return sample{}, err
	}
	return s, nil
}

// start has the contenders work; the first that fails says so. It is no
// errgroup.WithContext, whose Wait would end the sessions of every match.
func (m *match) start(ctx context.Context, fail context.CancelCauseFunc) *errgroup.Group {
	workers := new(errgroup.Group)
	for i := range m.contenders {
		workers.Go(func() error {
			err := m.work(ctx, i)
			if err != nil {
				fail(err)
			}
			return err
		})
	}
	return workers
}

// join waits for the contenders. The end of ctx explains why they failed.
func (m *match) join(ctx context.Context, workers *errgroup.Group, unhang func() bool) error {
	err := workers.Wait()
	unhang()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// work lets contender i take turns until the match is over.
func (m *match) work(ctx context.Context, i int) error {
	for !m.isOver() {
		err := m.turn(ctx, i)
		switch {
		case errors.Is(err, errOver):
			return nil
		case errors.Is(err, errExhausted):
			m.exhaust()
			return nil
		case err != nil:
			return fmt.Errorf("contender %d: %w", i, err)
		}
	}
	return nil
}

func (m *match) turn(ctx context.Context, i int) error {
	c := m.contenders[i]
	if err := c.acquire(ctx); err != nil {
		return err
	}
	m.tally.acquired(i)
	m.witness.enter(i)
	err := pause(ctx, m.Hold)
	m.witness.leave(i)
	if err != nil {
		return err
	}
	m.tally.releasing()
	return c.release(ctx)
}

func (m *match) isOver() bool {
	select {
	case <-m.over:
		return true
	default:
		return false
	}
}

// pause waits; a pause of nothing costs nothing.
func pause(ctx context.Context, length time.Duration) error {
	if length <= 0 {
		return nil
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
