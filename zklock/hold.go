package zklock

import (
	"context"
	"errors"
	"sync/atomic"
)

// A Hold is one of the times that an owner has taken a [Reentrant] lock. All
// holds that an owner has at one time share one [Lease]: the token, the znode
// and the context are the same, and if it is lost, all of them are. Its
// context ends with the last hold. Unlock each hold once; do not call the
// Unlock of the Lease, which ends all of them. The methods may be called from
// any goroutine.
type Hold struct {
	*Lease
	stay      *stay
	unlocking atomic.Bool
	done      chan struct{} // closed when the first Unlock has its outcome
	err       error         // that outcome
}

// Unlock gives up this hold. The owner's last Unlock releases the lock, first
// in ZooKeeper and then for the owners of this process who wait; until then it
// sends nothing.
//
// The errors are those of [Lease.Unlock]; of a lost lease, each hold's Unlock
// returns one that wraps [ErrLost]. Whatever it returns, the hold is over, and
// the next owner has its turn. Further calls return what the first one did, as
// soon as it has returned.
func (h *Hold) Unlock(ctx context.Context) error {
	if h.unlocking.Swap(true) {
		return h.awaitUnlock(ctx)
	}
	defer close(h.done)
	if err := h.ended(); err != nil && !errors.Is(err, ErrUnlocked) {
		h.err = h.Lease.fail("unlock", err)
	}
	if err := h.stay.leave(ctx); err != nil {
		h.err = err
	}
	return h.err
}

func (h *Hold) awaitUnlock(ctx context.Context) error {
	select {
	case <-h.done:
		return h.err
	case <-ctx.Done():
		return h.Lease.fail("unlock", context.Cause(ctx))
	}
}
