package sim

import (
	"context"
	"errors"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock"
)

// turns passes through the lock again and again, as often as the scenario says,
// while ctx lasts and the session does. Attempts that fail are not counted.
func (c *client) turns(ctx context.Context) {
	most := c.config.Scenario.Turns
	for done := 0; (most == 0 || done < most) && c.session.Load().WaitConnected(ctx) == nil; {
		if c.turn(ctx) {
			done++
		}
	}
}

// turn tries to pass once through the lock, and says whether it held it.
func (c *client) turn(ctx context.Context) bool {
	t := c.plan.next()
	held, err := c.contender.acquire(ctx, t.write)
	if err != nil {
		sleep(ctx, max(retryPause, t.think))
		return false
	}
	c.work(ctx, held, t)
	c.release(held)
	sleep(ctx, t.think)
	return true
}

// work is what a client holds the lock for. Where the lock protects an account
// it reads that first, and writes back in the end what it has made of it.
func (c *client) work(ctx context.Context, held grip, t turn) {
	account, ok := c.accounts[c.lane]
	if !ok || c.reads(t) {
		hold(ctx, held, t.hold)
		return
	}
	balance, ok := account.read(ctx, c, held)
	if !ok || !c.worked(ctx, held, t.hold) {
		return
	}
	ctx, cancel := c.releaseContext()
	defer cancel()
	account.write(ctx, c, held, balance)
}

// reads says whether the turn is for reading, so that others may hold as well.
func (c *client) reads(t turn) bool {
	_, shares := c.contender.(readWrite)
	return shares && !t.write
}

// worked holds for d and says whether the client may then write. It may not when
// it has seen that the lock is lost. But a process that stood still while it
// held has not seen that: it goes on where it stood, without another look.
func (c *client) worked(ctx context.Context, held grip, d time.Duration) bool {
	finished := hold(ctx, held, d)
	stood := c.gate.pass()
	return (finished || stood) && ctx.Err() == nil
}

// hold waits for d, or until the lock is lost or ctx ends, and says whether the
// client still held it then, as far as it knows.
func hold(ctx context.Context, held grip, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-held.Lost():
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

// release lets go, also when the run is being stopped. An unlock that fails is
// finished by the session, and told by the trace.
func (c *client) release(held grip) {
	ctx, cancel := c.releaseContext()
	defer cancel()
	if err := held.Unlock(ctx); err != nil && !errors.Is(err, zklock.ErrLost) {
		c.tell(event.Event{Kind: event.LockLost, Path: held.Node(), Why: "the release was not confirmed: " + err.Error()})
	}
}

// sleep waits for d, or returns false when ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
