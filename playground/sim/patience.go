package sim

import (
	"context"
	"math"
	"time"
)

const (
	// unlockPatience is how long a client tries to release before it leaves
	// that to its session: long enough for the slowest link.
	unlockPatience = 2*MaxDelay + 2*time.Second
	// retryPause keeps a client whose attempts fail at once from spinning.
	retryPause = 100 * time.Millisecond
)

// closePatience is how long a client that is being connected may take until it
// can be closed, so that it leaves no session behind.
func (c Config) closePatience() time.Duration { return c.EndPatience / 6 }

// hangUpPatience bounds the end of the observer's session.
func (c Config) hangUpPatience() time.Duration { return c.EndPatience / 10 }

// releaseContext bounds a release. It outlives the client's work, so that a
// turn under way is finished also when the run is being stopped. While frames
// wait to be delivered by hand there is no other bound: its time begins anew.
func (c *client) releaseContext() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(c.grace)
	var timer *time.Timer
	timer = time.AfterFunc(math.MaxInt64, func() {
		if ctx.Err() == nil && c.stepper.holding.Load() {
			timer.Reset(unlockPatience)
			return
		}
		cancel(context.DeadlineExceeded)
	})
	timer.Reset(unlockPatience)
	return ctx, func() { timer.Stop(); cancel(nil) }
}
