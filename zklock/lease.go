package zklock

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// A Token is the fence of an acquisition: the czxid of its znode, that is, the
// number of the transaction that put it into the queue. Of two acquisitions of
// one lock the later has the greater token, also when the lock directory has
// been deleted in between. A resource that remembers the greatest token it has
// seen, and refuses smaller ones, is safe from holders who do not know that
// they have lost their lock. An ensemble that has lost its data begins anew, and
// what a resource remembers has to be reset then.
type Token int64

// A Held is what a [Lease], a [MultiLease] and a [Hold] have in common.
type Held interface {
	Token() Token
	Context() context.Context
	Err() error
	Lost() <-chan struct{}
	Revoked() <-chan struct{}
	Check(ctx context.Context) error
	Unlock(ctx context.Context) error
}

var (
	_ Held = (*Lease)(nil)
	_ Held = (*MultiLease)(nil)
	_ Held = (*Hold)(nil)
)

// Do takes a lock by lock, such as [Mutex.Lock] or [RWMutex.RLock], calls work while it
// is held, and unlocks, also when work panics. The context of work ends with the lease
// and with ctx, by the cause of either. Do returns the error of lock, or those of work and
// of Unlock, joined. That of a lease that was lost wraps [ErrLost]: then another may
// have held it, too, while work went on. Unlock has until the session ends.
func Do[L Held](ctx context.Context, lock func(context.Context) (L, error), work func(context.Context, L) error) (err error) {
	lease, err := lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lease.Unlock(context.WithoutCancel(ctx))) }()
	joint, cancel := context.WithCancelCause(lease.Context())
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()
	return work(joint, lease)
}

// A Lease is one acquisition of a lock, held until Unlock or until it is lost.
// Its methods may be called from any goroutine.
type Lease struct {
	*acquisition // how the lease came about
	// ctx decides how the lease ends: its first cause is the one that counts.
	ctx       context.Context
	cancel    context.CancelCauseFunc
	announced chan struct{} // closed when the Acquired hooks have returned
	lost      chan struct{}
	revoked   chan struct{}
	wasLost   bool          // guarded by the session's mutex, as wasAsked is
	wasAsked  bool          // for the lock, by Revoke
	ending    chan struct{} // holds the goroutine that ends the lease, by Unlock or otherwise
	ownTimer  *time.Timer   // has the own znodes watched; nil when they are not to be
	unlocking bool          // begun, by that goroutine
	err       error         // the outcome of the first Unlock
}

// hold turns places that nobody is ahead of into a lease. It fails when the
// session has ended, or may have, in the meantime.
func (a *acquisition) hold(ctx context.Context) (*Lease, error) {
	l := &Lease{
		acquisition: a, announced: make(chan struct{}), lost: make(chan struct{}), revoked: make(chan struct{}),
		ending: make(chan struct{}, 1),
	}
	l.ctx, l.cancel = context.WithCancelCause(context.WithoutCancel(l.inside(ctx)))
	if a.places[0].config.ownWatch {
		l.ownTimer = time.AfterFunc(a.places[0].config.delay, l.watchOwn)
	}
	if err := a.session.register(l); err != nil {
		stopTimer(l.ownTimer)
		a.giveUp()
		return nil, err
	}
	a.lease = l
	defer close(l.announced)
	for _, p := range a.places {
		a.traces.acquired(AcquiredInfo{Node: p.node, Token: p.token, Mode: a.mode, Waited: time.Since(a.began)})
	}
	return l, nil
}

// errHook is the cause of a lease that nobody has got, because a hook that was
// told of it did not return.
var errHook = fmt.Errorf("%w: a hook has panicked, or ended the goroutine", ErrLost)

// errDeleted is the cause of a lease whose znode was deleted under it.
var errDeleted = fmt.Errorf("%w: znode was deleted by another", ErrLost)

// register makes the session end l with its grant.
func (s *Session) register(l *Lease) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checkClock()
	if s.config.sync && l.grant.ctx.Err() == nil {
		s.follow(s.clock.Hold(time.Now()))
	}
	if l.grant.ctx.Err() != nil {
		return context.Cause(l.grant.ctx)
	}
	l.grant.leases[l] = struct{}{}
	if s.config.sync {
		s.setDeadlineTimer()
		s.scheduleSync()
	}
	return nil
}

func (s *Session) unregister(l *Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(l)
}

// forget takes l out of what is held. The caller holds s.mu.
func (s *Session) forget(l *Lease) {
	delete(l.grant.leases, l)
	if len(s.grant.leases) == 0 {
		s.clock.Release()
	}
}

// drop ends l, and leaves the session's other leases.
func (s *Session) drop(l *Lease, cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.lose(cause)
}

// Token returns the fence of this acquisition, greater than that of every
// earlier acquisition of the lock.
func (l *Lease) Token() Token { return l.places[0].token }

// Node returns the full path of the znode that holds the lock.
func (l *Lease) Node() string { return l.places[0].node }

// Mode returns how the lock is held.
func (l *Lease) Mode() Mode { return l.mode }

// Path returns the lock directory.
func (l *Lease) Path() string { return l.places[0].path }

// Guard returns a check to be put into a Multi of your own: its other
// operations then take effect only while the lease's znode exists. No paused
// or parted client can do harm through it. It guards data in the same
// ZooKeeper; for other resources, use the Token.
func (l *Lease) Guard() *zk.CheckVersionRequest {
	return &zk.CheckVersionRequest{Path: l.Node(), Version: -1}
}

// Context returns a context for the work that the lock protects. It ends with
// the lease: its cause is [ErrUnlocked], or an error that wraps [ErrLost]. It
// carries the values of the context given to Lock, and does not end with that:
// who wants the work to end with both joins them, with [context.AfterFunc].
func (l *Lease) Context() context.Context { return l.ctx }

// Err returns why the lease is over, as the cause of its context says, nil while it
// is held. It looks at the session's clock, and asks nobody: a process that was
// stopped may go on before the context has ended, and Err knows at once. Call it
// before each step that cannot be taken back.
func (l *Lease) Err() error { return l.ended() }

// Lost returns a channel that is closed when the lease is lost, and not when
// it is unlocked.
func (l *Lease) Lost() <-chan struct{} { return l.lost }

// Check asks the servers whether the lease's znode still exists. It returns nil if
// so. When the znode is gone, the lease is lost and the error wraps [ErrLost]; after
// Unlock it wraps [ErrUnlocked]; other errors say that the servers could not be
// asked. It is a transaction, as dear as a write, and never out of date: a server that
// is cut off from its leader does not answer it.
func (l *Lease) Check(ctx context.Context) error {
	if err := l.ended(); err != nil {
		return l.fail("check", err)
	}
	within, end := l.grant.within(ctx)
	defer end()
	err := l.session.existAll(within, nodesOf(l.places))
	if err == nil {
		err = l.isOwn(within)
	}
	if ended := l.ended(); ended != nil {
		return l.fail("check", ended)
	}
	if isNoNode(err) {
		err = errDeleted
	}
	if errors.Is(err, ErrLost) {
		l.znodeLost(err)
	}
	if err != nil {
		return l.fail("check", l.session.reason(ctx, l.grant, err))
	}
	return nil
}

// isOwn reads the znode, the first of several, and returns an error when it is
// another's.
func (l *Lease) isOwn(ctx context.Context) error {
	stat, err := stat(ctx, l.session, l.Node())
	if err == nil {
		err = l.places[0].matches(l.grant, stat)
	}
	return err
}

// matches returns an error when stat is not of the znode that p has made.
func (p *place) matches(g *grant, stat *zk.Stat) error {
	switch {
	case stat.EphemeralOwner != g.id:
		return fmt.Errorf("%w: znode is of session %#x", ErrLost, stat.EphemeralOwner)
	case p.czxid != 0 && stat.Czxid != p.czxid:
		return fmt.Errorf("%w: znode is another one, made by transaction %#x", ErrLost, stat.Czxid)
	default:
		return nil
	}
}

// ended returns why the lease is over, nil while it is held.
func (l *Lease) ended() error {
	l.session.mu.Lock()
	l.session.checkClock()
	l.session.mu.Unlock()
	return context.Cause(l.ctx)
}

func (l *Lease) fail(op string, err error) error {
	if len(l.places) > 1 {
		return failure(op, strings.Join(pathsOf(l.places), ","), "", err)
	}
	return failure(op, l.Path(), l.Node(), err)
}

// lose ends the lease without the holder's doing, if it is still held. It does
// not block: what takes time is left to goroutines of the session. The deletion of
// the znodes does not wait for the hooks. The caller holds the session's mutex.
func (l *Lease) lose(cause error) {
	l.cancel(cause)
	if l.wasLost || errors.Is(context.Cause(l.ctx), ErrUnlocked) {
		return
	}
	l.wasLost = true
	close(l.lost)
	l.session.forget(l)
	stopTimer(l.ownTimer)
	for i, p := range l.places {
		reportQueued := l.session.adoptLocked(l.orphan(p, i))
		l.session.hooks.add(func() {
			defer reportQueued()
			<-l.announced
			l.traces.lost(LostInfo{Node: p.node, Token: p.token, Mode: l.mode, Cause: context.Cause(l.ctx)})
		})
	}
}

// RevokeMessage is what [Revoke] writes into a contender's znode. It is what
// Curator writes and looks for.
const RevokeMessage = "__REVOKE__"

// ErrNotContender is returned by [Revoke] for a path that is not the znode of
// a contender. [Contenders] and [Lease.Node] give such paths.
var ErrNotContender = errors.New("zklock: not the znode of a contender, want a path as Contenders gives it")

// Revoke asks the contender whose znode is at the path node to give up the
// lock, by writing [RevokeMessage] into the znode, in place of its data. It is
// a request and forces nothing: a holder of ours sees it in [Lease.Revoked], one
// of Curator's in its RevocationListener if it was made revocable, and others
// not at all. A waiter is asked too, and sees it when it holds the lock.
//
// An error is an [*Error]. It wraps zk.ErrNoNode when the contender has gone,
// zk.ErrNoAuth when its access control list forbids the write, and
// [ErrNotContender] when nothing was sent, as to those of [WithExtraMarkers],
// whose libraries know no such message. Revoke may be repeated.
func Revoke(ctx context.Context, s *Session, node string) error {
	node = trimPath(node)
	if err := s.writeRevoke(ctx, node); err != nil {
		dir, _ := path.Split(node)
		return failure("revoke", trimPath(dir), node, s.reason(ctx, nil, err))
	}
	return nil
}

func (s *Session) writeRevoke(ctx context.Context, node string) error {
	if _, _, ok := queue.Parse(path.Base(node), queue.Markers()); !ok || !path.IsAbs(node) {
		return ErrNotContender
	}
	if err := checkPath(node); err != nil {
		return err
	}
	_, err := do(ctx, s, func(c Client) (*zk.Stat, error) {
		return c.Set(node, []byte(RevokeMessage), -1)
	})
	return err
}

// Revoked returns a channel that is closed when somebody asks for the lock, by
// [Revoke] or by Curator's Revoker. It is a request: the lease goes on, and
// it is the holder's business to end its work and unlock. It may take some
// 10 ms after the acquisition until a request is seen. A lock with
// WithOwnWatch(false) never sees one, and one made during a [Lease.Downgrade] may
// be missed; no other is.
func (l *Lease) Revoked() <-chan struct{} { return l.revoked }

// askFor closes Revoked, once, after a write of RevokeMessage into the
// znode of p.
func (l *Lease) askFor(p *place) {
	l.session.mu.Lock()
	defer l.session.mu.Unlock()
	if l.wasAsked {
		return
	}
	l.wasAsked = true
	close(l.revoked)
	l.session.hooks.add(func() {
		<-l.announced
		l.traces.revokeAsked(RevokeAskedInfo{Node: p.node, Token: p.token, Mode: l.mode})
	})
}
