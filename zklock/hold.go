package zklock

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/go-zookeeper/zk"
)

// A Hold is one of the times that an owner has taken a [Reentrant] lock. All
// holds that an owner has at one time share one [Lease]: the token, the znode
// and the context are the same, and if it is lost, all of them are. Its
// context ends with the last hold. Unlock each hold once. The methods may be
// called from any goroutine.
type Hold struct {
	lease     *Lease
	stay      *stay
	unlocking atomic.Bool
	done      chan struct{} // closed when the first Unlock has its outcome
	err       error         // that outcome
}

// Token returns the fence of the lease. See [Lease.Token].
func (h *Hold) Token() Token { return h.lease.Token() }

// Node returns the full path of the znode that holds the lock.
func (h *Hold) Node() string { return h.lease.Node() }

// Mode returns [ModeWrite].
func (h *Hold) Mode() Mode { return h.lease.Mode() }

// Guard returns a check to be put into a Multi of your own. See [Lease.Guard].
func (h *Hold) Guard() *zk.CheckVersionRequest { return h.lease.Guard() }

// Context returns a context for the work that the lock protects, with the
// owner in it. It ends with the lease, and not with this hold. See
// [Lease.Context].
func (h *Hold) Context() context.Context { return h.lease.Context() }

// Lost returns a channel that is closed when the lease is lost. See
// [Lease.Lost].
func (h *Hold) Lost() <-chan struct{} { return h.lease.Lost() }

// Revoked returns a channel that is closed when somebody asks for the lock.
// See [Lease.Revoked].
func (h *Hold) Revoked() <-chan struct{} { return h.lease.Revoked() }

// Check asks the server whether the lock is still held. See [Lease.Check].
func (h *Hold) Check(ctx context.Context) error { return h.lease.Check(ctx) }

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
	if err := h.lease.ended(); err != nil && !errors.Is(err, ErrUnlocked) {
		h.err = h.lease.fail("unlock", err)
	}
	h.leave(ctx)
	return h.err
}

// leave leaves the stay. When a hook does not return, the lease's Unlock has
// kept what came of it, and no further call of it calls a hook.
func (h *Hold) leave(ctx context.Context) {
	returned := false
	defer func() {
		if !returned {
			h.err = h.lease.Unlock(ctx)
		}
	}()
	if err := h.stay.leave(ctx); err != nil {
		h.err = err
	}
	returned = true
}

func (h *Hold) awaitUnlock(ctx context.Context) error {
	if err := finished(ctx, h.done); err != nil {
		return h.lease.fail("unlock", err)
	}
	return h.err
}
