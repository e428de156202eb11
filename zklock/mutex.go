package zklock

import (
	"context"

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
