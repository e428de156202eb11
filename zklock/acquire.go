package zklock

import (
	"context"
	"errors"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
	"slices"
	"time"
)

// A lock is what all recipes share: a session, and a directory in it. It keeps
// nothing of an acquisition but what helps to name the next one, to guess, and to
// know by its number that nobody is ahead.
type lock struct {
	session *Session
	path    string
	invalid error // of the path
	config  lockConfig
	names   *names
	habit   *habit
}

func newLock(s *Session, dir string, opts []Option) lock {
	dir = trimPath(dir)
	return lock{
		session: s, path: dir, invalid: checkPath(dir), config: newLockConfig(opts),
		names: newNames(s.config.newGUID), habit: new(habit),
	}
}

// enter begins a use of the lock. Each success is paired with a call of the
// session's leave.
func (l *lock) enter() error {
	if l.invalid != nil {
		return l.invalid
	}
	return l.session.enter()
}

// Path returns the lock directory.
func (l *lock) Path() string { return l.path }

// An acquisition is one call of Lock.
type acquisition struct {
	*lock
	kind
	grant     *grant // of the session that the place in the queue belongs to
	traces    traces
	try       bool
	began     time.Time
	byNumber  bool       // the number may show that nobody is ahead
	foresight *foresight // of the place to come, nil without one
	seen      sighting
}

// acquire takes the lock in the manner of k, or fails with an [*Error].
func (l *lock) acquire(ctx context.Context, k kind, try bool) (*Lease, error) {
	if len(l.config.markers) > 0 {
		k.markers = slices.Concat(k.markers, l.config.markers)
	}
	a := &acquisition{lock: l, kind: k, traces: l.config.traces.with(ctx), try: try, began: time.Now()}
	lease, node, err := a.run(ctx)
	if err == nil {
		return lease, nil
	}
	err = l.session.explain(ctx, err)
	a.traces.gaveUp(GaveUpInfo{Path: l.path, Node: node, Mode: k.mode, Err: err})
	return nil, failure(operation(try), l.path, node, err)
}

// operation is what an [Error] calls an acquisition.
func operation(try bool) string {
	if try {
		return "try"
	}
	return "lock"
}

// run repeats attempts that somebody else spoils by deleting the own znode.
func (a *acquisition) run(ctx context.Context) (lease *Lease, node string, err error) {
	if err := a.enter(); err != nil {
		return nil, "", err
	}
	defer a.session.leave()
	if a.upgrades(ctx) {
		return nil, "", ErrUpgrade
	}
	if a.try && a.config.probe && a.marker != permitMarker {
		if err := a.probe(ctx); err != nil {
			return nil, "", err
		}
	}
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
	a.seen = sighting{}
	waiting := a.grant.within(ctx)
	if a.config.without.Has(mechanism.Span) {
		waiting.Done()
	}
	defer waiting.end()
	defer a.forget()
	p, err := a.enqueue(waiting)
	if err != nil {
		return nil, "", err
	}
	if err := a.await(waiting, p); err != nil {
		a.withdraw(waiting, p, err)
		return nil, p.node, err
	}
	a.recognize(waiting)
	lease, err = a.hold(ctx, p)
	return lease, p.node, err
}

// withdraw gives up the place p. A client that tried and found the lock held
// waits until its znode is gone, or its next try would find that one.
func (a *acquisition) withdraw(ctx context.Context, p place, why error) {
	if errors.Is(why, ErrHeld) && a.session.remove(ctx, p.node, false) == nil {
		return
	}
	a.session.adopt(a.orphan(p, nil))
}

// await returns when the place p holds the lock. It gives p up when a hook does
// not return.
func (a *acquisition) await(ctx context.Context, p place) (err error) {
	returned := false
	defer func() {
		if !returned {
			a.session.adopt(a.orphan(p, nil))
		}
	}()
	if a.wait != nil {
		err = a.wait(ctx, a, p)
	} else {
		err = a.awaitTurn(ctx, p)
	}
	returned = true
	return err
}
