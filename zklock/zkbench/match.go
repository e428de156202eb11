package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A match is one cell being played.
type match struct {
	cell
	place      string // its znode
	contenders []contender
	witness    witness
	tally      *tally
	gate       *gate
	measured   measured
	workers    sync.WaitGroup
	ended      chan struct{} // closed when no contender takes turns any more
	over       chan struct{} // closed when the measured time is over
	fail       func(error)   // ends the heat
	unhang     func() bool   // nil until the contenders work
	close      func() error  // ends the sessions
}

// newMatch is a match without contenders. They are told of its end, so they
// can be had only then.
func newMatch(c cell) *match {
	m := &match{cell: c, tally: newTally(c.Contenders), gate: newGate(), ended: make(chan struct{}), over: make(chan struct{})}
	m.measured.counts = make([]int64, c.Contenders)
	m.close = sync.OnceValue(func() error { return closeAll(m.contenders) })
	return m
}

// named says of which match an error is.
func (m *match) named(err error) error { return fmt.Errorf("%v: %w", m.cell, err) }

// start has the contenders take turns until end. The first that fails says so.
func (m *match) start(ctx context.Context, fail context.CancelCauseFunc) {
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
func (m *match) end() error {
	if m.unhang == nil {
		return nil // it has not begun
	}
	close(m.over)
	m.gate.open()
	lap := time.Duration(m.Contenders) * m.Hold
	_ = m.within(lap, func() error { <-m.ended; return nil })
	m.unhang()
	return m.witness.verdict(m.tally.snapshot())
}

// hasEnded reports whether all turns were had, as happens when they were laid ahead.
func (m *match) hasEnded() bool { return isClosed(m.ended) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// work lets contender i take turns until the match is over.
func (m *match) work(ctx context.Context, i int) error {
	thinker := newThinker(m.cell, i)
	for !isClosed(m.over) {
		err := m.turn(ctx, i)
		if err == nil {
			err = m.think(ctx, thinker)
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

func (m *match) turn(ctx context.Context, i int) error {
	c := m.contenders[i]
	if err := c.acquire(ctx); err != nil {
		return err
	}
	m.tally.acquired(i)
	m.witness.enter(i)
	err := m.stay(ctx)
	m.witness.leave(i)
	if err != nil {
		return err
	}
	m.tally.releasing()
	return c.release(ctx)
}

// stay is what a holder does. The gate comes first, so that it is part of no
// hand-over, and a hold is not cut in two.
func (m *match) stay(ctx context.Context) error {
	if err := m.gate.pass(ctx); err != nil {
		return err
	}
	return pause(ctx, m.Hold)
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
