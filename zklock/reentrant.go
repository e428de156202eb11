package zklock

import (
	"context"
	"errors"
)

// A Reentrant is a lock that its owner may take again while it holds it. The
// owner is in the context, see [WithOwner].
//
// It has two levels. A local lock, first come first served, lets the owners of
// this process pass one at a time; only the one who has it takes a [Mutex] in
// ZooKeeper. So however many owners wait, the process has one znode in the
// queue, one watch, and sends no requests for those who wait behind.
//
// The two are released in the reverse order: the znode is deleted first, and
// then the next local owner may go, who gets a znode of its own at the tail of
// the queue. Were the local lock handed on first, the next owner would find the
// mutex still held by its process and would go on with it; a process that
// always has some owner waiting would never let another process in. The price
// is that a hand-over between two owners of one process is one through
// ZooKeeper.
//
// A context without an owner is refused with [ErrNoOwner]. To make up an owner
// for it would be kinder at first: but then a Lock inside a locked region,
// where the context was not handed on, would wait for ever for the region
// around it, which is the very thing that this lock is there to prevent.
//
// Owners meet in one Reentrant object. Two objects on the same path, in one
// session or in two, are as two processes are: they contend through ZooKeeper,
// and an owner that holds one waits for itself when it takes the other. Make
// one for each path, and share it. All methods may be called from any
// goroutine.
type Reentrant struct {
	mutex *Mutex
	local localQueue
}

// NewReentrant returns the reentrant lock whose queue in ZooKeeper is the
// children of path. The znodes are a [Mutex]'s, and the two may contend. The
// hooks of a trace tell of the level in ZooKeeper only.
func NewReentrant(s *Session, path string, opts ...Option) *Reentrant {
	return &Reentrant{mutex: NewMutex(s, path, opts...)}
}

// Path returns the lock directory.
func (r *Reentrant) Path() string { return r.mutex.Path() }

// Lock waits until the owner in ctx holds the lock. If it does already, Lock
// returns at once, and counts. The errors are those of [Locker], and
// [ErrNoOwner].
//
// After a loss the holds that the owner has stay lost. Its next Lock does not
// count on them: it is a new acquisition, behind those who wait.
func (r *Reentrant) Lock(ctx context.Context) (*Hold, error) {
	return r.acquire(ctx, "lock", r.mutex.Lock)
}

// TryLock is like Lock, but returns [ErrHeld] when it would have to wait for
// another owner, here or in another process, or for an earlier call of its own
// owner that is still waiting.
func (r *Reentrant) TryLock(ctx context.Context) (*Hold, error) {
	return r.acquire(ctx, "try", r.mutex.TryLock)
}

// acquire counts a hold in; the mutex is taken by take, when need be.
func (r *Reentrant) acquire(ctx context.Context, op string, take func(context.Context) (*Lease, error)) (h *Hold, err error) {
	o, err := ownerOf(ctx)
	if err != nil {
		return nil, r.fail(op, err)
	}
	s := r.local.join(o)
	defer func() {
		if h == nil { // also when a hook panics
			s.leave(ctx) // a znode that it cannot delete now is deleted in the background
		}
	}()
	lease, err := s.hold(ctx, op == "try", take)
	if err != nil {
		return nil, r.fail(op, r.mutex.session.explain(ctx, err))
	}
	return &Hold{lease: lease, stay: s, done: make(chan struct{})}, nil
}

// fail wraps what the mutex has not wrapped.
func (r *Reentrant) fail(op string, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	return failure(op, r.Path(), "", err)
}
