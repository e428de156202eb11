package zklock

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/go-zookeeper/zk"
)

// Downgrade turns a writer's lease of an [RWMutex] into a reader's, without
// letting go of the lock: the readers that stand behind it come in, and no
// writer. The new lease has the same token, for it is the same stay. This one
// ends as if unlocked.
//
// In one transaction a reader's znode takes the place of the writer's, under
// its number. If it fails, this lease is held as before, unless its znode is
// found deleted: then it is lost. If ctx ends before the outcome is known, the
// lease is given up: it is lost, and its znode deleted. The error, an [*Error],
// wraps [ErrNotWriter] for a lease of any other kind, and [ErrUnlocked] after
// Unlock.
func (l *Lease) Downgrade(ctx context.Context) (*Lease, error) {
	if err := l.claim(ctx); err != nil {
		return nil, l.fail("downgrade", err)
	}
	defer l.unclaim()
	if l.marker != writeMarker {
		return nil, l.fail("downgrade", ErrNotWriter)
	}
	if err := l.ended(); err != nil {
		return nil, l.fail("downgrade", err)
	}
	lease, err := l.replace(ctx, l.asReader())
	if err == nil {
		return lease, nil
	}
	if errors.Is(context.Cause(l.ctx), ErrUnlocked) {
		l.session.adopt(l.orphan()) // unlocked meanwhile
	}
	return nil, l.fail("downgrade", err)
}

// asReader returns the place of a reader with the number of l's.
func (l *Lease) asReader() place {
	p := place{guid: l.names.next(), sequence: l.place.sequence, token: l.place.token}
	p.node = path.Join(l.path, fmt.Sprintf("%s%010d", protectedName(p.guid, readMarker), p.sequence))
	return p
}

// replace puts p into l's place. The name of p is fixed, so the transaction
// can be repeated until it is answered: that p exists is success.
func (l *Lease) replace(ctx context.Context, p place) (*Lease, error) {
	within, cancel := l.grant.within(ctx)
	defer cancel()
	sent := false
	_, err := do(within, l.session, func(c Client) ([]zk.MultiResponse, error) {
		sent = true
		return c.Multi(
			&zk.CreateRequest{Path: p.node, Data: l.config.data, Acl: l.config.acl, Flags: zk.FlagEphemeral},
			&zk.DeleteRequest{Path: l.place.node, Version: -1})
	})
	reader := *l.acquisition
	reader.kind, reader.began = readKind, time.Now()
	switch {
	case errors.Is(err, zk.ErrNoNode):
		l.session.drop(l, errDeleted)
		return nil, errDeleted
	case err == nil || errors.Is(err, zk.ErrNodeExists):
		l.endQuietly()
		return reader.hold(l.ctx, p)
	case sent && !answered(err):
		l.session.adopt(reader.orphan(p, nil))
		l.session.drop(l, fmt.Errorf("%w: the outcome of its downgrade is not known: %w", ErrLost, err))
	}
	return nil, err
}

// endQuietly ends l, whose znode is gone already. Its traces are told of a
// release.
func (l *Lease) endQuietly() {
	l.cancel(ErrUnlocked)
	l.unlocking = true
	l.stopWatching()
	l.session.unregister(l)
	l.traces.releaseStart(ReleaseStartInfo{Node: l.place.node, Token: l.place.token, Mode: l.mode})
	l.traces.released(ReleasedInfo{Node: l.place.node, Token: l.place.token, Mode: l.mode})
}

// claim waits for the right to end the lease: only one of Downgrade and Unlock
// may be at it.
func (l *Lease) claim(ctx context.Context) error {
	select {
	case l.ending <- struct{}{}:
		return nil
	default:
	}
	select {
	case l.ending <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (l *Lease) unclaim() { <-l.ending }

type leaseKey struct{}

// upgrades reports whether a is a writer's that asks while, by its context, it
// reads under the same lock: it would wait for itself.
func (a *acquisition) upgrades(ctx context.Context) bool {
	held, ok := ctx.Value(leaseKey{}).(*Lease)
	return ok && a.marker == writeMarker && held.marker == readMarker &&
		held.session == a.session && held.path == a.path && held.ended() == nil
}
