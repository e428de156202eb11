package zklock

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"
)

// A FlagLock is a lock as one would make it of a database row: a flag in the
// data of one persistent znode. It is here for teaching only, because it has
// two faults that a queue of ephemeral znodes is free of. Use a [Mutex].
//
// The flag outlives its holder. A client that crashes while it holds the lock
// leaves it locked for ever, until somebody empties the znode by hand. Nothing
// can tell such a flag from that of a client who works on.
//
// And there is no queue. All waiters watch the one znode, each change wakes
// all of them, and whoever is quickest is next: a client may wait for ever.
//
// In all else it is done with care, so that these are its only faults. The lock
// is taken by a compare-and-set of the data's version, from empty to a guid
// that is new for each acquisition; so of two clients that find it empty one is
// refused, and the one whose reply is lost finds its guid in the znode. Any
// data that is not empty is somebody's flag. All methods may be called from any
// goroutine.
type FlagLock struct{ lock }

// NewFlagLock returns the lock whose flag is the data of the znode at path. It
// sends nothing; a missing znode, and its parents, are made when they are
// needed, and are persistent. WithACL and WithLockTrace are the options that
// matter. Of a [Trace], EnqueueStart, Enqueued, Listed, LookedAhead, Lost and
// RevokeAsked are not called.
func NewFlagLock(s *Session, path string, opts ...Option) *FlagLock {
	return &FlagLock{newLock(s, path, append(opts[:len(opts):len(opts)], WithContainer(false)))}
}

// Lock waits until the flag is set for the caller. The errors are those of
// [Locker]; the flag is then not set, or is being emptied in the background.
func (f *FlagLock) Lock(ctx context.Context) (*FlagHold, error) {
	return f.acquireFlag(ctx, "lock")
}

// TryLock is like Lock, but returns [ErrHeld] instead of waiting for another
// holder.
func (f *FlagLock) TryLock(ctx context.Context) (*FlagHold, error) {
	return f.acquireFlag(ctx, "try")
}

func (f *FlagLock) acquireFlag(ctx context.Context, op string) (*FlagHold, error) {
	began := time.Now()
	h := &FlagHold{flag: f, guid: f.session.config.newGUID(), traces: f.config.traces.with(ctx), done: make(chan struct{})}
	if err := f.session.explain(ctx, h.run(ctx, op == "try")); err != nil {
		h.traces.gaveUp(GaveUpInfo{Path: f.path, Mode: ModeWrite, Err: err})
		return nil, failure(op, f.path, "", err)
	}
	h.announce(time.Since(began))
	return h, nil
}

// announce tells of the acquisition. When a hook does not return, nobody gets
// the hold, and the flag is emptied.
func (h *FlagHold) announce(waited time.Duration) {
	returned := false
	defer func() {
		if !returned {
			h.settle()
		}
	}()
	h.traces.acquired(AcquiredInfo{Node: h.flag.path, Token: h.token, Mode: ModeWrite, Waited: waited})
	returned = true
}

// A FlagHold is one acquisition of a [FlagLock]. Nothing ends it but Unlock:
// it is not lost with the session. So it has no Context and no Lost, as a
// [Lease] has, and without a znode of its own, no Guard.
type FlagHold struct {
	flag   *FlagLock
	guid   string
	traces traces

	// doubtful says that a request to set the flag got no reply, so that it may
	// be set although nobody says so.
	doubtful  bool
	token     Token
	version   int32 // of the data with the guid
	unlocking atomic.Bool
	done      chan struct{} // closed when the first Unlock has its outcome
	err       error         // that outcome
}

// Token returns the fence of this acquisition: the number of the transaction
// that set the flag, greater than that of every earlier holder.
func (h *FlagHold) Token() Token { return h.token }

// Unlock empties the flag. The error wraps [ErrLost] when the flag was not the
// holder's any more: somebody has written to the znode, or deleted it. Any
// other error says that the release is not confirmed; it is then repeated in
// the background while the session is open. Further calls return what the first
// one did, as soon as it has returned.
func (h *FlagHold) Unlock(ctx context.Context) error {
	if h.unlocking.Swap(true) {
		return h.awaitUnlock(ctx)
	}
	defer close(h.done)
	h.end(ctx)
	return h.err
}

// end empties the flag, and tells of it.
func (h *FlagHold) end(ctx context.Context) {
	f := h.flag
	err := errUnconfirmed // for as long as ReleaseStart has not returned
	defer func() { h.finish(err) }()
	h.traces.releaseStart(ReleaseStartInfo{Node: f.path, Token: h.token, Mode: ModeWrite})
	if err = h.release(ctx); err != nil {
		h.err = failure("unlock", f.path, "", err)
	}
	h.traces.released(ReleasedInfo{Node: f.path, Token: h.token, Mode: ModeWrite, Err: h.err})
}

// finish takes in the outcome of the release, whatever hook has not returned.
func (h *FlagHold) finish(err error) {
	if err == nil {
		return
	}
	if h.err == nil {
		h.err = failure("unlock", h.flag.path, "", err)
	}
	if !errors.Is(err, ErrLost) {
		h.settle()
	}
}

func (h *FlagHold) awaitUnlock(ctx context.Context) error {
	if err := finished(ctx, h.done); err != nil {
		return failure("unlock", h.flag.path, "", err)
	}
	return h.err
}

// release empties the flag, through as many connections as it takes. That it
// has changed is success if an earlier request of ours may have done it.
func (h *FlagHold) release(ctx context.Context) error {
	tries := 0
	_, err := do(ctx, h.flag.session, func(c Client) (*zk.Stat, error) {
		tries++
		return c.Set(h.flag.path, nil, h.version)
	})
	changed := errors.Is(err, zk.ErrBadVersion) || errors.Is(err, zk.ErrNoNode)
	switch {
	case changed && tries > 1:
		return nil
	case changed:
		return fmt.Errorf("%w: %w: the flag was changed by another", ErrLost, err)
	default:
		return err
	}
}
