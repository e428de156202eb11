package zklock

import (
	"context"
	"errors"
	"fmt"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"

	"github.com/go-zookeeper/zk"
)

// Unlock ends the lease and deletes its znode, waiting for a connection as long
// as ctx allows. The lease's context ends before anything is sent. Whatever
// Unlock returns, the lease is over, and a znode that could not be deleted yet
// will be deleted in the background. With a ctx that has ended it
// returns its error at once, and deletes in the background: that is enough in a
// deferred call. The lease's own context is such a ctx, as Unlock ends it.
//
// The error wraps [ErrLost] when the lease was lost, or the znode was found
// deleted by somebody else: then another may have held the lock meanwhile. Any
// other error says that the release is not confirmed. After zk.ErrNoAuth, of a
// client that may not delete in the directory, the znode stays and the lock is
// taken until the session ends. Further calls return what the first one did, as
// soon as it has returned.
func (l *Lease) Unlock(ctx context.Context) error {
	l.session.detain() // before Close can take the znode for seen to
	defer l.session.leave()
	l.ended() // looks at the clock
	l.cancel(ErrUnlocked)
	if cause := context.Cause(l.ctx); !errors.Is(cause, ErrUnlocked) {
		return l.fail("unlock", cause)
	}
	if err := l.claim(ctx); err != nil {
		return l.fail("unlock", err)
	}
	defer l.unclaim()
	if !l.unlocking {
		l.unlocking = true
		l.end(ctx)
	}
	return l.err
}

// end ends a lease that has been unlocked, for whoever has claimed that.
func (l *Lease) end(ctx context.Context) {
	l.announced.wait()
	l.stopWatching()
	l.session.unregister(l)
	err := errUnconfirmed // for as long as ReleaseStart has not returned
	defer func() { l.settle(err) }()
	l.traces.releaseStart(ReleaseStartInfo{Node: l.place.node, Token: l.place.token, Mode: l.mode})
	if err = l.release(ctx); err != nil {
		l.err = l.fail("unlock", err)
	} else {
		l.names.release(l.place)
	}
	l.traces.released(ReleasedInfo{Node: l.place.node, Token: l.place.token, Mode: l.mode, Err: l.err})
}

// settle takes in the outcome of the release, whatever hook has not returned.
func (l *Lease) settle(err error) {
	if err == nil {
		return
	}
	if l.err == nil {
		l.err = l.fail("unlock", err)
	}
	if !errors.Is(err, zk.ErrNoNode) {
		l.session.adopt(l.orphan())
	}
}

// release deletes the znode while the session lasts, and with it what is to go
// in the same transaction.
func (l *Lease) release(ctx context.Context) error {
	within := l.grant.within(ctx)
	if l.config.without.Has(mechanism.Span) {
		within.Done()
	}
	defer within.end()
	more, done := l.parting()
	if len(more) == 0 {
		sent, err := l.mark(within)
		if sent && err == nil {
			return nil
		}
		return l.session.remove(within, l.place.node, sent && !answered(err))
	}
	replies, err := l.session.removeWith(within, l.place.node, more)
	done(replies, err)
	if err == nil {
		return nil
	}
	return l.session.remove(within, l.place.node, !answered(err))
}

// removeWith deletes a znode in one transaction with other operations. An
// answer that it cannot be done says that nothing was.
func (s *Session) removeWith(ctx context.Context, node string, more []any) ([]zk.MultiResponse, error) {
	if _, err := s.online(ctx); err != nil {
		return nil, err
	}
	ops := append([]any{&zk.DeleteRequest{Path: node, Version: -1}}, more...)
	return start(s, func(c Client) ([]zk.MultiResponse, error) { return c.Multi(ops...) }).wait(ctx)
}

// remove deletes a znode, through as many connections as it takes. That it was
// gone already is success if an earlier request of ours may have deleted it;
// sent says that there was one before.
func (s *Session) remove(ctx context.Context, node string, sent bool) error {
	_, times, err := askOften(ctx, s, deleteRequest(node))
	return deletion(err, sent || times > 1)
}

// deletion returns the outcome of a delete that was answered with err; again
// says that one before may have been done.
func deletion(err error, again bool) error {
	switch {
	case !errors.Is(err, zk.ErrNoNode):
		return err
	case again:
		return nil
	default:
		return fmt.Errorf("%w: %w: it was deleted by another", ErrLost, err)
	}
}
