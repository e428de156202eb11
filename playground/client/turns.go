package client

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

const (
	// unlockTimeout is how long a client tries to release before it leaves that
	// to its session: long enough for the slowest link.
	unlockTimeout = 2*scenario.MaxDelay + 2*time.Second
	// retryPause keeps a client whose attempts fail at once from spinning.
	retryPause = 100 * time.Millisecond
)

// turns passes through the lock again and again, as often as the scenario says,
// while ctx lasts and the session does. Attempts that fail are not counted. It is what
// each thread does.
func (c *Process) turns(ctx context.Context, plan *scenario.Plan) {
	most := c.config.Scenario.Turns
	for done := 0; (most == 0 || done < most) && c.access.awaitConnected(ctx) == nil; {
		if c.turn(ctx, plan.Next()) {
			done++
		}
	}
}

// turn tries to pass once through the lock, and says whether it held it.
func (c *Process) turn(ctx context.Context, t scenario.Turn) bool {
	held, err := c.lock.Acquire(ctx, t)
	if err != nil {
		clock.Sleep(ctx, max(retryPause, t.Think))
		return false
	}
	c.release(c.work(ctx, held, t))
	clock.Sleep(ctx, t.Think)
	return true
}

// work is what a client holds the lock for, and returns the hold that it ends with.
// Where the lock protects an account it reads that first, and writes back in the end
// what it has made of it.
func (c *Process) work(ctx context.Context, held recipe.Hold, t scenario.Turn) recipe.Hold {
	reads := c.shares() && !t.Write // so that others may hold as well
	if c.account == nil || reads {
		return c.holdOn(ctx, held, t.Hold)
	}
	balance, ok := c.account.read(ctx, c, held)
	if !ok || !c.worked(ctx, held, t.Hold) {
		return held
	}
	ctx, cancel := c.releaseContext()
	defer cancel()
	c.account.write(ctx, c, held, balance)
	return held
}

// holdOn holds for d, the second half of it by what the recipe has made of the hold, if
// it changes it at half time.
func (c *Process) holdOn(ctx context.Context, held recipe.Hold, d time.Duration) recipe.Hold {
	changing, ok := held.(recipe.Changing)
	if !ok {
		hold(ctx, held, d)
		return held
	}
	if !hold(ctx, held, d/2) {
		return held
	}
	changed, err := changing.AtHalfTime(ctx)
	if err != nil {
		return held // it has told why
	}
	hold(ctx, changed, d/2)
	return changed
}

// worked holds for d and says whether the client may then write. It may not when
// it has seen that the lock is lost. But a process that was paused while it held
// has not seen that: it goes on where it was, without another look.
func (c *Process) worked(ctx context.Context, held recipe.Hold, d time.Duration) bool {
	finished := hold(ctx, held, d)
	paused := c.gate.Pass(nil)
	return (finished || paused) && ctx.Err() == nil
}

// revoked is closed when somebody asks for the lock back; nil where nobody can.
func revoked(held recipe.Hold) <-chan struct{} {
	if revocable, ok := held.(interface{ Revoked() <-chan struct{} }); ok {
		return revocable.Revoked()
	}
	return nil
}

// hold waits for d, or until the lock is lost or asked for or ctx ends, and says
// whether the client still held it then, as far as it knows.
func hold(ctx context.Context, held recipe.Hold, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-held.Lost():
	case <-revoked(held):
	case <-ctx.Done():
		return false
	}
	select {
	case <-held.Lost():
		return false
	default:
		return true
	}
}

var notConfirmed = event.NewCode("release-not-confirmed", "the release was not confirmed: {reason}")

// release gives the lock back, also when the run is being stopped. An unlock that
// fails is finished by the session, and told by the trace.
func (c *Process) release(held recipe.Hold) {
	ctx, cancel := c.releaseContext()
	defer cancel()
	if err := held.Unlock(ctx); err != nil && !errors.Is(err, zklock.ErrLost) {
		c.tell(event.Event{Kind: event.LockLost, Path: held.Node(), Reason: notConfirmed.With(Because(err))})
	}
}

// releaseContext bounds a release. It outlives the client's work, so that a
// turn under way is finished also when the run is being stopped. While frames
// are delivered by hand there is no other bound: its time begins anew.
func (c *Process) releaseContext() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(c.config.Grace)
	var timer *time.Timer
	timer = time.AfterFunc(math.MaxInt64, func() {
		if ctx.Err() == nil && c.config.Stepping() {
			timer.Reset(unlockTimeout)
			return
		}
		cancel(context.DeadlineExceeded)
	})
	timer.Reset(unlockTimeout)
	return ctx, func() { timer.Stop(); cancel(nil) }
}
