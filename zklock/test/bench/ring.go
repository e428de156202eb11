package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/go-zookeeper/zk"
)

// A ring is the floor of a full cycle: to make a node, to wait for the turn
// and to delete it. As in a chain, turn k belongs to contender k modulo N, but
// each node is made when its contender has had the turn before. The order is
// known, so that nobody lists anything.
type ring struct {
	path       string
	contenders int
	released   atomic.Int64 // turns whose deletion has been acknowledged
	// made tells each contender that the node of the turn before exists: else
	// it could not tell a node not yet made from one already deleted. At most
	// two are on their way: the third would be made after the receiver's turn.
	made []chan struct{}
}

func openRing(ctx context.Context, a trialConfig) ([]contender, error) {
	r := &ring{path: a.path, contenders: a.contenders, made: make([]chan struct{}, a.contenders)}
	for i := range r.made {
		r.made[i] = make(chan struct{}, 2)
	}
	r.made[0] <- struct{}{} // there is none before the first
	return openAll(ctx, a.contenders, func(ctx context.Context, i int) (contender, error) {
		conn, err := connect(ctx, a.address)
		if err != nil {
			return nil, err
		}
		return &ringContender{ring: r, connection: conn, index: i, turn: i, over: a.over}, nil
	})
}

func (r *ring) node(turn int) string { return fmt.Sprintf("%s/%d", r.path, turn) }

// A ringContender takes every N-th turn of a ring.
type ringContender struct {
	*ring
	connection
	index int
	turn  int // the next one
	over  <-chan struct{}
}

func (c *ringContender) acquire(ctx context.Context) error {
	if _, err := c.Create(c.node(c.turn), nil, zk.FlagEphemeral, openACL()); err != nil {
		return err
	}
	c.made[(c.index+1)%c.contenders] <- struct{}{}
	select {
	case <-c.made[c.index]:
	case <-c.over:
		return errOver
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return c.awaitTurn(ctx)
}

// awaitTurn watches the node of the turn before, unless it is known to be gone.
func (c *ringContender) awaitTurn(ctx context.Context) error {
	if c.released.Load() == int64(c.turn) {
		return nil
	}
	exists, _, gone, err := c.ExistsW(c.node(c.turn - 1))
	if err != nil || !exists {
		return err
	}
	return awaitDeletion(ctx, gone, c.over)
}

func (c *ringContender) release(context.Context) error {
	if err := c.Delete(c.node(c.turn), -1); err != nil {
		return err
	}
	c.advance()
	return nil
}

// advance notes that all turns up to this one are over. The turns after it may
// have been acknowledged already.
func (c *ringContender) advance() {
	done := int64(c.turn) + 1
	for old := c.released.Load(); old < done && !c.released.CompareAndSwap(old, done); {
		old = c.released.Load()
	}
	c.turn += c.contenders
}

// awaitDeletion waits for the event of a watch on a node of somebody else.
func awaitDeletion(ctx context.Context, event <-chan zk.Event, over <-chan struct{}) error {
	select {
	case e := <-event:
		if e.Type != zk.EventNodeDeleted {
			return fmt.Errorf("instead of a deletion: %v %w", e.Type, e.Err)
		}
		return nil
	case <-over:
		return errOver
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
