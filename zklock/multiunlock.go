package zklock

import (
	"context"
	"errors"
	"slices"

	"github.com/go-zookeeper/zk"
)

// Unlock ends the lease and deletes its znodes in one transaction, waiting for
// a connection as long as ctx allows. The lease's context ends before anything
// is sent. Whatever Unlock returns, the lease is over, and znodes that could
// not be deleted yet will be deleted in the background: all of them with a ctx
// that has ended, such as the lease's own.
//
// The error wraps [ErrLost] when the lease was lost, or one of the znodes was
// found deleted by somebody else: then another may have held a lock meanwhile;
// the others are released all the same. Any other error says that the release
// is not confirmed. Further calls return what the first one did, as soon as it
// has returned.
func (l *MultiLease) Unlock(ctx context.Context) error {
	l.session.detain() // before Close can take the znodes for seen to
	defer l.session.leave()
	l.ended() // looks at the clock
	l.cancel(ErrUnlocked)
	if cause := context.Cause(l.ctx); !errors.Is(cause, ErrUnlocked) {
		return l.fail("unlock", cause)
	}
	if l.unlocking.Swap(true) {
		return l.awaitUnlock(ctx)
	}
	defer close(l.unlocked)
	for _, part := range l.parts {
		part.stopWatching()
		l.session.unregister(part)
	}
	l.end(ctx)
	return l.err
}

func (l *MultiLease) awaitUnlock(ctx context.Context) error {
	if err := finished(ctx, l.unlocked); err != nil {
		return l.fail("unlock", err)
	}
	return l.err
}

// end releases the parts, and tells of it.
func (l *MultiLease) end(ctx context.Context) {
	var errs []error // nil for as long as ReleaseStart has not returned
	defer func() { l.settle(errs) }()
	for _, part := range l.parts {
		l.traces.releaseStart(ReleaseStartInfo{Node: part.Node(), Token: part.Token(), Mode: part.mode})
	}
	errs = l.release(ctx)
	for i, part := range l.parts {
		l.traces.released(ReleasedInfo{Node: part.Node(), Token: part.Token(), Mode: part.mode, Err: part.unreleased(errs[i])})
	}
}

// unreleased is what a part's release returns that has ended with err.
func (l *Lease) unreleased(err error) error {
	if err == nil {
		return nil
	}
	return l.fail("unlock", err)
}

// settle takes in the outcome of the release of each part, whatever hook has
// not returned. Of several errors, a loss is the one to be returned.
func (l *MultiLease) settle(errs []error) {
	if errs == nil {
		errs = slices.Repeat([]error{errUnconfirmed}, len(l.parts))
	}
	var left []*orphan
	worst := 0
	for i, err := range errs {
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			left = append(left, l.parts[i].orphan())
		}
		if errs[worst] == nil || errors.Is(err, ErrLost) && !errors.Is(errs[worst], ErrLost) {
			worst = i
		}
	}
	l.err = l.parts[worst].unreleased(errs[worst])
	l.session.adopt(left...)
}

// release deletes the znodes while the session lasts, and returns an error, or
// nil, for each. Where the transaction fails, it takes them one by one.
func (l *MultiLease) release(ctx context.Context) []error {
	within := l.grant.within(ctx)
	defer within.end()
	errs := make([]error, len(l.parts))
	err := l.releaseTogether(within)
	if err == nil {
		return errs
	}
	sent := !answered(err)
	for i, part := range l.parts {
		errs[i] = l.session.remove(within, part.Node(), sent)
	}
	return errs
}

// releaseTogether deletes all znodes in one transaction, and with them, if
// nobody minds, the directories whose counters are to start again.
func (l *MultiLease) releaseTogether(ctx context.Context) error {
	if resets, done := l.resets(); len(resets) > 0 {
		err := l.session.removeAll(ctx, l.Nodes(), resets...)
		done(err)
		if err == nil || !answered(err) {
			return err
		}
	}
	return l.session.removeAll(ctx, l.Nodes())
}

// resets returns the deletions of those directories that a mutex's release
// would delete for the sake of their counters, and what takes in the outcome.
func (l *MultiLease) resets() (resets []any, done func(error)) {
	var outcomes []func([]zk.MultiResponse, error)
	for _, part := range l.parts {
		seen, known := l.session.directories.known(part.path)
		if !known || !seen.alone || !seen.empty || part.place.sequence < resetSequence {
			continue
		}
		deletion, outcome := part.reset(seen.version)
		resets, outcomes = append(resets, deletion...), append(outcomes, outcome)
	}
	return resets, func(err error) {
		for _, outcome := range outcomes {
			outcome(nil, err)
		}
	}
}
