package zklock

import (
	"context"

	"github.com/go-zookeeper/zk"
)

// A HerdMutex is the same queue as a [Mutex], and the two may contend on one
// path. But each waiter watches the whole directory, and so every arrival and
// every release wakes all of them, to send one listing each. It keeps to
// [WithTextbook]: its leases are not told when their znode is deleted or asked
// for. It is here to be measured and taught; use a Mutex.
type HerdMutex struct{ lock }

// NewHerdMutex returns the herd mutex whose queue is the children of path.
func NewHerdMutex(s *Session, path string, opts ...Option) *HerdMutex {
	return &HerdMutex{newLock(s, path, append(opts[:len(opts):len(opts)], WithTextbook()))}
}

// Lock waits for the mutex. See [Locker].
func (m *HerdMutex) Lock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, herdKind, false)
}

// TryLock takes the mutex if nobody is ahead. See [Locker].
func (m *HerdMutex) TryLock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, herdKind, true)
}

// awaitHerd returns when nobody is ahead of p any more. The listing sets the
// watch by the same request.
func awaitHerd(ctx context.Context, a *acquisition, p place) error {
	for {
		// Asked for before the listing, so that no reconnect goes unseen
		// between it and the end of the wait.
		resumed := a.session.nextConnection()
		queue, event, err := a.look(ctx, p, request[listing]{by: a.listBy(!a.try)})
		if err != nil {
			return err
		}
		position := positionOf(queue, p.node)
		switch {
		case position < 0:
			return errVanished
		case position == 0:
			return nil
		case a.try:
			return ErrHeld
		}
		if err := a.sleepInHerd(ctx, p, position, event, resumed); err != nil {
			return err
		}
	}
}

// sleepInHerd waits for any change of the directory. It also ends after a
// reconnect, because the client sets its watches again then, and does not tell
// when that fails.
func (a *acquisition) sleepInHerd(ctx context.Context, p place, position int, change <-chan zk.Event, resumed <-chan struct{}) error {
	a.traces.waitStart(WaitStartInfo{Node: p.node, Mode: a.mode, Predecessor: a.path, Position: position})
	done := WaitDoneInfo{Node: p.node, Mode: a.mode, Predecessor: a.path, Type: zk.EventNotWatching}
	select {
	case event := <-change:
		done.Type = event.Type
	case <-resumed:
	case <-ctx.Done():
		done.Err = interrupted(ctx)
	}
	a.traces.waitDone(done)
	return done.Err
}
