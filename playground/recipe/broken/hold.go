package broken

import (
	"context"
	"fmt"

	"github.com/zkplayground/zkplayground/zklock"
)

// A hold is one acquisition in a [queue], from its znode on.
type hold struct {
	queue     *queue
	node      string
	token     zklock.Token
	recovered bool            // the znode was found again by its name
	life      context.Context // of the session that owns the znode
}

// entered notes the znode that the server says it made.
func (h *hold) entered(node string) {
	h.node = node
	if path, zxid := h.queue.process.LastCreated(); path == node {
		h.token = zklock.Token(zxid)
	}
}

// within does one part of the acquisition while ctx and the session last.
func (h *hold) within(ctx context.Context, part func(context.Context, *hold) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(h.life, func() { cancel(context.Cause(h.life)) })()
	return part(ctx, h)
}

func (h *hold) Node() string        { return h.node }
func (h *hold) Token() zklock.Token { return h.token }

func (h *hold) Lost() <-chan struct{} {
	if h.queue.ignoresLoss {
		return nil
	}
	return h.life.Done()
}

func (h *hold) Unlock(ctx context.Context) error {
	if h.life.Err() != nil && !h.queue.ignoresLoss {
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
func (h *hold) lose() error {
	err := fmt.Errorf("%w: %w", zklock.ErrLost, context.Cause(h.life))
	h.queue.trace.Lost(zklock.LostInfo{Node: h.node, Token: h.token, Mode: zklock.ModeWrite, Cause: err})
	h.withdraw()
	return err
}

// withdraw takes the znode out of the queue in the background: its session may
// turn out to live.
func (h *hold) withdraw() {
	p := h.queue.process
	if h.node == "" || p.Ending() {
		return
	}
	p.CleanUp(func() {
		_ = h.queue.remove(p.Grace(), h.node) // what is left after that goes with the session
	})
}
