package zklock

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"
)

// A Lease is one acquisition of a lock, held until Unlock or until it is lost.
// Its methods may be called from any goroutine.
type Lease struct {
	session *Session
	grant   *grant
	place   place
	mode    Mode
	config  *lockConfig
	traces  traces
	// acquired is how the lease came about.
	acquired *acquisition

	// ctx decides how the lease ends: its first cause is the one that counts.
	ctx       context.Context
	cancel    context.CancelCauseFunc
	announced chan struct{} // closed when Acquired has been told
	lost      chan struct{}
	lostOnce  sync.Once
	revoked   chan struct{}
	ending    chan struct{} // holds one who ends the lease, by Unlock or otherwise
	watching  *time.Timer   // has the own znode watched; nil when it is not to be
	unlocking atomic.Bool
	unlocked  chan struct{} // closed when the first Unlock has its outcome
	err       error         // that outcome
}

// hold turns a place that nobody is ahead of into a lease. It fails when the
// session has ended, or may have, in the meantime.
func (a *acquisition) hold(ctx context.Context, p place) (*Lease, error) {
	l := &Lease{
		session: a.session, grant: a.grant, place: p, mode: a.mode, config: &a.config, traces: a.traces, acquired: a,
		announced: make(chan struct{}), lost: make(chan struct{}), unlocked: make(chan struct{}), revoked: make(chan struct{}),
		ending: make(chan struct{}, 1),
	}
	values := context.WithValue(context.WithoutCancel(ctx), leaseKey{}, l)
	l.ctx, l.cancel = context.WithCancelCause(values)
	if err := a.session.register(l); err != nil {
		a.session.adopt(a.orphan(p, nil))
		return nil, err
	}
	l.watchOwn()
	defer close(l.announced)
	a.traces.acquired(AcquiredInfo{Node: p.node, Token: p.token, Mode: a.mode, Waited: time.Since(a.began)})
	return l, nil
}

// register makes the session end l with its grant.
func (s *Session) register(l *Lease) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checkClock(time.Now())
	if !l.grant.live() {
		return context.Cause(l.grant.ctx)
	}
	l.grant.leases[l] = struct{}{}
	return nil
}

func (s *Session) unregister(l *Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(l.grant.leases, l)
}

// drop ends l alone.
func (s *Session) drop(l *Lease, cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(l.grant.leases, l)
	l.lose(cause)
}

// Token returns the fence of this acquisition, greater than that of every
// earlier acquisition of the lock.
func (l *Lease) Token() Token { return l.place.token }

// Node returns the full path of the znode that holds the lock.
func (l *Lease) Node() string { return l.place.node }

// Mode returns how the lock is held.
func (l *Lease) Mode() Mode { return l.mode }

// Guard returns a check to be put into a Multi of your own: its other
// operations then take effect only while the lease's znode exists. No paused
// or parted client can do harm through it. It guards data in the same
// ZooKeeper; for other resources, use the Token.
func (l *Lease) Guard() *zk.CheckVersionRequest {
	return &zk.CheckVersionRequest{Path: l.place.node, Version: -1}
}

// Context returns a context for the work that the lock protects. It ends with
// the lease: its cause is [ErrUnlocked], or an error that wraps [ErrLost]. It
// carries the values of the context given to Lock.
func (l *Lease) Context() context.Context { return l.ctx }

// Lost returns a channel that is closed when the lease is lost, and not when
// it is unlocked.
func (l *Lease) Lost() <-chan struct{} { return l.lost }

// Check asks the server whether the lease's znode still exists and is of this
// session. It returns nil if so. When the znode is gone, the lease is lost and
// the error wraps [ErrLost]; other errors say that the server could not be
// asked. A server that lags behind its leader may still show a znode that is
// gone: only Guard and Token are proof against that.
func (l *Lease) Check(ctx context.Context) error {
	if err := l.ended(); err != nil {
		return l.fail("check", err)
	}
	ctx, cancel := l.grant.within(ctx)
	defer cancel()
	stat, err := stat(ctx, l.session, l.place.node)
	if ended := l.ended(); ended != nil {
		return l.fail("check", ended)
	}
	switch {
	case errors.Is(err, zk.ErrNoNode):
		err = fmt.Errorf("%w: znode was deleted by another", ErrLost)
	case err == nil && stat.EphemeralOwner != l.grant.id:
		err = fmt.Errorf("%w: znode is of session %#x", ErrLost, stat.EphemeralOwner)
	case err == nil:
		return nil
	}
	if errors.Is(err, ErrLost) {
		l.session.drop(l, err)
	}
	return l.fail("check", err)
}

// ended returns why the lease is over, nil while it is held.
func (l *Lease) ended() error {
	l.session.mu.Lock()
	l.session.checkClock(time.Now())
	l.session.mu.Unlock()
	return context.Cause(l.ctx)
}

func (l *Lease) fail(op string, err error) error {
	return &Error{Op: op, Path: path.Dir(l.place.node), Node: l.place.node, Err: err}
}

// lose ends the lease without the holder's doing, if it is still held. It does
// not block: what takes time is left to the session's goroutine. The caller
// holds the session's mutex.
func (l *Lease) lose(cause error) {
	l.cancel(cause)
	if errors.Is(context.Cause(l.ctx), ErrUnlocked) {
		return
	}
	l.lostOnce.Do(func() {
		close(l.lost)
		l.session.users++ // so that Close waits for the clean-up
		l.session.hooks.add(l.tellLost)
	})
}

func (l *Lease) tellLost() {
	defer l.session.leave()
	<-l.announced
	l.traces.lost(LostInfo{Node: l.place.node, Token: l.place.token, Mode: l.mode, Cause: context.Cause(l.ctx)})
	l.session.adopt(l.orphan())
}

func (l *Lease) orphan() *orphan {
	return &orphan{dir: path.Dir(l.place.node), place: l.place, grant: l.grant, traces: l.traces}
}
