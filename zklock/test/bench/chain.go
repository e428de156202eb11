package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-zookeeper/zk"
	"golang.org/x/sync/errgroup"
)

const (
	// chainCost is less time than a hand-over takes: so many turns are laid
	// that they last for the trial.
	chainCost = 60 * time.Microsecond
	// maxChain bounds the turns of a long trial, which then ends early.
	maxChain = 30000
	// chainBatch is how many nodes one transaction lays.
	chainBatch = 100
	// layersAtOnce is how many requests are under way while a chain is laid.
	layersAtOnce = 64
)

// A chain is the floor of all hand-overs. Turn k belongs to contender k modulo
// N. All nodes, and all watches on the node of the turn before, are laid before
// the trial begins, so that a turn costs one delete and one notification.
type chain struct {
	path  string
	conns []connection
	gone  []<-chan zk.Event // by turn: the deletion of the node before
}

// openChain lays a chain for a trial.
func openChain(ctx context.Context, a trialConfig) ([]contender, error) {
	turns := min(maxChain, int(a.length/(a.hold+chainCost))+(3+a.cycles)*a.contenders)
	c := &chain{path: a.path, conns: make([]connection, a.contenders), gone: make([]<-chan zk.Event, turns)}
	all, err := openAll(ctx, a.contenders, func(ctx context.Context, i int) (_ contender, err error) {
		if c.conns[i], err = connect(ctx, a.address); err != nil {
			return nil, err
		}
		return &chainContender{chain: c, connection: c.conns[i], turn: i, over: a.over}, nil
	})
	if err != nil {
		return nil, err
	}
	if err := c.lay(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("lay the chain: %w", err), closeAll(all))
	}
	return all, nil
}

func (c *chain) node(turn int) string { return fmt.Sprintf("%s/%d", c.path, turn) }

// owner returns the connection of the contender whose turn it is.
func (c *chain) owner(turn int) connection { return c.conns[turn%len(c.conns)] }

// lay makes all nodes, and then all watches.
func (c *chain) lay(ctx context.Context) error {
	if err := c.each(ctx, len(c.conns), c.layNodes); err != nil {
		return err
	}
	return c.each(ctx, len(c.gone), c.layWatch)
}

// each calls work for 0 to n-1, some at a time.
func (c *chain) each(ctx context.Context, n int, work func(int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(layersAtOnce)
	for i := range n {
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return work(i)
		})
	}
	return group.Wait()
}

// layNodes makes the nodes of contender i.
func (c *chain) layNodes(i int) error {
	var batch []any
	for turn := i; turn < len(c.gone); turn += len(c.conns) {
		batch = append(batch, &zk.CreateRequest{Path: c.node(turn), Acl: openACL(), Flags: zk.FlagEphemeral})
		if len(batch) == chainBatch || turn+len(c.conns) >= len(c.gone) {
			if _, err := c.conns[i].Multi(batch...); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return nil
}

// layWatch lets the owner of a turn watch the node of the turn before.
func (c *chain) layWatch(turn int) error {
	if turn == 0 {
		return nil
	}
	exists, _, event, err := c.owner(turn).ExistsW(c.node(turn - 1))
	if err == nil && !exists {
		err = zk.ErrNoNode
	}
	c.gone[turn] = event
	return err
}

// A chainContender deletes every N-th node of a chain.
type chainContender struct {
	*chain
	connection
	turn int // the next one
	over <-chan struct{}
}

func (c *chainContender) acquire(ctx context.Context) error {
	switch {
	case c.turn >= len(c.gone):
		return errExhausted
	case c.turn == 0:
		return nil
	}
	return awaitDeletion(ctx, c.gone[c.turn], c.over)
}

func (c *chainContender) release(context.Context) error {
	node := c.node(c.turn)
	c.turn += len(c.conns)
	return c.Delete(node, -1)
}
