package main

import (
	"context"
	"runtime"
	"slices"
)

// A heat is the matches of one round, hold and N. All are opened, and then they
// take turns in short slices: while one moves, the others stand. So a slow spell
// of the machine, which lasts for seconds, hits all alike.
type heat struct {
	settings
	matches []*match
	meter   *meter
	stolen  float64                                   // share of the processors' time, from the first slice to the last
	open    func(ctx context.Context, m *match) error // connects the contenders
}

// play returns when all matches have been measured and have ended, and ends
// all when one fails. The sessions stay open unless it fails.
func (h *heat) play(ctx context.Context) (samples, error) {
	working, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	if err := h.measure(working, fail); err != nil {
		fail(err)
	}
	for _, m := range h.matches {
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

func (h *heat) measure(ctx context.Context, fail context.CancelCauseFunc) error {
	for _, m := range h.matches {
		if err := h.begin(ctx, m, fail); err != nil {
			return m.named(err)
		}
	}
	before := readProcessorTime()
	err := h.takeTurns(ctx)
	h.stolen = readProcessorTime().stolenSince(before)
	return err
}

// begin opens a match and warms it up, while those before it stand.
func (h *heat) begin(ctx context.Context, m *match, fail context.CancelCauseFunc) error {
	if err := h.open(ctx, m); err != nil {
		return err
	}
	m.start(ctx, fail)
	return m.within(h.warm+maxLap, func() error { return m.warmUp(ctx, h.warm) })
}

// takeTurns gives each match a slice in turn, in another order in each pass,
// until all have been measured for long enough.
func (h *heat) takeTurns(ctx context.Context) error {
	if _, err := h.meter.passed(ctx); err != nil {
		return err
	}
	for pass := 0; slices.ContainsFunc(h.matches, h.unfinished); pass++ {
		for _, m := range rotate(h.matches, pass) {
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

func (h *heat) unfinished(m *match) bool {
	return m.measured.elapsed < h.length && !m.hasEnded()
}

// playSlice counts the packets too. It collects the garbage of what was before,
// so that all slices begin alike.
func (h *heat) playSlice(ctx context.Context, m *match) error {
	runtime.GC()
	length := min(h.slice, h.length)
	if err := m.within(2*length+maxLap+2*m.Hold, func() error { return m.slice(ctx, length) }); err != nil {
		return err
	}
	packets, err := h.meter.passed(ctx)
	m.measured.packets = m.measured.packets.plus(packets)
	return err
}

func (h *heat) samples() (all samples, err error) {
	for _, m := range h.matches {
		s, err := m.sample()
		if err != nil {
			return nil, m.named(err)
		}
		s.Stolen = h.stolen
		all = append(all, s)
	}
	return all, nil
}
