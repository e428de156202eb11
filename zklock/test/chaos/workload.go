package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

const (
	// lockTimeout is the longest that a call of Lock may take.
	lockTimeout = 5 * time.Second
	// unlockTimeout is the same of Unlock: what it does not reach in its time
	// is deleted in the background.
	unlockTimeout = 3 * time.Second
)

// A worker is one goroutine of a client, which takes and releases one lock.
type worker struct {
	client   *client
	lock     string
	ways     []Way
	register *register // nil for a lock that several may hold
	history  *History
	counts   *counter
	random   *rand.Rand
}

// run works until ctx ends. Whatever it holds it gives back.
func (w *worker) run(ctx context.Context) {
	for ctx.Err() == nil {
		if !w.turn(ctx) {
			pause(ctx, w.upTo(10*time.Millisecond))
		}
	}
}

// turn takes the lock once, and reports whether it was to be had.
func (w *worker) turn(ctx context.Context) bool {
	way := w.ways[w.random.IntN(len(w.ways))]
	called := w.history.Now()
	lease, err := w.take(ctx, way)
	if err != nil {
		w.failed(err)
		return false
	}
	a := w.history.Acquired(acquisition(w.client.number, w.lock, called, lease), lease.Context())
	w.hold(ctx, lease)
	w.history.Releasing(a)
	w.unlock(ctx, lease)
	w.history.Released(a)
	return true
}

// take waits long as a rule, and at times not.
func (w *worker) take(ctx context.Context, way Way) (Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, w.upTo(lockTimeout))
	defer cancel()
	w.client.gate.pass()
	return way.Take(ctx)
}

// hold uses the register at the beginning, and often at the end, without a look
// at the lease: the fence has to know.
func (w *worker) hold(ctx context.Context, lease Lease) {
	w.client.gate.pass()
	w.use(lease)
	pause(ctx, w.upTo(5*time.Millisecond))
	w.client.gate.pass()
	if lease.Context().Err() != nil || w.random.IntN(2) == 0 {
		w.use(lease)
	}
	w.client.gate.pass()
}

// use tries until the outcome is known, as somebody does who has to get his
// work done: so leases are lost, and their writes come late.
func (w *worker) use(lease Lease) {
	if w.register == nil {
		return
	}
	for w.useOnce(lease) == unknown {
		w.counts.note(func(c *Counts) { c.Unknown++ })
		w.client.gate.pass()
	}
}

func (w *worker) useOnce(lease Lease) outcome {
	outcome := w.register.use(w.client.session.Client(), lease, w.history)
	if outcome == refused {
		w.counts.note(func(c *Counts) { c.Refused++ })
	}
	return outcome
}

// unlock does not always wait until the znode is gone. Its error says that the
// lease was lost, or that the znode is deleted later; both show elsewhere.
func (w *worker) unlock(ctx context.Context, lease Lease) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.upTo(unlockTimeout))
	defer cancel()
	_ = lease.Unlock(ctx)
}

// failed counts a call of Lock that returned no lease.
func (w *worker) failed(err error) {
	w.counts.note(func(c *Counts) {
		switch {
		case errors.Is(err, zklock.ErrHeld):
			c.Held++
		case errors.Is(err, zklock.ErrLost):
			c.SessionLost++
		case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
			c.GaveUp++
		default:
			c.Other = append(c.Other, fmt.Errorf("%s: %w", w.lock, err))
		}
	})
}

// upTo draws a time, short ones more often than long ones.
func (w *worker) upTo(longest time.Duration) time.Duration {
	x := w.random.Float64()
	return time.Duration(x * x * float64(longest))
}
