package zklock

import (
	"context"
	"errors"
	"path"
	"time"

	"github.com/go-zookeeper/zk"
)

// A lock is what all recipes share: a session, and a directory in it. It knows
// nothing about acquisitions.
type lock struct {
	session *Session
	path    string
	config  lockConfig
}

func newLock(s *Session, dir string, opts []Option) lock {
	return lock{session: s, path: path.Clean(dir), config: newLockConfig(opts)}
}

// Path returns the lock directory.
func (l *lock) Path() string { return l.path }

// An acquisition is one call of Lock.
type acquisition struct {
	*lock
	kind
	grant  *grant // of the session that the place in the queue belongs to
	traces traces
	try    bool
	began  time.Time
}

// acquire takes the lock in the manner of k, or fails with an [*Error].
func (l *lock) acquire(ctx context.Context, k kind, try bool) (*Lease, error) {
	a := &acquisition{lock: l, kind: k, traces: l.config.traces.with(ctx), try: try, began: time.Now()}
	lease, node, err := a.run(ctx)
	if err == nil {
		return lease, nil
	}
	a.traces.gaveUp(GaveUpInfo{Path: l.path, Node: node, Mode: k.mode, Err: err})
	op := "lock"
	if try {
		op = "try"
	}
	return nil, &Error{Op: op, Path: l.path, Node: node, Err: err}
}

// run repeats attempts that somebody else spoils by deleting the own znode.
func (a *acquisition) run(ctx context.Context) (lease *Lease, node string, err error) {
	if err := a.session.enter(); err != nil {
		return nil, "", err
	}
	defer a.session.leave()
	for range maxAttempts {
		lease, node, err = a.attempt(ctx)
		if !errors.Is(err, errVanished) {
			break
		}
	}
	return lease, node, err
}

// attempt takes one place in the queue and waits there.
func (a *acquisition) attempt(ctx context.Context) (lease *Lease, node string, err error) {
	if a.grant, err = a.session.connected(ctx); err != nil {
		return nil, "", err
	}
	waiting, cancel := a.grant.within(ctx)
	defer cancel()
	p, err := a.enqueue(waiting)
	if err != nil {
		return nil, "", err
	}
	if err := a.await(waiting, p); err != nil {
		a.withdraw(waiting, p, err)
		return nil, p.node, err
	}
	lease, err = a.hold(ctx, p)
	return lease, p.node, err
}

// withdraw gives up the place p. A client that tried and found the lock held
// waits until its znode is gone, or its next try would find that one.
func (a *acquisition) withdraw(ctx context.Context, p place, why error) {
	if errors.Is(why, ErrHeld) && a.session.remove(ctx, p.node) == nil {
		return
	}
	a.session.adopt(a.orphan(p, nil))
}

// await returns when nobody is ahead of p any more.
func (a *acquisition) await(ctx context.Context, p place) error {
	for {
		// Asked for before the listing, so that no reconnect goes unseen
		// between it and the end of the wait.
		resumed := a.session.nextConnection()
		seen, err := a.list(ctx, p)
		if err != nil || seen.blocker < 0 {
			return err
		}
		if a.try {
			return ErrHeld
		}
		w, err := a.watch(ctx, seen)
		if errors.Is(err, zk.ErrNoNode) {
			continue // gone in between
		}
		if err != nil {
			return err
		}
		if err := a.sleep(ctx, p, w, resumed); err != nil {
			return err
		}
	}
}

// sleep waits for the watch. It also ends after a reconnect, because the
// client re-arms its watches then, and does not tell when that fails.
func (a *acquisition) sleep(ctx context.Context, p place, w watched, resumed <-chan struct{}) error {
	a.traces.waitStart(WaitStartInfo{Node: p.node, Mode: a.mode, Predecessor: w.node, Position: w.position})
	done := WaitDoneInfo{Node: p.node, Mode: a.mode, Predecessor: w.node, Type: zk.EventNotWatching}
	select {
	case event := <-w.event:
		done.Type = event.Type
	case <-resumed:
	case <-ctx.Done():
		done.Err = context.Cause(ctx)
	}
	a.traces.waitDone(done)
	return done.Err
}
