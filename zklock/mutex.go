package zklock

import "context"

// A Locker is a lock that one client holds at a time.
type Locker interface {
	// Lock waits until the lock is held, and returns the lease. An error
	// wraps the reason in an [*Error]: the context's error, [ErrSessionLost]
	// when the session ended during the wait, [ErrClosed],
	// [ErrSequenceExhausted], or one of go-zookeeper. The place in the queue
	// is then given up: its znode is deleted, or being deleted.
	Lock(ctx context.Context) (*Lease, error)
	// TryLock is like Lock, but returns [ErrHeld] instead of waiting for
	// another holder. It still waits for the server, as long as ctx allows.
	TryLock(ctx context.Context) (*Lease, error)
}

var (
	_ Locker = (*Mutex)(nil)
	_ Locker = (*HerdMutex)(nil)
	_ Locker = (*RWMutex)(nil)
)

// A Mutex is a fair lock in which each waiter watches only the contender just
// ahead, so that a release wakes one client. It holds no state about its
// acquisitions: any number of goroutines may use it, and each call of Lock
// takes its own place in the queue. It is not reentrant.
type Mutex struct{ lock }

// NewMutex returns the mutex whose queue is the children of path. It sends
// nothing; missing parents are created when they are needed. The directory
// should belong to the lock alone.
func NewMutex(s *Session, path string, opts ...Option) *Mutex {
	return &Mutex{newLock(s, path, opts)}
}

// Lock waits for the mutex. See [Locker].
func (m *Mutex) Lock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, mutexKind, false)
}

// TryLock takes the mutex if nobody is ahead. See [Locker].
func (m *Mutex) TryLock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, mutexKind, true)
}

// A HerdMutex is the same queue as a [Mutex], and the two may contend on one
// path. But each waiter watches the whole directory, and so every arrival and
// every release wakes all of them, to send one listing each. It is here to be
// measured and taught; use a Mutex.
type HerdMutex struct{ lock }

// NewHerdMutex returns the herd mutex whose queue is the children of path.
func NewHerdMutex(s *Session, path string, opts ...Option) *HerdMutex {
	return &HerdMutex{newLock(s, path, opts)}
}

// Lock waits for the mutex. See [Locker].
func (m *HerdMutex) Lock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, herdKind, false)
}

// TryLock takes the mutex if nobody is ahead. See [Locker].
func (m *HerdMutex) TryLock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, herdKind, true)
}

// An RWMutex is held by one writer or by any number of readers. All stand in
// one queue, so that neither side starves: a reader waits for the nearest
// writer ahead of it, a writer for whoever is just ahead. It is not reentrant,
// and a lease cannot change its mode.
type RWMutex struct{ lock }

// NewRWMutex returns the read/write lock whose queue is the children of path.
func NewRWMutex(s *Session, path string, opts ...Option) *RWMutex {
	return &RWMutex{newLock(s, path, opts)}
}

// Lock waits for the lock as a writer. See [Locker].
func (m *RWMutex) Lock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, writeKind, false)
}

// TryLock takes the lock as a writer if nobody is ahead. See [Locker].
func (m *RWMutex) TryLock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, writeKind, true)
}

// RLock waits for the lock as a reader. The errors are those of Lock.
func (m *RWMutex) RLock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, readKind, false)
}

// TryRLock takes the lock as a reader if no writer is ahead, waiting or
// holding, and else returns [ErrHeld].
func (m *RWMutex) TryRLock(ctx context.Context) (*Lease, error) {
	return m.acquire(ctx, readKind, true)
}
