package zklock

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/go-zookeeper/zk"
)

// A MultiLease is one acquisition of a [Multi], held until Unlock or until it
// is lost. All of it is lost when a part is: when the session ends, or somebody
// deletes the znode on one of the paths; then the other znodes are deleted too,
// in the background. Its methods may be called from any goroutine.
type MultiLease struct {
	session   *Session
	grant     *grant
	traces    traces
	*tenure   // of the leases on the paths, which end together
	unlocking atomic.Bool
	unlocked  chan struct{} // closed when the first Unlock has its outcome
	err       error         // that outcome
}

// hold turns places that nobody is ahead of into a lease. It fails when the
// session has ended, or may have, in the meantime.
func (a *multiAcquisition) hold(ctx context.Context) (*MultiLease, error) {
	l := a.newLease(ctx)
	if err := a.session.register(l.parts...); err != nil {
		a.withdraw(ctx, err)
		return nil, err
	}
	for _, part := range l.parts {
		part.watchOwn()
	}
	l.announce(a.traces)
	return l, nil
}

func (a *multiAcquisition) newLease(ctx context.Context) *MultiLease {
	l := &MultiLease{session: a.session, grant: a.grant, traces: a.traces, tenure: new(tenure), unlocked: make(chan struct{})}
	l.begin(ctx)
	for _, p := range a.parts {
		newLease(p.acquisition, p.place, l.tenure)
	}
	return l
}

// Token returns the fence of this acquisition: the czxid that all its znodes
// share. On each of the paths it is greater than that of every earlier
// acquisition, by a [Mutex] as well.
func (l *MultiLease) Token() Token { return l.parts[0].Token() }

// Nodes returns the full paths of the znodes that hold the locks, in the order
// of the paths.
func (l *MultiLease) Nodes() []string {
	nodes := make([]string, len(l.parts))
	for i, part := range l.parts {
		nodes[i] = part.Node()
	}
	return nodes
}

// Guards returns the checks, one a path, to be put into a Multi of your own:
// its other operations then take effect only while all the znodes exist. See
// [Lease.Guard].
func (l *MultiLease) Guards() []any { return checksOf(l.Nodes()) }

// Context returns a context for the work that the locks protect. It ends with
// the lease, as soon as one part of it does: its cause is [ErrUnlocked], or an
// error that wraps [ErrLost]. It carries the values of the context given to
// Lock.
func (l *MultiLease) Context() context.Context { return l.ctx }

// Lost returns a channel that is closed when the lease is lost, at the latest
// a moment after its context has ended, and not when it is unlocked.
func (l *MultiLease) Lost() <-chan struct{} { return l.parts[0].Lost() }

// Revoked returns a channel that is closed when somebody asks for one of the
// locks. See [Lease.Revoked].
func (l *MultiLease) Revoked() <-chan struct{} { return l.revoked.done() }

// Check asks the servers whether all the znodes still exist, and returns nil if
// so. When one is gone, the lease is lost and the error wraps [ErrLost]; after
// Unlock it wraps [ErrUnlocked]; other errors say that the servers could not be
// asked. It is a transaction, as dear
// as a write, and never out of date.
func (l *MultiLease) Check(ctx context.Context) error {
	if err := l.ended(); err != nil {
		return l.fail("check", err)
	}
	within := l.grant.within(ctx)
	defer within.end()
	err := existAll(within, l.session, l.Nodes())
	if ended := l.ended(); ended != nil {
		return l.fail("check", ended)
	}
	if errors.Is(err, zk.ErrNoNode) {
		err = errDeleted
		l.session.drop(l.parts[0], err)
	}
	if err != nil {
		return l.fail("check", err)
	}
	return nil
}

// ended returns why the lease is over, nil while it is held.
func (l *MultiLease) ended() error { return l.parts[0].ended() }

// fail says that an operation on all parts has failed.
func (l *MultiLease) fail(op string, err error) error {
	paths := make([]string, len(l.parts))
	for i, part := range l.parts {
		paths[i] = part.path
	}
	return failure(op, strings.Join(paths, ","), "", err)
}
