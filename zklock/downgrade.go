package zklock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
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
	l.session.enterClosing()
	defer l.session.leave()
	if err := l.claim(ctx); err != nil {
		return nil, l.fail("downgrade", contextError(ctx))
	}
	defer l.unclaim()
	defer l.finishUnlock()
	if l.places[0].kind.Marker != queue.WriteMarker {
		return nil, l.fail("downgrade", ErrNotWriter)
	}
	if err := l.ended(); err != nil {
		return nil, l.fail("downgrade", err)
	}
	lease, err := l.replace(ctx)
	if err != nil {
		return nil, l.fail("downgrade", l.session.reason(ctx, l.grant, err))
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
	l.retire()
	l.session.adopt(l.orphan(l.places[0], 0))
}

// asReader returns the acquisition of a reader with the number of l's.
func (l *Lease) asReader() *acquisition {
	writer, guid := l.places[0], l.session.config.newGUID()
	p := &place{
		lock: writer.lock, kind: queue.Reader.With(writer.config.markers), guid: guid,
		sequence: writer.sequence, token: writer.token,
	}
	p.node = childOf(p.path, queue.NumberedName(guid, queue.ReadMarker, p.sequence))
	return &acquisition{
		session: l.session, caller: l.caller, places: []*place{p}, mode: ModeRead, traces: l.traces,
		began: time.Now(), grant: l.grant,
	}
}

// replace puts a reader into l's place.
func (l *Lease) replace(ctx context.Context) (lease *Lease, err error) {
	within, end := l.grant.within(ctx)
	defer end()
	reader := l.asReader()
	returned := false
	defer func() {
		if !returned {
			reader.abandon()
		}
	}()
	err = l.sendReplacement(within, reader)
	switch {
	case err == nil:
		lease, err = l.handOn(reader)
	case isNoNode(err):
		l.session.drop(l, errDeleted)
		err = errDeleted
	case reader.creating != nil:
		l.session.drop(l, fmt.Errorf("%w: the outcome of its downgrade is not known: %w", ErrLost, ctx.Err()))
		reader.places[0].node = "" // it may come to be later
		reader.giveUp()
	}
	returned = true
	return lease, err
}

// handOn ends l, and makes the lease of the reader.
func (l *Lease) handOn(reader *acquisition) (*Lease, error) {
	writer := l.places[0]
	l.err = l.fail("unlock", errUnconfirmed) // until all hooks have returned
	l.cancel(ErrUnlocked)
	l.unlocking = true
	l.retire()
	l.traces.releaseStart(ReleaseStartInfo{Node: writer.node, Token: writer.token, Mode: l.mode})
	l.traces.released(ReleasedInfo{Node: writer.node, Token: writer.token, Mode: l.mode})
	lease, err := reader.hold(l.ctx)
	l.err = nil
	return lease, err
}

// sendReplacement sends the transaction until it is answered: the name of the
// reader's znode is fixed, so that it exists is success. After an error,
// reader.creating is the request that may yet be done.
func (l *Lease) sendReplacement(ctx context.Context, reader *acquisition) error {
	p := reader.places[0]
	ops := []any{
		&zk.CreateRequest{Path: p.node, Data: p.config.data, Acl: p.config.acl, Flags: zk.FlagEphemeral},
		&zk.DeleteRequest{Path: l.Node(), Version: -1},
	}
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		if _, err := l.session.online(ctx); err != nil {
			return err
		}
		reader.creating = send(l.session, l.session.transaction(ops...))
		_, err := reader.creating.wait(ctx)
		if errors.Is(err, zk.ErrNodeExists) {
			err = nil
		}
		if err == nil || reader.creating.over() && answered(err) {
			reader.creating = nil
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// A leaseKey finds the lease of a reader in a context.
type leaseKey struct {
	session *Session
	path    string
}

// inside returns ctx as it is for work under the lease: a reader's
// says so.
func (l *Lease) inside(ctx context.Context) context.Context {
	if l.mode != ModeRead {
		return ctx
	}
	return context.WithValue(ctx, leaseKey{l.session, l.Path()}, l)
}

// upgrades reports whether a is a writer's that asks while, by its context, it
// reads under the same lock: it would wait for itself.
func (a *acquisition) upgrades(ctx context.Context) bool {
	p := a.places[0]
	if p.kind.Marker != queue.WriteMarker {
		return false
	}
	held, ok := ctx.Value(leaseKey{a.session, p.path}).(*Lease)
	return ok && held.ended() == nil
}
