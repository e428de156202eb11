package zklock

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
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
	// [ErrForeign], [ErrSequenceExhausted], [ErrUpgrade] of an [RWMutex];
	// [ErrTooManyWaiters], by default for the listing of more than 1,100 waiters;
	// or one of go-zookeeper, as zk.ErrNoNode when somebody deletes
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
	if strings.HasPrefix(dir, "/") {
		dir = s.config.root + dir
	}
	l := lock{session: s, path: trimPath(dir), config: newLockConfig(opts)}
	l.invalid = l.check()
	return l
}

// Path returns the lock directory, with the chroot of [Dial].
func (l *lock) Path() string { return l.path }

// Invalid returns why the lock cannot be used, as Lock would: its path is one that no
// znode can have, or its data is too large. It is nil when it can.
func (l *lock) Invalid() error { return l.invalid }

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

// Downgrade turns a writer's lease of an [RWMutex] into a reader's, without
// letting go of the lock: the readers that stand behind it come in, and no
// writer. The new lease has the same token, for it is the same stay. This one
// ends as if unlocked.
//
// In one transaction a reader's znode takes the place of the writer's, under
// its number. If it fails, this lease is held as before, unless its znode is
// found deleted: then it is lost. If ctx ends before the outcome is known, the
// lease is given up: it is lost, and its znode deleted. The error, an [*Error],
// wraps [ErrNotWriter] for a lease of any other kind, and [ErrUnlocked] after
// Unlock.
func (l *Lease) Downgrade(ctx context.Context) (*Lease, error) {
	l.session.enterClosing()
	defer l.session.leave()
	if err := l.claim(ctx); err != nil {
		return nil, l.fail("downgrade", contextError(ctx))
	}
	defer l.unclaim()
	defer l.finishUnlock()
	if l.places[0].kind.Marker != queue.WriteMarker {
		return nil, l.fail("downgrade", ErrNotWriter)
	}
	if err := l.ended(); err != nil {
		return nil, l.fail("downgrade", err)
	}
	lease, err := l.replace(ctx)
	if err != nil {
		return nil, l.fail("downgrade", l.session.reason(ctx, l.grant, err))
	}
	return lease, nil
}

// finishUnlock sees to a lease that somebody has unlocked, and could not end,
// because it was claimed.
func (l *Lease) finishUnlock() {
	if l.unlocking || !errors.Is(context.Cause(l.ctx), ErrUnlocked) {
		return
	}
	l.unlocking = true
	l.err = l.fail("unlock", errUnconfirmed)
	l.retire()
	l.session.adopt(l.orphan(l.places[0], 0))
}

// asReader returns the acquisition of a reader with the number of l's.
func (l *Lease) asReader() *acquisition {
	writer, guid := l.places[0], l.session.config.newGUID()
	p := &place{
		lock: writer.lock, kind: queue.Reader.With(writer.config.markers), guid: guid,
		sequence: writer.sequence, token: writer.token,
	}
	p.node = childOf(p.path, queue.NumberedName(guid, queue.ReadMarker, p.sequence))
	return &acquisition{
		session: l.session, caller: l.caller, places: []*place{p}, mode: ModeRead, traces: l.traces,
		began: time.Now(), grant: l.grant,
	}
}

// replace puts a reader into l's place.
func (l *Lease) replace(ctx context.Context) (lease *Lease, err error) {
	within, end := l.grant.within(ctx)
	defer end()
	reader := l.asReader()
	returned := false
	defer func() {
		if !returned {
			reader.abandon()
		}
	}()
	err = l.sendReplacement(within, reader)
	switch {
	case err == nil:
		lease, err = l.handOn(reader)
	case isNoNode(err):
		l.session.drop(l, errDeleted)
		err = errDeleted
	case reader.creating != nil:
		l.session.drop(l, fmt.Errorf("%w: the outcome of its downgrade is not known: %w", ErrLost, ctx.Err()))
		reader.places[0].node = "" // it may come to be later
		reader.giveUp()
	}
	returned = true
	return lease, err
}

// handOn ends l, and makes the lease of the reader.
func (l *Lease) handOn(reader *acquisition) (*Lease, error) {
	writer := l.places[0]
	l.err = l.fail("unlock", errUnconfirmed) // until all hooks have returned
	l.cancel(ErrUnlocked)
	l.unlocking = true
	l.retire()
	l.traces.releaseStart(ReleaseStartInfo{Node: writer.node, Token: writer.token, Mode: l.mode})
	l.traces.released(ReleasedInfo{Node: writer.node, Token: writer.token, Mode: l.mode})
	lease, err := reader.hold(l.ctx)
	l.err = nil
	return lease, err
}

// sendReplacement sends the transaction until it is answered: the name of the
// reader's znode is fixed, so that it exists is success. After an error,
// reader.creating is the request that may yet be done.
func (l *Lease) sendReplacement(ctx context.Context, reader *acquisition) error {
	p := reader.places[0]
	ops := []any{
		&zk.CreateRequest{Path: p.node, Data: p.config.data, Acl: p.config.acl, Flags: zk.FlagEphemeral},
		&zk.DeleteRequest{Path: l.Node(), Version: -1},
	}
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		if _, err := l.session.online(ctx); err != nil {
			return err
		}
		reader.creating = send(l.session, l.session.transaction(ops...))
		_, err := reader.creating.wait(ctx)
		if errors.Is(err, zk.ErrNodeExists) {
			err = nil
		}
		if err == nil || reader.creating.over() && answered(err) {
			reader.creating = nil
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// A leaseKey finds the lease of a reader in a context.
type leaseKey struct {
	session *Session
	path    string
}

// inside returns ctx as it is for work under the lease: a reader's
// says so.
func (l *Lease) inside(ctx context.Context) context.Context {
	if l.mode != ModeRead {
		return ctx
	}
	return context.WithValue(ctx, leaseKey{l.session, l.Path()}, l)
}

// upgrades reports whether a is a writer's that asks while, by its context, it
// reads under the same lock: it would wait for itself.
func (a *acquisition) upgrades(ctx context.Context) bool {
	p := a.places[0]
	if p.kind.Marker != queue.WriteMarker {
		return false
	}
	held, ok := ctx.Value(leaseKey{a.session, p.path}).(*Lease)
	return ok && held.ended() == nil
}
