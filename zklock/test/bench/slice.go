package main

import (
	"context"
	"sync/atomic"
	"time"
)

// maxCycle bounds the wait until each contender has had its first turn. The herd
// at N=128 needs some seconds on a busy machine.
const maxCycle = 20 * time.Second

// warmUp lets the trial go for the given time, and then until each contender
// has had a turn: a first acquisition costs more. Whether one starves is judged
// later. The trial stands when it returns.
func (m *trial) warmUp(ctx context.Context, warm time.Duration) error {
	all := m.counter.current()
	m.goOn(ctx, warm, nil)
	m.goOn(ctx, maxCycle, all.over)
	_, err := m.stop(ctx)
	return err
}

// goOn waits for the given time while the trial goes on, or until enough is closed.
func (m *trial) goOn(ctx context.Context, length time.Duration, enough <-chan struct{}) {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-enough:
	case <-m.ended:
	case <-ctx.Done():
	}
}

// stop returns when the trial is still, and since when it is: a holder stands
// at the gate, or nobody takes turns any more.
func (m *trial) stop(ctx context.Context) (time.Time, error) {
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

// slice lets a trial that stands go, and measures it for the given time, after a
// cycle in which each contender has had a turn, or after as long if that is longer.
//
// It is measured from an acquisition, the one that ends the cycle, to that of the
// holder who then stands, so that whole turns are counted, in the very time that
// they took. If it were measured up to the closing of the gate, a turn would be cut
// short in every slice, and a slow recipe would lose more by that than a fast one.
func (m *trial) slice(ctx context.Context, length time.Duration) error {
	before, cycle := m.counter.snapshot(), m.counter.begin(true)
	defer m.counter.begin(false)
	m.gate.open()
	m.goOn(ctx, length, cycle.over)
	m.counter.cut(cycle)
	m.goOn(ctx, maxCycle, cycle.over)
	m.goOn(ctx, length, nil)
	stood, err := m.stop(ctx)
	if err == nil {
		m.measured.add(before, m.counter.snapshot(), cycle, stood)
	}
	return err
}

// A cycle is the turns until each contender has had one. It ends with an
// acquisition, at which what is measured begins. The mutex of its counter guards it.
type cycle struct {
	measured bool // hand-overs are, after it
	waiting  int  // contenders that have not had a turn
	had      []bool
	ended    time.Time     // zero before
	counts   []int64       // of all acquisitions until then, by contender
	over     chan struct{} // closed by the acquisition after that
}

func newCycle(contenders int, measured bool) *cycle {
	return &cycle{measured: measured, waiting: contenders, had: make([]bool, contenders), over: make(chan struct{})}
}

// acquired takes in that a contender has got its turn, which counts include.
func (l *cycle) acquired(contender int, now time.Time, counts []atomic.Int64) {
	switch {
	case l.counts != nil:
		if !isClosed(l.over) {
			close(l.over)
		}
		return
	case !l.had[contender]:
		l.had[contender] = true
		l.waiting--
	}
	if l.waiting == 0 {
		l.ended, l.counts = now, values(counts)
	}
}

// cut has the cycle end with the next acquisition, if it has not ended.
func (l *cycle) cut() {
	l.waiting = 1
	clear(l.had)
}

func values(counts []atomic.Int64) []int64 {
	list := make([]int64, len(counts))
	for i := range counts {
		list[i] = counts[i].Load()
	}
	return list
}
