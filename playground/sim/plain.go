package sim

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/event"
)

// newPlain is a faithful copy of the flaw that most locks had at first: after
// an error the create is repeated, as a read would be. If only the reply was
// lost, the client then stands in the queue twice and waits for itself.
func newPlain(c *client, lane event.Lane) contender {
	q := newNaiveQueue(c, lane)
	q.enter = func(ctx context.Context, h *naiveHold) error {
		node, err := ask(ctx, c, q.create(""))
		if err == nil {
			h.entered(node)
		}
		return err
	}
	return q
}
