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
	mu    sync.Mutex
	stays []*stay
}

// A stay is an owner's time in the queue, from its first Lock until its last
// Unlock, or until its lease is lost.
type stay struct {
	queue *localQueue
	owner *owner
	// asking is taken by the one call of the owner that waits on behalf of
	// all of them, should they come at once.
	asking chan struct{}
	news   chan struct{} // told when the head of the queue has changed

	// Guarded by the queue's mutex.
	users   int    // holds, and calls of Lock under way
	lease   *Lease // nil until the mutex is held
	leaving bool   // the last user has gone, and the mutex is being released
}

// join adds a user to the owner's stay, at the end of the queue if it has none.
func (q *localQueue) join(o *owner) *stay {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropEnded()
	i := slices.IndexFunc(q.stays, func(s *stay) bool { return s.owner == o && !s.leaving })
	if i < 0 {
		i = len(q.stays)
		q.stays = append(q.stays, &stay{
			queue: q, owner: o, asking: make(chan struct{}, 1), news: make(chan struct{}, 1),
		})
	}
	q.stays[i].users++
	return q.stays[i]
}

// held returns the lease of the stay, with an error if it has ended; nil when
// there is none yet.
func (s *stay) held() (*Lease, error) {
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	if s.lease == nil {
		return nil, nil
	}
	return s.lease, s.lease.ended()
}

// hold returns the lease of the stay. When there is none yet, it waits until
// the stay is the first in the queue, and has take get one. A try does not wait
// for other owners, nor for other calls of its own.
func (s *stay) hold(ctx context.Context, try bool, take func(context.Context) (*Lease, error)) (*Lease, error) {
	if lease, err := s.held(); lease != nil {
		return lease, err
	}
	if err := s.ask(ctx, try); err != nil {
		return nil, err
	}
	defer func() { <-s.asking }()
	if lease, err := s.held(); lease != nil {
		return lease, err // another call of the owner has got it
	}
	if err := s.await(ctx, try); err != nil {
		return nil, err
	}
	lease, err := take(ctx)
	if err == nil {
		s.holds(lease)
	}
	return lease, err
}

// ask waits until no other call of the owner is asking.
func (s *stay) ask(ctx context.Context, try bool) error {
	select {
	case s.asking <- struct{}{}:
		return nil
	default:
	}
	if try {
		return ErrHeld
	}
	select {
	case s.asking <- struct{}{}:
		return nil
	case <-ctx.Done():
		return interrupted(ctx)
	}
}

// await returns when s is the first in the queue. It takes notice when the
// first one loses its lease: its owner may never come to unlock that.
func (s *stay) await(ctx context.Context, try bool) error {
	for ctx.Err() == nil {
		first, ended := s.queue.look(s)
		if first {
			return nil
		}
		if try {
			return ErrHeld
		}
		select {
		case <-s.news:
		case <-ended:
		case <-ctx.Done():
		}
	}
	return interrupted(ctx)
}

// look reports whether s is the first in the queue. If it is the second, it
// also returns a channel that is closed when the lease of the first one ends.
func (q *localQueue) look(s *stay) (first bool, ended <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropEnded()
	head := q.stays[0]
	if head != s && q.stays[1] == s && head.lease != nil && !head.leaving {
		ended = head.lease.Context().Done()
	}
	return head == s, ended
}

// holds takes in the lease, which the second in the queue can watch from now.
func (s *stay) holds(lease *Lease) {
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	s.lease = lease
	s.queue.tell()
}

// leave takes a user from the stay. The last one releases the mutex first, and
// then the place in the queue.
func (s *stay) leave(ctx context.Context) error {
	q := s.queue
	q.mu.Lock()
	s.users--
	s.leaving = s.users == 0
	last, lease := s.leaving, s.lease
	q.mu.Unlock()
	if !last {
		return nil
	}
	defer q.remove(s)
	if lease == nil {
		return nil
	}
	return lease.Unlock(ctx)
}

func (q *localQueue) remove(s *stay) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stays = slices.DeleteFunc(q.stays, func(other *stay) bool { return other == s })
	q.tell()
}

// dropEnded takes the first one out of the queue if its lease has ended without
// its leaving: its users have nothing left to hold. The caller holds q.mu.
func (q *localQueue) dropEnded() {
	if len(q.stays) == 0 {
		return
	}
	if head := q.stays[0]; head.lease != nil && !head.leaving && head.lease.ended() != nil {
		q.stays = slices.Delete(q.stays, 0, 1)
		q.tell()
	}
}

// tell tells the first two that the head of the queue has changed: the first
// may go, and the second has another to watch. The caller holds q.mu.
func (q *localQueue) tell() {
	for _, s := range q.stays[:min(2, len(q.stays))] {
		select {
		case s.news <- struct{}{}:
		default:
		}
	}
}
