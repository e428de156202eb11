package zklock

import (
	"context"
	"errors"
	"path"

	"github.com/go-zookeeper/zk"
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
	if err := s.ask(ctx, node); err != nil {
		dir, _ := path.Split(node)
		return failure("revoke", trimPath(dir), node, err)
	}
	return nil
}

// ask writes the request. A repeated write does no harm.
func (s *Session) ask(ctx context.Context, node string) error {
	if _, _, ok := parseName(path.Base(node), contenderMarkers); !ok || !path.IsAbs(node) {
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
// [WithTextbook] never sees one, and one made during a [Lease.Downgrade] may be
// missed; no other is.
func (l *Lease) Revoked() <-chan struct{} { return l.revoked.done() }

// askFor tells the holder, once, that the lock is asked for.
func (l *Lease) askFor() {
	l.session.mu.Lock()
	defer l.session.mu.Unlock()
	if !l.revoked.give() {
		return
	}
	l.session.hooks.add(func() {
		l.announced.wait()
		l.traces.revokeAsked(RevokeAskedInfo{Node: l.place.node, Token: l.place.token, Mode: l.mode})
	})
}
