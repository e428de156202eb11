package zklock

import (
	"context"
	"errors"
	"path"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

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

// askFor tells the holder, once, that the lock is asked for by a write into the
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

// watchOwn has the lease's own znodes watched, on goroutines of the session, until
// it ends.
func (l *Lease) watchOwn() {
	s := l.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.background.Err() != nil || l.ctx.Err() != nil {
		return
	}
	for _, p := range l.places {
		s.work.Go(func() {
			if err := l.follow(p); err != nil {
				l.znodeLost(err)
			}
		})
	}
}

// follow reads the znode of p again and again: after each event, and after each
// reconnect, because go-zookeeper does not tell when it fails to set a watch again.
// It returns an error when the znode is not the lease's any more, nil when the lease
// has ended.
func (l *Lease) follow(p *place) error {
	for {
		resumed := l.session.nextConnection()
		change, err := l.readOwn(p)
		if err != nil {
			return err
		}
		select {
		case <-change.fired:
		case <-resumed:
		case <-l.ctx.Done():
			return nil
		}
	}
}

// readOwn reads the znode of p and watches it.
func (l *Lease) readOwn(p *place) (*watch, error) {
	change, _ := l.session.watches.on(watched{node: p.node})
	type content struct {
		data []byte
		stat *zk.Stat
	}
	got, err := do(l.ctx, l.session, func(c Client) (r content, err error) {
		r.data, r.stat, _, err = c.GetW(p.node)
		return r, err
	})
	l.session.watches.settle(change, err)
	if err == nil {
		err = p.matches(l.grant, got.stat)
	}
	if err == nil && string(got.data) == RevokeMessage {
		l.askFor(p)
	}
	return change, err
}

// znodeLost ends the lease if its znode has gone, and not by a Downgrade that
// is under way.
func (l *Lease) znodeLost(err error) {
	if isNoNode(err) {
		err = errDeleted
	}
	if !errors.Is(err, ErrLost) || l.claim(l.ctx) != nil {
		return
	}
	defer l.unclaim()
	if l.ctx.Err() == nil {
		l.session.drop(l, err)
	}
}
