package zklock

import (
	"context"
	"errors"

	"github.com/go-zookeeper/zk"
)

// probe returns ErrHeld when somebody would be ahead of a newcomer.
func (a *acquisition) probe(ctx context.Context) error {
	g, err := a.session.connected(ctx)
	if err != nil {
		return err
	}
	waiting := g.within(ctx)
	defer waiting.end()
	got, err := do(waiting, a.session, func(c Client) (listing, error) {
		return a.session.listing(c, a.path, false)
	})
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	if err != nil {
		return err
	}
	queue := queueOf(got.children, a.markers)
	if len(a.blockers(queue, len(queue))) > 0 {
		return ErrHeld
	}
	return nil
}
