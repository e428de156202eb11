package chaos

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// lookEvery is how often a history is asked for what is awaited.
const lookEvery = 5 * time.Millisecond

// AwaitDeleted returns when the server was seen to have deleted a znode, or
// with the error of ctx.
func (h *History) AwaitDeleted(ctx context.Context, node string) error {
	return h.await(ctx, node+" to be deleted", func() bool {
		z := h.nodes[node]
		return z != nil && z.deleted > 0
	})
}

// AwaitWrite returns when somebody with a greater token is known to have
// written the register of a lock, or with the error of ctx.
func (h *History) AwaitWrite(ctx context.Context, lock string, token zklock.Token) error {
	return h.await(ctx, "a later write", func() bool {
		return slices.ContainsFunc(h.record.Writes, func(w Write) bool {
			return w.Lock == lock && w.Token > token
		})
	})
}

// awaitEach returns when each lock has been held, or with the error of ctx.
func (h *History) awaitEach(ctx context.Context, kinds []Kind) error {
	return h.await(ctx, "each lock to be held", func() bool {
		return !slices.ContainsFunc(kinds, func(k Kind) bool {
			return !slices.ContainsFunc(h.all, func(a *Acquisition) bool { return a.Lock == k.Name })
		})
	})
}

// await asks again and again.
func (h *History) await(ctx context.Context, what string, happened func() bool) error {
	for {
		h.mu.Lock()
		yes := happened()
		h.mu.Unlock()
		if yes {
			return nil
		}
		if !pause(ctx, lookEvery) {
			return fmt.Errorf("chaos: wait for %s: %w", what, context.Cause(ctx))
		}
	}
}
