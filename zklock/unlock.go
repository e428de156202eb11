package zklock

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// errUnconfirmed says that a znode is being deleted in the background.
var errUnconfirmed = errors.New("zklock: the release is not confirmed")

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
	l.session.enterClosing() // before Close can take the znode for seen to
	defer l.session.leave()
	l.ended() // looks at the clock
	l.cancel(ErrUnlocked)
	if cause := context.Cause(l.ctx); !errors.Is(cause, ErrUnlocked) {
		return l.fail("unlock", cause)
	}
	if err := l.claim(ctx); err != nil {
		return l.fail("unlock", contextError(ctx))
	}
	defer l.unclaim()
	if !l.unlocking {
		l.unlocking = true
		l.end(ctx)
	}
	return l.err
}

// claim waits for the right to end the lease: only one may, of Unlock, Downgrade and
// whoever finds a znode deleted.
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
		return errInterrupted
	}
}

func (l *Lease) unclaim() { <-l.ending }

// end ends a lease that has been unlocked, for whoever has claimed that. What a hook
// that does not return has kept from being released is deleted in the background.
func (l *Lease) end(ctx context.Context) {
	<-l.announced
	l.retire()
	l.err = l.fail("unlock", errUnconfirmed) // until the release has been answered
	errs := make([]error, len(l.places))
	for i := range errs {
		errs[i] = errUnconfirmed
	}
	defer func() { l.settle(errs) }()
	for _, p := range l.places {
		l.traces.releaseStart(ReleaseStartInfo{Node: p.node, Token: p.token, Mode: l.mode})
	}
	l.release(ctx, errs)
	failures := l.failures(ctx, errs)
	l.err = worst(failures)
	for i, p := range l.places {
		l.traces.released(ReleasedInfo{Node: p.node, Token: p.token, Mode: l.mode, Err: failures[i]})
	}
}

// retire ends what is done for a lease while it is held.
func (l *Lease) retire() {
	stopTimer(l.ownTimer)
	l.session.unregister(l)
}

// settle hands what is left to the session's clean-up.
func (l *Lease) settle(errs []error) {
	var left []*orphan
	for i, err := range errs {
		if err != nil && !isNoNode(err) {
			left = append(left, l.orphan(l.places[i], i))
		}
	}
	l.session.adopt(left...)
}

// failures are what the caller is told of errs, nil where there is none.
func (l *Lease) failures(ctx context.Context, errs []error) []error {
	failures := make([]error, len(errs))
	for i, err := range errs {
		if err != nil {
			failures[i] = failure("unlock", l.places[i].path, l.places[i].node, l.session.reason(ctx, l.grant, err))
		}
	}
	return failures
}

// worst returns one of several errors, nil if there is none: a loss goes first.
func worst(errs []error) (worst error) {
	for _, err := range errs {
		if worst == nil || errors.Is(err, ErrLost) && !errors.Is(worst, ErrLost) {
			worst = err
		}
	}
	return worst
}

// release deletes the znodes while the session lasts, and sets the outcome of each.
// Several go in one transaction; where that fails, they are taken one by one.
func (l *Lease) release(ctx context.Context, errs []error) {
	within, end := l.grant.within(ctx)
	defer end()
	var left []*place
	var sent bool // a request that may have deleted what is left
	for _, p := range l.places {
		done, maybe := p.releaseWith(within)
		if sent = sent || maybe; !done {
			left = append(left, p)
		}
	}
	if len(left) > 1 {
		_, err := l.session.transactOnce(within, deletionsOf(nodesOf(left)))
		if sent = sent || !answered(err); err == nil {
			left = nil
		}
	}
	for i, p := range l.places {
		errs[i] = nil
		if slices.Contains(left, p) {
			errs[i] = l.session.remove(within, p.node, sent)
		}
	}
}

// remove deletes a znode, through as many connections as it takes. That it was
// gone already is success if an earlier request of ours may have deleted it;
// sent says that there was one before.
func (s *Session) remove(ctx context.Context, node string, sent bool) error {
	_, times, err := askOften(ctx, s, deleteRequest(node))
	if isNoNode(err) {
		if sent || times > 1 {
			return nil
		}
		return fmt.Errorf("%w: %w: it was deleted by another", ErrLost, err)
	}
	return err
}
