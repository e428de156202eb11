package sim

import (
	"context"
	"fmt"

	"github.com/zkplayground/zkplayground/zklock"
)

// A naiveHold is one acquisition in a [naiveQueue], from its znode on.
type naiveHold struct {
	queue     *naiveQueue
	node      string
	token     zklock.Token
	recovered bool            // the znode was found again by its name
	life      context.Context // of the session that owns the znode
}

// entered notes the znode that the server says it made.
func (h *naiveHold) entered(node string) {
	h.node = node
	if path, zxid := h.queue.client.tap.LastCreated(); path == node {
		h.token = zklock.Token(zxid)
	}
}

// within does one part of the acquisition while ctx and the session last.
func (h *naiveHold) within(ctx context.Context, part func(context.Context, *naiveHold) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(h.life, func() { cancel(context.Cause(h.life)) })()
	return part(ctx, h)
}

func (h *naiveHold) Node() string        { return h.node }
func (h *naiveHold) Token() zklock.Token { return h.token }

func (h *naiveHold) Lost() <-chan struct{} {
	if h.queue.deaf {
		return nil
	}
	return h.life.Done()
}

func (h *naiveHold) Unlock(ctx context.Context) error {
	if h.life.Err() != nil && !h.queue.deaf {
		return h.lose()
	}
	h.queue.trace.ReleaseStart(zklock.ReleaseStartInfo{Node: h.node, Token: h.token, Mode: zklock.ModeWrite})
	err := h.queue.remove(ctx, h.node)
	if err != nil {
		h.withdraw() // in time for those who wait behind it
	}
	return err
}

// lose ends a hold whose session may not be counted on any more.
func (h *naiveHold) lose() error {
	err := fmt.Errorf("%w: %w", zklock.ErrLost, context.Cause(h.life))
	h.queue.trace.Lost(zklock.LostInfo{Node: h.node, Token: h.token, Mode: zklock.ModeWrite, Cause: err})
	h.withdraw()
	return err
}

// withdraw takes the znode out of the queue in the background: its session may
// turn out to live.
func (h *naiveHold) withdraw() {
	c := h.queue.client
	if h.node == "" || c.departed() {
		return
	}
	c.orphans.begin()
	c.background.Go(func() {
		defer c.orphans.end()
		_ = h.queue.remove(c.grace, h.node) // what is left after that, the session takes along
	})
}
