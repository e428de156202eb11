package zklock

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// A lock is what all recipes share: a session, and a directory in it. It keeps
// nothing of an acquisition.
type lock struct {
	session *Session
	path    string
	invalid error // why it cannot be used, nil when it can
	config  lockConfig
}

func newLock(s *Session, dir string, opts []Option) lock {
	l := lock{session: s, path: trimPath(dir), config: newLockConfig(opts)}
	l.invalid = l.check()
	return l
}

// Path returns the lock directory.
func (l *lock) Path() string { return l.path }

// check returns an error when no znode can be made at the path, or when the request
// to make one would not fit into the client's send buffer.
func (l *lock) check() error {
	if err := checkPath(l.path); err != nil {
		return err
	}
	longest := childOf(l.path, queue.NumberedName(newGUID(), queue.PermitMarker, queue.MaxSequence))
	create := direct.Begin(protocol.OpCreate).Text(longest).Bytes(l.config.data).ACL(l.config.acl).Int32(0)
	if limit := l.session.config.send; limit > 0 && len(create) > limit {
		return zk.ErrShortBuffer
	}
	return nil
}

// operation is what an [Error] calls an acquisition.
func operation(try bool) string {
	if try {
		return "try"
	}
	return "lock"
}

// failure is what an operation returns that fails with err.
func failure(op, path, node string, err error) *Error {
	return &Error{Op: op, Path: path, Node: node, Err: err}
}

// childOf returns the full path of a child of dir, which is clean.
func childOf(dir, name string) string {
	if dir == "/" {
		return dir + name
	}
	return dir + "/" + name
}

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

// containerRequest creates a container. It goes past go-zookeeper where it can
// also because that reads the reply to a request that has failed, which may be
// arriving just then.
func containerRequest(dir string, acl []zk.ACL) request[struct{}] {
	return request[struct{}]{
		frame: direct.End(direct.Begin(protocol.OpCreateContainer).Text(dir).Bytes(nil).ACL(acl).Int32(zk.FlagContainer), dir),
		read:  readNothing,
		by: func(c Client) (none struct{}, err error) {
			_, err = c.CreateContainer(dir, nil, zk.FlagContainer, acl)
			return none, err
		},
	}
}

// readNothing reads the reply to a request that only succeeds or fails.
func readNothing(_ *protocol.Reader, _ int64, err error) (struct{}, error) { return struct{}{}, err }

// A listing is the children of a lock directory, and its own metadata.
type listing struct {
	children []string
	stat     *zk.Stat
}

// listRequest lists dir; watch says whether to watch it, too.
func (s *Session) listRequest(dir string, watch bool) request[listing] {
	return request[listing]{
		frame: direct.End(direct.Begin(protocol.OpGetChildren2).Text(dir).Bool(watch), dir),
		read: func(reply *protocol.Reader, _ int64, err error) (l listing, _ error) {
			switch {
			case errors.Is(err, direct.ErrTooLarge):
				return l, ErrTooManyWaiters
			case err != nil:
				return l, err
			}
			return listing{reply.Texts(), reply.Stat()}, nil
		},
		by: func(c Client) (l listing, err error) {
			before := s.tooLarge.Load()
			if watch {
				l.children, l.stat, _, err = c.ChildrenW(dir)
			} else {
				l.children, l.stat, err = c.Children(dir)
			}
			if err != nil && !answered(err) && s.tooLarge.Load() != before {
				err = ErrTooManyWaiters
			}
			return l, err
		},
	}
}

// contenders reads the queue in a listing, up to the number last. It refuses, by a
// [ForeignError], one in which there is somebody whom the kind does not recognize.
func (p *place) contenders(got listing, last int32) ([]queue.Contender, error) {
	contenders, foreign := queue.Read(got.children, p.kind.Markers, last)
	if foreign != "" {
		return nil, &ForeignError{Node: childOf(p.path, foreign)}
	}
	return contenders, nil
}

// stat reads the metadata of a znode.
func stat(ctx context.Context, s *Session, node string) (*zk.Stat, error) {
	return ask(ctx, s, request[*zk.Stat]{
		frame: direct.End(direct.Begin(protocol.OpExists).Text(node).Bool(false), node),
		read: func(reply *protocol.Reader, _ int64, err error) (*zk.Stat, error) {
			if err != nil {
				return nil, err
			}
			return reply.Stat(), nil
		},
		by: func(c Client) (*zk.Stat, error) {
			found, stat, err := c.Exists(node)
			if err == nil && !found {
				err = zk.ErrNoNode
			}
			return stat, err
		},
	})
}

// trimPath drops the trailing slashes of a path. Nothing else is tidied: what
// would name another znode than it seems to is left for checkPath to refuse.
func trimPath(dir string) string {
	trimmed := strings.TrimRight(dir, "/")
	if trimmed == "" && dir != "" {
		return "/"
	}
	return trimmed
}

// checkPath returns an error that wraps zk.ErrInvalidPath when the server would
// not take a trimmed path.
func checkPath(dir string) error {
	switch {
	case !strings.HasPrefix(dir, "/"):
		return fmt.Errorf("%w: %q is not absolute", zk.ErrInvalidPath, dir)
	case !utf8.ValidString(dir) || strings.ContainsFunc(dir, forbidden):
		return fmt.Errorf("%w: %q has a character that no path may have", zk.ErrInvalidPath, dir)
	case dir != "/" && slices.ContainsFunc(strings.Split(dir[1:], "/"), unnamable):
		return fmt.Errorf("%w: %q has an element that is no name", zk.ErrInvalidPath, dir)
	default:
		return nil
	}
}

// unnamable reports whether a znode can have no such name.
func unnamable(name string) bool { return name == "" || name == "." || name == ".." }

// forbidden reports whether ZooKeeper allows no path with r in it. It checks
// units of UTF-16, and takes halves of larger characters for such.
func forbidden(r rune) bool {
	return unicode.IsControl(r) || '\ue000' <= r && r <= '\uf8ff' || '\ufff0' <= r
}
