package zklock

import (
	"context"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// A Semaphore is a fair lock that up to a limit of contenders hold at a time.
// Each call of Acquire takes a place of its own in the queue, so two leases of
// one session are two permits. One permit a call; who takes several one by one
// can deadlock. It holds no state about its acquisitions, and any number of
// goroutines may use it. The lease is a [Lease] like a mutex's, with a token of
// its own; with more than one holder at a time, tokens do not come to the
// resource in order, so a fence there has to be per permit, or be the lease's
// Guard.
//
// The limit is stored in the lock directory, as a decimal, by the first client
// that comes. A client that comes with another limit gets [ErrLimitMismatch],
// and so does everybody when the directory has other data. Once a Semaphore
// has agreed with the stored limit, it follows it when [Semaphore.Resize]
// changes it. The stored limit lasts as long as the directory: the server
// deletes one that is a container, which is the default, some time after its
// last child has gone, and the next client stores its own again. Use
// WithContainer(false) to keep it.
//
// A release wakes two waiters, however many there are: the first in line, and
// the one behind it, who is then the first. An arrival wakes the first in line
// too. Several permits that become free at once are taken one after the other,
// each as soon as the waiter before has told that it came in. After the first
// use, which reads the limit, a permit that is free is taken with two requests,
// and a third in the background when others are in line; each release takes
// one. An access control list given by [WithACL] must let the client write, or
// its successors in line do not hear that it has come to hold.
//
// The znodes are named "_c_<guid>-lease-<number>". Curator's semaphores name
// theirs so too, but queue in directories of another layout: the two do not
// contend on one path.
type Semaphore struct {
	lock
	agreed agreement
}

// NewSemaphore returns the semaphore whose queue is the children of path, and
// of which up to max contenders hold a permit at a time. It sends nothing; when
// max is not from 1 to 2147483647, Acquire returns [ErrLimitRange].
func NewSemaphore(s *Session, path string, max int, opts ...Option) *Semaphore {
	return &Semaphore{lock: newLock(s, path, opts), agreed: agreement{configured: max, limit: queue.Limit{Max: max}}}
}

// Acquire waits for a permit. The errors are those of [Locker], and in an
// [*Error] as well [ErrLimitMismatch] and [ErrLimitRange]; after any of them the
// place in the queue has been given up.
func (s *Semaphore) Acquire(ctx context.Context) (*Lease, error) {
	return s.take(ctx, false)
}

// TryAcquire takes a permit if one is free and nobody waits for it, and else
// returns [ErrHeld], when its znode is gone again.
func (s *Semaphore) TryAcquire(ctx context.Context) (*Lease, error) {
	return s.take(ctx, true)
}

// Limit returns the limit as far as this semaphore knows.
func (s *Semaphore) Limit() int { return s.agreed.now().Max }

func (s *Semaphore) take(ctx context.Context, try bool) (*Lease, error) {
	if err := s.prepare(ctx); err != nil {
		err = s.session.reason(ctx, nil, err)
		s.config.traces.with(ctx).gaveUp(GaveUpInfo{Path: s.path, Mode: ModeWrite, Err: err})
		return nil, failure(operation(try), s.path, "", err)
	}
	a := newAcquisition(ctx, []*lock{&s.lock}, queue.Semaphore(s.Limit), ModeWrite, try)
	a.wait = s.await
	return a.acquire(ctx)
}

// prepare agrees on the limit before the semaphore is used first, so that a
// client with another one never stands in line.
func (s *Semaphore) prepare(ctx context.Context) error {
	limit := s.agreed.now()
	if err := checkLimit(limit.Max); err != nil {
		return err
	}
	if limit.At > 0 {
		return nil
	}
	return s.inSession(ctx, s.agree)
}

// inSession calls f, which is counted in as a user of the session, with a
// context that ends with the session.
func (s *Semaphore) inSession(ctx context.Context, f func(context.Context) error) error {
	if s.invalid != nil {
		return s.invalid
	}
	if err := s.session.enter(); err != nil {
		return err
	}
	defer s.session.leave()
	g, err := s.session.connected(ctx)
	if err != nil {
		return err
	}
	within, end := g.within(ctx)
	defer end()
	return s.session.reason(ctx, g, f(within))
}
