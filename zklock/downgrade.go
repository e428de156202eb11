package zklock

import (
	"context"
	"errors"
	"fmt"
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
	l.session.detain()
	defer l.session.leave()
	if err := l.claim(ctx); err != nil {
		return nil, l.fail("downgrade", err)
	}
	defer l.unclaim()
	defer l.finishUnlock()
	if l.marker != writeMarker {
		return nil, l.fail("downgrade", ErrNotWriter)
	}
	if err := l.ended(); err != nil {
		return nil, l.fail("downgrade", err)
	}
	lease, err := l.replace(ctx, l.asReader())
	if err != nil {
		return nil, l.fail("downgrade", err)
	}
	return lease, nil
}

// finishUnlock sees to a lease that somebody has unlocked, and could not end,
// because it was claimed.
func (l *Lease) finishUnlock() {
	if l.unlocking || !errors.Is(context.Cause(l.ctx), ErrUnlocked) {
		return
	}
	l.unlocking = true
	l.err = l.fail("unlock", errUnconfirmed)
	l.stopWatching()
	l.session.unregister(l)
	l.session.adopt(l.orphan())
}

// errUnconfirmed says that a znode is being deleted in the background.
var errUnconfirmed = errors.New("zklock: the release is not confirmed")

// asReader returns the place of a reader with the number of l's.
func (l *Lease) asReader() place {
	guid, _ := l.names.next()
	p := place{guid: guid, sequence: l.place.sequence, token: l.place.token}
	p.node = l.nodeOf(fullName(p.guid, readMarker, p.sequence))
	return p
}

// replace puts p into l's place.
func (l *Lease) replace(ctx context.Context, p place) (*Lease, error) {
	within := l.grant.within(ctx)
	defer within.end()
	reader := *l.acquisition
	reader.kind, reader.began = readKind, time.Now()
	late, err := l.sendReplacement(within, p)
	switch {
	case errors.Is(err, zk.ErrNoNode):
		l.session.drop(l, errDeleted)
		return nil, errDeleted
	case late != nil:
		l.session.drop(l, fmt.Errorf("%w: the outcome of its downgrade is not known: %w", ErrLost, uncaused(err)))
		p.node = "" // it may come to be later
		l.session.adopt(reader.orphan(p, late))
		return nil, err
	case err != nil:
		return nil, err
	}
	return l.handOn(&reader, p)
}

// handOn ends l, and makes the lease of the reader. When a hook does not
// return, nobody gets that one: then its znode is deleted.
func (l *Lease) handOn(reader *acquisition, p place) (lease *Lease, err error) {
	l.err = l.fail("unlock", errUnconfirmed) // until all hooks have returned
	ended := false
	defer func() {
		if !ended {
			l.session.adopt(reader.orphan(p, nil))
		}
	}()
	l.endQuietly()
	ended = true
	lease, err = reader.hold(l.ctx, p)
	l.err = nil
	return lease, err
}

// sendReplacement sends the transaction until it is answered: the name of p is
// fixed, so that p exists is success. With an error it also returns the request
// that may yet be done.
func (l *Lease) sendReplacement(ctx context.Context, p place) (late *call[creation], err error) {
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		if _, err := l.session.online(ctx); err != nil {
			return late, err
		}
		late = start(l.session, func(c Client) (creation, error) {
			_, err := c.Multi(
				&zk.CreateRequest{Path: p.node, Data: l.config.data, Acl: l.config.acl, Flags: zk.FlagEphemeral},
				&zk.DeleteRequest{Path: l.place.node, Version: -1})
			if errors.Is(err, zk.ErrNodeExists) {
				err = nil
			}
			return creation{node: p.node}, err
		})
		if _, err = late.wait(ctx); err == nil || late.over() && answered(err) {
			return nil, err
		}
		if err := sleep(ctx, pause); err != nil {
			return late, err
		}
	}
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
		return interrupted(ctx)
	}
}

func (l *Lease) unclaim() { <-l.ending }

// A leaseKey finds the lease of a reader in a context.
type leaseKey struct {
	session *Session
	path    string
}

// inside returns ctx as it is for those who work under the lease: a reader's
// says so.
func (l *Lease) inside(ctx context.Context) context.Context {
	if l.marker != readMarker {
		return ctx
	}
	return context.WithValue(ctx, leaseKey{l.session, l.path}, l)
}

// upgrades reports whether a is a writer's that asks while, by its context, it
// reads under the same lock: it would wait for itself.
func (a *acquisition) upgrades(ctx context.Context) bool {
	if a.marker != writeMarker {
		return false
	}
	held, ok := ctx.Value(leaseKey{a.session, a.path}).(*Lease)
	return ok && held.ended() == nil
}
