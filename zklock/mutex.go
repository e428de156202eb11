package zklock

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// A Locker is a lock that one client holds at a time.
type Locker interface {
	// Lock waits until the lock is held, and returns the lease. An error
	// wraps the reason in an [*Error]: the context's error and its cause, whose
	// text says why there was no connection, if there was none;
	// [ErrSessionLost] when the session ended during the wait, [ErrClosed],
	// [ErrForeign], [ErrSequenceExhausted], [ErrTooManyWaiters], [ErrUpgrade] of
	// an [RWMutex]; or one of go-zookeeper, as zk.ErrNoNode when somebody deletes
	// the znode again and again, and zk.ErrInvalidPath for a path that no znode
	// can have: it is not absolute, has an empty element, "." or "..", or a
	// character that ZooKeeper refuses. The place in the queue is then given up:
	// its znode is deleted, or being deleted; without the right to delete, it
	// stays until the session ends.
	Lock(ctx context.Context) (*Lease, error)
	// TryLock is like Lock, but returns [ErrHeld] instead of waiting for
	// another holder. It still waits for the server, as long as ctx allows.
	TryLock(ctx context.Context) (*Lease, error)
}

var (
	_ Locker = (*Mutex)(nil)
	_ Locker = (*RWMutex)(nil)
)

// A Mutex is a fair lock in which each waiter watches only the contender just
// ahead, and the one before that: a release wakes two clients, of which one is
// next. Any number of goroutines may use it, and each call of Lock takes its own
// place in the queue. It is not reentrant, and keeps nothing of an acquisition.
type Mutex struct{ lock }

// NewMutex returns the mutex whose queue is the children of path. It sends
// nothing; missing parents are created when they are needed. The directory
// should belong to the lock alone. Slashes at the end of path are dropped.
func NewMutex(s *Session, path string, opts ...Option) *Mutex {
	return &Mutex{newLock(s, path, opts)}
}

// Lock waits for the mutex. See [Locker].
func (m *Mutex) Lock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, queue.Mutex, ModeWrite, false)
}

// TryLock takes the mutex if nobody is ahead. See [Locker].
func (m *Mutex) TryLock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, queue.Mutex, ModeWrite, true)
}

// An RWMutex is held by one writer or by any number of readers. All stand in
// one queue, so that neither side starves: a reader waits for the nearest
// writer ahead of it, a writer for whoever is just ahead. It is not reentrant. A
// writer's lease may become a reader's, by [Lease.Downgrade]; a reader's cannot
// become a writer's, for two that tried would wait for each other.
type RWMutex struct{ lock }

// NewRWMutex returns the read/write lock whose queue is the children of path.
func NewRWMutex(s *Session, path string, opts ...Option) *RWMutex {
	return &RWMutex{newLock(s, path, opts)}
}

// Lock waits for the lock as a writer. See [Locker].
func (m *RWMutex) Lock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, queue.Writer, ModeWrite, false)
}

// TryLock takes the lock as a writer if nobody is ahead. See [Locker].
func (m *RWMutex) TryLock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, queue.Writer, ModeWrite, true)
}

// RLock waits for the lock as a reader. The errors are those of Lock.
func (m *RWMutex) RLock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, queue.Reader, ModeRead, false)
}

// TryRLock takes the lock as a reader if no writer is ahead, waiting or
// holding, and else returns [ErrHeld].
func (m *RWMutex) TryRLock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, queue.Reader, ModeRead, true)
}

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
