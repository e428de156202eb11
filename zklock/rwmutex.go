package zklock

import "context"

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
