package zklock

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-zookeeper/zk"
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
// where the context was not handed on, would wait forever for the region
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
	m := r.local.join(o)
	defer func() {
		if h == nil { // also when a hook panics
			r.local.leave(ctx, m) // a znode that it cannot delete now is deleted in the background
		}
	}()
	lease, err := r.local.hold(ctx, m, op == "try", take)
	if err != nil {
		return nil, r.fail(op, r.mutex.session.reason(ctx, nil, err))
	}
	return &Hold{lease: lease, queue: &r.local, member: m, done: make(chan struct{})}, nil
}

// fail wraps what the mutex has not wrapped.
func (r *Reentrant) fail(op string, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	return failure(op, r.Path(), "", err)
}

// ErrNoOwner is returned by [Reentrant] for a context that carries no owner.
var ErrNoOwner = errors.New("zklock: the context has no owner, make one with WithOwner")

// An owner is who holds a [Reentrant] lock. Only its address matters; it has a
// size because objects without one may share theirs.
type owner struct{ _ byte }

type ownerKey struct{}

// WithOwner returns a context with a new owner, on whose behalf [Reentrant]
// locks are then taken. Go has no identity that would do: goroutines have no
// name, and work passes from one to another.
//
// Call it once, where a piece of work begins, a request or a job, and hand the
// context on: all calls with it, or with contexts made from it, on whatever
// goroutine, are of that one owner. It always makes a new owner, also of a
// context that has one. Inside a locked region that is a mistake: the new
// owner waits for the old, which waits for it.
func WithOwner(ctx context.Context) context.Context {
	return context.WithValue(ctx, ownerKey{}, new(owner))
}

// ownerOf returns the owner in ctx.
func ownerOf(ctx context.Context) (*owner, error) {
	o, ok := ctx.Value(ownerKey{}).(*owner)
	if !ok {
		return nil, ErrNoOwner
	}
	return o, nil
}

// A Hold is one of the times that an owner has taken a [Reentrant] lock. All
// holds that an owner has at one time share one [Lease]: the token, the znode
// and the context are the same, and if it is lost, all of them are. Its
// context ends with the last hold. Unlock each hold once. The methods may be
// called from any goroutine.
type Hold struct {
	lease     *Lease
	queue     *localQueue
	member    *member
	unlocking atomic.Bool
	done      chan struct{} // closed when the first Unlock has its outcome
	err       error         // that outcome
}

// Token returns the fence of the lease. See [Lease.Token].
func (h *Hold) Token() Token { return h.lease.Token() }

// Node returns the full path of the znode that holds the lock.
func (h *Hold) Node() string { return h.lease.Node() }

// Mode returns [ModeWrite].
func (h *Hold) Mode() Mode { return h.lease.Mode() }

// Guard returns a check to be put into a Multi of your own. See [Lease.Guard].
func (h *Hold) Guard() *zk.CheckVersionRequest { return h.lease.Guard() }

// Context returns a context for the work that the lock protects, with the
// owner in it. It ends with the lease, and not with this hold. See
// [Lease.Context].
func (h *Hold) Context() context.Context { return h.lease.Context() }

// Lost returns a channel that is closed when the lease is lost. See
// [Lease.Lost].
func (h *Hold) Lost() <-chan struct{} { return h.lease.Lost() }

// Revoked returns a channel that is closed when somebody asks for the lock.
// See [Lease.Revoked].
func (h *Hold) Revoked() <-chan struct{} { return h.lease.Revoked() }

// Err returns why the lease is over, nil while it is held. See [Lease.Err].
func (h *Hold) Err() error { return h.lease.Err() }

// Check asks the servers whether the lock is still held. See [Lease.Check].
func (h *Hold) Check(ctx context.Context) error { return h.lease.Check(ctx) }

// Unlock gives up this hold. The owner's last Unlock releases the lock, first
// in ZooKeeper and then for the owners of this process who wait; until then it
// sends nothing.
//
// The errors are those of [Lease.Unlock]; of a lost lease, each hold's Unlock
// returns one that wraps [ErrLost]. Whatever it returns, the hold is over, and
// the next owner has its turn. Further calls return what the first one did, as
// soon as it has returned.
func (h *Hold) Unlock(ctx context.Context) error {
	if h.unlocking.Swap(true) {
		return h.awaitUnlock(ctx)
	}
	defer close(h.done)
	if err := h.lease.ended(); err != nil && !errors.Is(err, ErrUnlocked) {
		h.err = h.lease.fail("unlock", err)
	}
	returned := false
	defer func() {
		if !returned { // a hook has not; the lease has kept what came of its release
			h.err = h.lease.Unlock(ctx)
		}
	}()
	if err := h.queue.leave(ctx, h.member); err != nil {
		h.err = err
	}
	returned = true
	return h.err
}

func (h *Hold) awaitUnlock(ctx context.Context) error {
	if err := wait(ctx, h.done); err != nil {
		return h.lease.fail("unlock", contextError(ctx))
	}
	return h.err
}

// A localQueue is the local level of a [Reentrant]: the owners of this process, in the
// order in which they came. The first may take the mutex. The zero value is ready.
type localQueue struct {
	mu      sync.Mutex
	members []*member
}

// A member is an owner in the queue, from its first Lock until its last Unlock, or
// until its lease is lost. Its fields are guarded by the queue's mutex.
type member struct {
	owner  *owner
	taking chan struct{} // has a token for the one call of the owner that waits, should several come at once
	first  chan struct{} // closed when it is the first in the queue
	users  int           // holds, and calls of Lock under way
	lease  *Lease        // nil until the mutex is held
	left   bool          // the last user has gone, and the mutex is being released
}

// join adds a user to the owner's member, at the end of the queue if it has none.
func (q *localQueue) join(o *owner) *member {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropLost()
	i := slices.IndexFunc(q.members, func(m *member) bool { return m.owner == o && !m.left })
	if i < 0 {
		i = len(q.members)
		q.members = append(q.members, &member{owner: o, taking: make(chan struct{}, 1), first: make(chan struct{})})
		q.members[i].taking <- struct{}{}
		q.promote()
	}
	q.members[i].users++
	return q.members[i]
}

// hold returns the lease of m. When there is none yet, it waits until m is the
// first in the queue, and has take get one. A try does not wait for other owners,
// nor for other calls of its own.
func (q *localQueue) hold(ctx context.Context, m *member, try bool, take func(context.Context) (*Lease, error)) (*Lease, error) {
	if lease, err := q.held(m); lease != nil {
		return lease, err
	}
	if err := await(ctx, try, m.taking); err != nil {
		return nil, err
	}
	defer func() { m.taking <- struct{}{} }()
	if lease, err := q.held(m); lease != nil {
		return lease, err // another call of the owner has got it
	}
	if err := await(ctx, try, m.first); err != nil {
		return nil, err
	}
	lease, err := take(ctx)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	m.lease = lease
	q.mu.Unlock()
	// The owner of a lease that is lost may never come to unlock it.
	context.AfterFunc(lease.Context(), func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.dropLost()
	})
	return lease, nil
}

// await receives from ready. A try does not wait.
func await(ctx context.Context, try bool, ready <-chan struct{}) error {
	if !try {
		return wait(ctx, ready)
	}
	select {
	case <-ready:
		return nil
	default:
		return ErrHeld
	}
}

// held returns the lease of m, with an error if it has ended; nil when there is
// none yet.
func (q *localQueue) held(m *member) (*Lease, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if m.lease == nil {
		return nil, nil
	}
	return m.lease, m.lease.ended()
}

// leave takes a user from m. The last one releases the mutex first, and then the
// place in the queue.
func (q *localQueue) leave(ctx context.Context, m *member) error {
	q.mu.Lock()
	m.users--
	m.left = m.users == 0
	last, lease := m.left, m.lease
	q.mu.Unlock()
	if !last {
		return nil
	}
	defer func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.remove(m)
	}()
	if lease == nil {
		return nil
	}
	return lease.Unlock(ctx)
}

// dropLost takes the first one out of the queue if its lease has ended without its
// leaving: its users have nothing left to hold. The caller holds q.mu.
func (q *localQueue) dropLost() {
	if len(q.members) > 0 {
		if m := q.members[0]; m.lease != nil && !m.left && m.lease.ended() != nil {
			q.remove(m)
		}
	}
}

// remove takes m out of the queue. The caller holds q.mu.
func (q *localQueue) remove(m *member) {
	q.members = slices.DeleteFunc(q.members, func(other *member) bool { return other == m })
	q.promote()
}

// promote wakes the first in the queue. The caller holds q.mu.
func (q *localQueue) promote() {
	if len(q.members) == 0 {
		return
	}
	select {
	case <-q.members[0].first:
	default:
		close(q.members[0].first)
	}
}
