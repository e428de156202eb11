package judge

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
)

// shrink looks for the smallest run that violates what an outcome violates first: with fewer
// clients, and the same seed. It returns nil if there is none.
func (c Config) shrink(ctx context.Context, o Outcome) (*Outcome, error) {
	wanted := o.Failed()[0].Property
	var smallest *Outcome
	t := o.Trial
	for _, smaller := range candidates(t) {
		if ctx.Err() != nil {
			return smallest, nil
		}
		fails := func(o Outcome) bool {
			f, asked := o.Of(wanted)
			return asked && f.Verdict == event.Violated
		}
		found, err := c.once(ctx, smaller, c.Seed, func(o Outcome, r *run.Run) error {
			if c.Keep == nil || !fails(o) {
				return nil
			}
			return c.Keep(o, r)
		})
		if err != nil {
			return smallest, err
		}
		if fails(found) {
			smallest = &found
			break
		}
	}
	return smallest, nil
}

// candidates are smaller trials, the smallest first.
func candidates(t Trial) []Trial {
	var all []Trial
	for clients := 2; clients < min(t.Scenario.Clients, 4); clients++ {
		all = append(all, t.With(clients))
	}
	return all
}
