package sim

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/event"
)

// newAdopting is a faithful copy of the flaw that is open in Curator as
// CURATOR-604: after a lost connection it goes on in a new session, finds its
// znode by the guid, and does not ask which session that belongs to. It is the
// old one's, and goes when the server has had enough of that.
func newAdopting(c *client, lane event.Lane) contender {
	q := newNaiveQueue(c, lane)
	q.unsure = func(ctx context.Context, h *naiveHold) error {
		if err := c.renew(ctx, lane); err != nil {
			return err
		}
		h.life = c.session.Load().Context()
		return nil
	}
	return q
}
