package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/program"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

// A programLock is the program as a lock.
type programLock struct{ access *programAccess }

func (l programLock) Acquire(ctx context.Context, turn scenario.Turn) (recipe.Hold, error) {
	a := l.access
	wanted := program.Message{Mode: "write", DeadlineMillis: turn.Timeout.Milliseconds()}
	if turn.Try {
		wanted.DeadlineMillis = 1
	}
	if a.client.shares() && !turn.Write {
		wanted.Mode = "read"
	}
	a.mu.Lock()
	a.held = ""
	if a.client.shares() {
		a.mode = wanted.Mode
	}
	a.mu.Unlock()
	a.derived.begin()
	said, lost, err := a.process.Acquire(ctx, wanted)
	if err != nil {
		if ctx.Err() != nil { // what it waits for goes with it, before the run looks what is left
			a.close(a.client.config.Grace)
		}
		return nil, err
	}
	if said.Type != program.Acquired {
		return nil, fmt.Errorf("%w: %s", errFailed, said.Why)
	}
	return &programHold{access: a, node: a.heldBy(), token: zklock.Token(said.Token), lost: lost}, nil
}

var errFailed = errors.New("the program has not got the lock")

// A programHold is one acquisition, as the program says.
type programHold struct {
	access *programAccess
	node   string
	token  zklock.Token
	lost   <-chan struct{}
}

func (h *programHold) Node() string          { return h.node }
func (h *programHold) Token() zklock.Token   { return h.token }
func (h *programHold) Lost() <-chan struct{} { return h.lost }

// Unlock asks the program to release. It believes that it holds until it is asked to.
func (h *programHold) Unlock(ctx context.Context) error {
	a := h.access
	select {
	case <-h.lost:
	default:
		a.client.tell(event.Event{Kind: event.LockReleased, Path: h.node, Token: int64(h.token), Mode: a.modeNow()})
	}
	said, err := a.process.Release(ctx)
	switch {
	case err != nil:
		return err
	case said.Type == program.Lost:
		return zklock.ErrLost
	default:
		return nil
	}
}
