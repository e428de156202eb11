package zklock

import (
	"context"
	"errors"
	"path"

	"github.com/go-zookeeper/zk"
)

// makeDirectory creates the znode at dir, and its parents, where missing.
func (l *lock) makeDirectory(ctx context.Context, dir string) error {
	if dir == "/" {
		return nil
	}
	err := l.makeOne(ctx, dir)
	if !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	if err := l.makeDirectory(ctx, path.Dir(dir)); err != nil {
		return err
	}
	return l.makeOne(ctx, dir)
}

// makeOne creates one znode, as a container if it can be one. A parent that
// exists is as good as one made here.
func (l *lock) makeOne(ctx context.Context, dir string) error {
	var err error
	if l.config.container {
		_, err = ask(ctx, l.session, containerRequest(dir, l.config.acl))
	}
	if !l.config.container || errors.Is(err, zk.ErrBadArguments) || unimplemented(err) {
		_, err = do(ctx, l.session, func(c Client) (string, error) {
			return c.Create(dir, nil, zk.FlagPersistent, l.config.acl)
		})
	}
	if errors.Is(err, zk.ErrNodeExists) {
		return nil
	}
	return err
}
