package zklock

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// errUnconfirmed says that a znode is being deleted in the background.
var errUnconfirmed = errors.New("zklock: the release is not confirmed")

// Unlock ends the lease and deletes its znode, waiting for a connection as long
// as ctx allows. The lease's context ends before anything is sent. Whatever
// Unlock returns, the lease is over, and a znode that could not be deleted yet
// will be deleted in the background. With a ctx that has ended it
// returns its error at once, and deletes in the background: that is enough in a
// deferred call, where the session is closed before the process ends. The lease's
// own context is such a ctx, as Unlock ends it.
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
// the goroutine that finds a znode deleted.
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

// end ends a lease that has been unlocked, for the goroutine that has claimed that. What a hook
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

// failures are what the caller gets of errs, nil where there is none.
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

// An orphan is a znode that is not needed any more, or a create under way that
// may still make one. While it exists it blocks those behind it in the queue,
// for as long as its session lives; so it is deleted in the background until
// it is known to be gone.
type orphan struct {
	dir      string
	guid     string
	node     string         // empty when it is not known
	creating *call[results] // the create, when it may be under way still
	index    int            // of the znode in what that makes
	grant    *grant
	traces   traces
}

// orphan is what the place at that index leaves behind.
func (a *acquisition) orphan(p *place, index int) *orphan {
	return &orphan{dir: p.path, guid: p.guid, node: p.node, creating: a.creating, index: index, grant: a.grant, traces: a.traces}
}

func (o *orphan) info(err error) OrphanInfo {
	return OrphanInfo{Path: o.dir, Node: o.node, GUID: o.guid, Err: err}
}

// adopt takes charge of orphans, and calls their traces. It defers that, the
// first orphan last, so that a hook that panics keeps it from none.
func (s *Session) adopt(orphans ...*orphan) {
	for _, o := range slices.Backward(orphans) {
		s.mu.Lock()
		reportQueued := s.adoptLocked(o)
		s.mu.Unlock()
		defer reportQueued()
	}
}

// adoptLocked takes charge of an orphan, and returns the call of its traces, which
// is to be called once. It does nothing where the session's end deletes the
// orphan in any case. The caller holds s.mu.
func (s *Session) adoptLocked(o *orphan) (reportQueued func()) {
	ended := o.grant.gone && o.creating == nil
	dissolved := s.closing && s.owned != nil
	if ended || dissolved || s.background.Err() != nil {
		return func() {}
	}
	queued, told := o.info(nil), make(chan struct{})
	s.users++
	s.orphans++
	s.work.Go(func() {
		defer s.leaveOrphan()
		if err := s.clean(o); !errors.Is(err, ErrClosed) {
			<-told
			o.traces.orphanDone(o.info(err))
		}
	})
	return func() {
		defer close(told)
		o.traces.orphanQueued(queued)
	}
}

func (s *Session) leaveOrphan() {
	s.mu.Lock()
	s.orphans--
	s.mu.Unlock()
	s.leave()
}

// clean deletes an orphan, or returns an error that wraps ErrSessionLost when
// the session that it belongs to has ended, or ErrClosed.
func (s *Session) clean(o *orphan) error {
	ctx := s.background
	id := o.grant.id
	if o.creating != nil {
		// The create may be sent as late as in the next session.
		made, err := o.creating.wait(ctx)
		switch {
		case err == nil:
			o.node = made.ops[o.index].String
		case ctx.Err() != nil:
			return ErrClosed
		case answered(err) && !errors.Is(err, zk.ErrNodeExists): // which an earlier try has made
			return nil
		}
		id = s.SessionID()
	}
	return s.erase(ctx, o, id)
}

// confirmations is how many listings must not show an orphan before it counts
// as never created: a request may linger in a server after its connection has
// gone.
const confirmations = 2

// erase deletes an orphan of session id.
func (s *Session) erase(ctx context.Context, o *orphan, id int64) error {
	missed := 0
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		now, err := s.online(ctx)
		if err != nil {
			return ErrClosed
		}
		if now != id && s.ended(o.grant) {
			return ErrSessionLost
		}
		gone, err := s.tryToErase(ctx, o)
		if gone {
			return nil
		}
		if errors.Is(err, zk.ErrNoAuth) {
			return err // nor will it be allowed later
		}
		if err == nil {
			missed++
		}
		if missed == confirmations {
			return nil
		}
		if sleep(ctx, pause) != nil {
			return ErrClosed
		}
	}
}

// ended reports whether the server has said that a session has ended. Where it has only
// opened another, the znodes of the former stay for as long as that would have lasted.
func (s *Session) ended(g *grant) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return g.gone
}

// tryToErase makes one attempt to delete an orphan, and reports whether it is known
// to be gone. It is not when no listing shows it.
func (s *Session) tryToErase(ctx context.Context, o *orphan) (gone bool, err error) {
	if o.node == "" {
		if o.node, err = s.find(ctx, o.dir, o.guid); err != nil || o.node == "" {
			return false, err
		}
	}
	_, err = send(s, deleteRequest(o.node)).wait(ctx)
	return err == nil || isNoNode(err), err
}

// deleteRequest deletes a znode of any version.
func deleteRequest(node string) request[struct{}] {
	return request[struct{}]{
		frame: direct.End(direct.Begin(protocol.OpDelete).Text(node).Int32(-1), node),
		read:  readNothing,
		by:    func(c Client) (none struct{}, err error) { return none, c.Delete(node, -1) },
	}
}
