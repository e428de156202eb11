package sim

import (
	"context"
	"fmt"

	"github.com/zkplayground/zkplayground/playground/event"
)

// newPlain is a faithful copy of the flaw that most locks had at first: after
// an error the create is repeated, as a read would be. If only the reply was
// lost, the client then stands in the queue twice and waits for itself.
//
// Its znodes bear the client's number, so that readers of the tree know whose
// they are. The client itself makes nothing of that.
func newPlain(c *client, lane event.Lane) contender {
	q := newNaiveQueue(c, lane)
	mark := fmt.Sprintf("_c_%s-%d-", c.lane, c.number)
	q.enter = func(ctx context.Context, h *naiveHold) error {
		node, err := ask(ctx, c, q.create(mark))
		if err == nil {
			h.entered(node)
		}
		return err
	}
	return q
}
