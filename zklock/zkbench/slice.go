package main

import (
	"context"
	"time"
)

// maxLap bounds the wait until each contender has had its first turn. The herd
// at N=128 needs some seconds on a busy machine.
const maxLap = 20 * time.Second

// warmUp lets the match go for the given time, and then until each contender
// has had a turn: a first acquisition costs more. Whether one starves is judged
// later. The match stands when it returns.
func (m *match) warmUp(ctx context.Context, warm time.Duration) error {
	all := m.tally.current()
	m.goOn(ctx, warm, nil)
	m.goOn(ctx, maxLap, all.over)
	_, err := m.stop(ctx)
	return err
}

// goOn waits for the given time while the match goes on, or until enough is closed.
func (m *match) goOn(ctx context.Context, length time.Duration, enough <-chan struct{}) {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-enough:
	case <-m.ended:
	case <-ctx.Done():
	}
}

// stop returns when the match is still, and since when it is: a holder stands
// at the gate, or nobody takes turns any more.
func (m *match) stop(ctx context.Context) (time.Time, error) {
	m.gate.close()
	select {
	case since := <-m.gate.stood:
		return since, nil
	case <-m.ended:
		return time.Now(), nil
	case <-ctx.Done():
		return time.Time{}, context.Cause(ctx)
	}
}

// slice lets a match that stands go, and measures it for the given time, after a
// lap in which each contender has had a turn, or after as long if that is longer.
//
// It is measured from an acquisition, the one that ends the lap, to that of the
// holder who then stands, so that whole turns are counted, in the very time that
// they took. If it were measured up to the closing of the gate, a turn would be cut
// short in every slice, and a slow recipe would lose more by that than a fast one.
func (m *match) slice(ctx context.Context, length time.Duration) error {
	before, lap := m.tally.snapshot(), m.tally.begin(true)
	defer m.tally.begin(false)
	m.gate.open()
	m.goOn(ctx, length, lap.over)
	m.tally.cut(lap)
	m.goOn(ctx, maxLap, lap.over)
	m.goOn(ctx, length, nil)
	stood, err := m.stop(ctx)
	if err == nil {
		m.measured.add(before, m.tally.snapshot(), lap, stood)
	}
	return err
}
