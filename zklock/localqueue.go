package zklock

import (
	"context"
	"slices"
	"sync"
)

// A localQueue is the local level of a [Reentrant]: the owners of this process,
// in the order in which they came. The first one may take the mutex. The zero
// value is ready.
type localQueue struct {
	mu      sync.Mutex
	members []*member
}

// A member is an owner in the queue, from its first Lock until its last Unlock, or
// until its lease is lost. Its fields are guarded by the queue's mutex.
type member struct {
	owner  *owner
	taking chan struct{} // holds the one call of the owner that waits, should several come at once
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
	if err := enter(ctx, try, m.taking); err != nil {
		return nil, err
	}
	defer func() { <-m.taking }()
	if lease, err := q.held(m); lease != nil {
		return lease, err // another call of the owner has got it
	}
	if err := awaitFirst(ctx, try, m.first); err != nil {
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

// enter waits for the place in taking, and awaitFirst for first to be closed. A try
// does not wait.
func enter(ctx context.Context, try bool, taking chan<- struct{}) error {
	select {
	case taking <- struct{}{}:
		return nil
	default:
	}
	if try {
		return ErrHeld
	}
	select {
	case taking <- struct{}{}:
		return nil
	case <-ctx.Done():
		return errInterrupted
	}
}

func awaitFirst(ctx context.Context, try bool, first <-chan struct{}) error {
	if try {
		select {
		case <-first:
			return nil
		default:
			return ErrHeld
		}
	}
	return wait(ctx, first)
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
