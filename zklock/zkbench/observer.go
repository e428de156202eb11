package main

import (
	"context"
	"errors"
	"time"
)

// errNothing: nobody got the lock in the measured time. It is only ended
// before that when the turns laid ahead are used up.
var errNothing = errors.New("the turns laid ahead were used up before anything was measured")

// maxLap bounds the wait until each contender has had its first turn. The herd
// at N=128 needs some seconds on a busy machine.
const maxLap = 20 * time.Second

// An observer measures a match from outside while it goes on: what is measured
// neither begins nor ends with an empty queue.
type observer struct {
	address  string  // of the server
	question traffic // that asking it for its counts costs
	warm     time.Duration
	length   time.Duration
}

// observe waits for the warm-up, and returns when it has measured.
func (o observer) observe(ctx context.Context, m *match) (sample, error) {
	if err := o.warmUp(ctx, m); err != nil {
		return sample{}, err
	}
	// The server's own counting stays outside of the measured time.
	before, err := o.account(ctx, m)
	if err != nil {
		return sample{}, err
	}
	taken := o.measure(ctx, m)
	after, err := o.account(ctx, m)
	if err != nil {
		return sample{}, err
	}
	return taken.sample(m, o.between(before, after))
}

// warmUp waits for the given time, and then until each contender has had a
// turn: a first acquisition costs more. Whether one starves is judged later.
func (o observer) warmUp(ctx context.Context, m *match) error {
	if err := pause(ctx, o.warm); err != nil {
		return err
	}
	enough := time.NewTimer(maxLap)
	defer enough.Stop()
	select {
	case <-m.tally.lap:
	case <-m.exhausted:
	case <-enough.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// A measured is what happened in the measured time.
type measured struct {
	counts   []int64 // acquisitions by contender
	withWarm []int64 // the same, the warm-up included
	elapsed  time.Duration
}

func (o observer) measure(ctx context.Context, m *match) measured {
	m.tally.setRecording(true)
	before, began := m.tally.snapshot(), time.Now()
	o.awaitEnd(ctx, m)
	after, elapsed := m.tally.snapshot(), time.Since(began)
	m.tally.setRecording(false)
	counts := make([]int64, len(after))
	for i := range counts {
		counts[i] = after[i] - before[i]
	}
	return measured{counts, after, elapsed}
}

// awaitEnd waits for the given time, and longer if nothing has happened in it.
func (o observer) awaitEnd(ctx context.Context, m *match) {
	end := time.NewTimer(o.length)
	defer end.Stop()
	var recorded <-chan struct{} // nil until the time has passed
	for {
		select {
		case <-end.C:
			recorded = m.tally.recorded
		case <-recorded:
			return
		case <-m.exhausted:
			return
		case <-ctx.Done():
			return
		}
	}
}

// An account sets the packets that have passed against the acquisitions.
type account struct {
	traffic
	acquisitions float64
}

// account asks the server, which takes some milliseconds, and some turns: the
// answer belongs to the middle of them.
func (o observer) account(ctx context.Context, m *match) (account, error) {
	before := m.tally.total()
	t, err := readTraffic(ctx, o.address)
	return account{t, float64(before+m.tally.total()) / 2}, err
}

// between is what happened between two accounts.
func (o observer) between(before, after account) account {
	passed := after.traffic.since(before.traffic).since(o.question)
	return account{passed, after.acquisitions - before.acquisitions}
}

func (taken measured) sample(m *match, a account) (sample, error) {
	total := sum(taken.counts)
	if total == 0 || a.acquisitions <= 0 {
		return sample{}, errNothing
	}
	if err := fairness(taken.withWarm); err != nil {
		return sample{}, err
	}
	least, most := spread(taken.counts)
	return sample{
		cell:          m.cell,
		PerSecond:     float64(total) / taken.elapsed.Seconds(),
		P50:           m.tally.quantile(50),
		P99:           m.tally.quantile(99),
		Requests:      float64(a.received) / a.acquisitions,
		Notifications: float64(a.notifications()) / a.acquisitions,
		Least:         least,
		Most:          most,
	}, nil
}
