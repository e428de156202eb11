package zklock

import (
	"context"
	"errors"
	"path"

	"github.com/go-zookeeper/zk"
)

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
// [ErrNotContender] when nothing was sent. Revoke may be repeated.
func Revoke(ctx context.Context, s *Session, node string) error {
	node = path.Clean(node)
	if err := s.ask(ctx, node); err != nil {
		return &Error{Op: "revoke", Path: path.Dir(node), Node: node, Err: err}
	}
	return nil
}

// ask writes the request. A repeated write does no harm.
func (s *Session) ask(ctx context.Context, node string) error {
	if _, _, ok := parseName(path.Base(node), contenderMarkers); !ok || !path.IsAbs(node) {
		return ErrNotContender
	}
	_, err := do(ctx, s, func(c Client) (*zk.Stat, error) {
		return c.Set(node, []byte(RevokeMessage), -1)
	})
	return err
}
