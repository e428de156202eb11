package main

import (
	"context"
	"runtime"
	"slices"
)

// A comparison is the trials of one round, hold and N. All are opened, and then they
// take turns in short slices: while one moves, the others stand. So a slow spell
// of the machine, which lasts for seconds, hits all alike.
type comparison struct {
	settings
	trials []*trial
	meter  *meter
	stolen float64                                   // share of the processors' time, from the first slice to the last
	open   func(ctx context.Context, m *trial) error // connects the contenders
}

// run returns when all trials have been measured and have ended, and ends
// all when one fails. The sessions stay open unless it fails.
func (h *comparison) run(ctx context.Context) (samples, error) {
	working, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	if err := h.measure(working, fail); err != nil {
		fail(err)
	}
	for _, m := range h.trials {
		if err := m.end(); err != nil {
			fail(m.named(err))
		}
	}
	switch {
	case ctx.Err() != nil: // that explains what else has failed
		return nil, context.Cause(ctx)
	case working.Err() != nil:
		return nil, context.Cause(working)
	}
	return h.samples()
}

func (h *comparison) measure(ctx context.Context, fail context.CancelCauseFunc) error {
	for _, m := range h.trials {
		if err := h.begin(ctx, m, fail); err != nil {
			return m.named(err)
		}
	}
	before := readProcessorTime()
	err := h.takeTurns(ctx)
	h.stolen = stolenBetween(before, readProcessorTime())
	return err
}

// begin opens a trial and warms it up, while those before it stand.
func (h *comparison) begin(ctx context.Context, m *trial, fail context.CancelCauseFunc) error {
	if err := h.open(ctx, m); err != nil {
		return err
	}
	m.start(ctx, fail)
	return m.within(h.warm+maxCycle, func() error { return m.warmUp(ctx, h.warm) })
}

// takeTurns gives each trial a slice in turn, in another order in each pass,
// until all have been measured for long enough.
func (h *comparison) takeTurns(ctx context.Context) error {
	if _, err := h.meter.passed(ctx); err != nil {
		return err
	}
	for pass := 0; slices.ContainsFunc(h.trials, h.unfinished); pass++ {
		for _, m := range rotate(h.trials, pass) {
			if !h.unfinished(m) {
				continue
			}
			if err := h.playSlice(ctx, m); err != nil {
				return m.named(err)
			}
		}
	}
	return nil
}

func (h *comparison) unfinished(m *trial) bool {
	return m.measured.elapsed < h.length && !m.hasEnded()
}

// playSlice counts the packets too. It collects the garbage of what was before,
// so that all slices begin alike.
func (h *comparison) playSlice(ctx context.Context, m *trial) error {
	runtime.GC()
	length := min(h.slice, h.length)
	if err := m.within(2*length+maxCycle+2*m.Hold, func() error { return m.slice(ctx, length) }); err != nil {
		return err
	}
	packets, err := h.meter.passed(ctx)
	m.measured.packets = m.measured.packets.plus(packets)
	return err
}

func (h *comparison) samples() (all samples, err error) {
	for _, m := range h.trials {
		s, err := m.sample()
		if err != nil {
			return nil, m.named(err)
		}
		s.Stolen = h.stolen
		all = append(all, s)
	}
	return all, nil
}
