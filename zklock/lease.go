package zklock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-zookeeper/zk"
)

// A Lease is one acquisition of a lock, held until Unlock or until it is lost.
// Its methods may be called from any goroutine.
type Lease struct {
	*acquisition // how the lease came about
	*tenure
	place      place
	lost       signal
	ending     chan struct{} // holds one who ends the lease, by Unlock or otherwise
	watching   *reminder     // has the own znode watched; nil when it is not to be
	plainTimer *time.Timer
	unlocking  bool  // begun, by whoever ends it
	err        error // the outcome of the first Unlock
}

// A tenure is what the parts of a [MultiLease] have in common. Any other lease
// has one of its own.
type tenure struct {
	// ctx decides how the lease ends: its first cause is the one that counts.
	ctx       context.Context
	cancel    context.CancelCauseFunc
	announced signal // Acquired has been told
	revoked   signal
	parts     []*Lease
}

// begin makes the context, with the values of ctx.
func (t *tenure) begin(ctx context.Context) {
	t.ctx, t.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
}

// newLease adds a part to t.
func newLease(a *acquisition, p place, t *tenure) *Lease {
	l := &Lease{acquisition: a, tenure: t, place: p, ending: make(chan struct{}, 1)}
	t.parts = append(t.parts, l)
	return l
}

// hold turns a place that nobody is ahead of into a lease. It fails when the
// session has ended, or may have, in the meantime.
func (a *acquisition) hold(ctx context.Context, p place) (*Lease, error) {
	l := newLease(a, p, new(tenure))
	l.begin(l.inside(ctx))
	if err := a.session.register(l); err != nil {
		a.session.adopt(a.orphan(p, nil))
		return nil, err
	}
	l.watchOwn()
	l.announce(a.traces)
	return l, nil
}

// errHook is the cause of a lease that nobody has got, because a hook that was
// told of it did not return.
var errHook = fmt.Errorf("%w: a hook has panicked, or ended the goroutine", ErrLost)

// announce tells of the acquisition of all parts of t. When a hook does not
// return, nobody gets the lease, and it is lost.
func (t *tenure) announce(ts traces) {
	returned := false
	defer func() {
		t.announced.give()
		if !returned {
			t.parts[0].session.drop(t.parts[0], errHook)
		}
	}()
	for _, l := range t.parts {
		ts.acquired(AcquiredInfo{Node: l.place.node, Token: l.place.token, Mode: l.mode, Waited: time.Since(l.began)})
	}
	returned = true
}

// register makes the session end leases, which are of one grant, with that.
func (s *Session) register(leases ...*Lease) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checkClock(time.Now())
	g := leases[0].grant
	if !g.live() {
		return context.Cause(g.ctx)
	}
	for _, l := range leases {
		g.leases[l] = struct{}{}
	}
	return nil
}

func (s *Session) unregister(l *Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(l.grant.leases, l)
}

// drop ends l, with the others of its tenure, and leaves the session's other
// leases.
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
// carries the values of the context given to Lock, and does not end with that:
// who wants the work to end with both joins them, with [context.AfterFunc].
func (l *Lease) Context() context.Context { return l.ctx }

// Lost returns a channel that is closed when the lease is lost, and not when
// it is unlocked.
func (l *Lease) Lost() <-chan struct{} { return l.lost.done() }

// Check asks the server whether the lease's znode still exists and is of this
// session. It returns nil if so. When the znode is gone, the lease is lost and
// the error wraps [ErrLost]; after Unlock it wraps [ErrUnlocked]; other errors
// say that the server could not be asked. A server that lags behind its leader
// may still show a znode that is gone: only Guard and Token are proof against
// that.
func (l *Lease) Check(ctx context.Context) error {
	if err := l.ended(); err != nil {
		return l.fail("check", err)
	}
	within := l.grant.within(ctx)
	defer within.end()
	stat, err := stat(within, l.session, l.place.node)
	if ended := l.ended(); ended != nil {
		return l.fail("check", ended)
	}
	switch {
	case errors.Is(err, zk.ErrNoNode):
		err = errDeleted
	case err == nil && stat.EphemeralOwner != l.grant.id:
		err = fmt.Errorf("%w: znode is of session %#x", ErrLost, stat.EphemeralOwner)
	case err == nil:
		return nil
	}
	if errors.Is(err, ErrLost) {
		l.ownFailed(err)
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
	return failure(op, l.path, l.place.node, err)
}

// lose ends the lease without the holder's doing, if it is still held. It does
// not block: what takes time is left to goroutines of the session. The caller
// holds the session's mutex.
func (l *Lease) lose(cause error) {
	l.cancel(cause)
	if errors.Is(context.Cause(l.ctx), ErrUnlocked) {
		return
	}
	for _, part := range l.parts {
		part.loseNode()
	}
}

// loseNode has the znode of a lost lease deleted, and tells of the loss. The
// deletion does not wait for the hooks. The caller holds the session's mutex.
func (l *Lease) loseNode() {
	if !l.lost.give() {
		return
	}
	delete(l.grant.leases, l)
	tellQueued := l.session.charge(l.orphan())
	l.session.hooks.add(func() {
		defer tellQueued()
		l.announced.wait()
		l.traces.lost(LostInfo{Node: l.place.node, Token: l.place.token, Mode: l.mode, Cause: context.Cause(l.ctx)})
	})
}

func (l *Lease) orphan() *orphan { return l.acquisition.orphan(l.place, nil) }
