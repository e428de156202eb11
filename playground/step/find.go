package step

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/event"
)

// await waits for the first event that fits, from that one on, and returns an
// error when ctx ends first, or the log does.
func (s *Stepper) await(ctx context.Context, from int64, fits func(event.Event) bool) error {
	for {
		if err := s.config.Log.Wait(ctx, from); err != nil {
			return err
		}
		next, found, err := s.find(from, fits)
		if err != nil || found {
			return err
		}
		from = next
	}
}

// findBatch is how many events are read at a time.
const findBatch = 256

// find looks for the first event that fits among those that there are, from
// that one on. Next is the one after it, or after the last.
func (s *Stepper) find(from int64, fits func(event.Event) bool) (next int64, found bool, err error) {
	for {
		events, err := s.config.Log.Read(from, findBatch)
		if err != nil || len(events) == 0 {
			return from, false, err
		}
		for _, e := range events {
			from++
			if fits(e) {
				return from, true, nil
			}
		}
	}
}
