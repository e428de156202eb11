package zklock

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/go-zookeeper/zk"

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

var (
	// ErrLimitMismatch says that the lock directory has another limit than the
	// [Semaphore], or has data that is no limit. Nothing is overwritten.
	ErrLimitMismatch = errors.New("zklock: the semaphore's limit is not the stored one")

	// ErrLimitRange says that a limit is not from 1 to 2147483647.
	ErrLimitRange = errors.New("zklock: limit out of range")
)

// checkLimit refuses what can be no limit.
func checkLimit(n int) error {
	if n < 1 || n > math.MaxInt32 {
		return fmt.Errorf("%w: %d is not from 1 to %d", ErrLimitRange, n, math.MaxInt32)
	}
	return nil
}

// formatLimit is how a limit is stored: in decimal, without a sign.
func formatLimit(n int) []byte { return strconv.AppendInt(nil, int64(n), 10) }

// parseLimit reads a limit from the data of a lock directory.
func parseLimit(data []byte) (int, error) {
	n, err := strconv.Atoi(string(data))
	if err != nil || checkLimit(n) != nil || string(formatLimit(n)) != string(data) {
		return 0, fmt.Errorf("%w: the directory's data is no limit: %.40q", ErrLimitMismatch, data)
	}
	return n, nil
}

// An agreement is what a [Semaphore] and its directory agree on. Once they do, the
// semaphore follows the stored limit, for as long as the directory lasts. In a new
// one it may find the limit that it was made with, or the one that it follows.
type agreement struct {
	configured int // what the semaphore was made with

	mu        sync.Mutex
	limit     queue.Limit
	directory int64 // the transaction that created it; 0 while there is none
}

// now returns the limit that holds now.
func (a *agreement) now() queue.Limit {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.limit
}

// compare adopts the limit that is stored in the directory, if it may.
func (a *agreement) compare(data []byte, stat *zk.Stat) error {
	stored, err := parseLimit(data)
	if err != nil {
		return err
	}
	a.mu.Lock()
	expected := stored == a.limit.Max || stored == a.configured || stat.Czxid == a.directory
	a.mu.Unlock()
	if !expected {
		return fmt.Errorf("%w: own %d, stored %d", ErrLimitMismatch, a.now().Max, stored)
	}
	a.adopt(stored, stat)
	return nil
}

// adopt makes the stored limit the own one, unless a newer one is known.
func (a *agreement) adopt(stored int, stat *zk.Stat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if stat.Mzxid > a.limit.At {
		a.limit, a.directory = queue.Limit{Max: stored, At: stat.Mzxid}, stat.Czxid
	}
}

// A limitReading is the data of a semaphore's directory.
type limitReading struct {
	data []byte
	stat *zk.Stat
}

func (s *Semaphore) read(ctx context.Context) (limitReading, error) {
	return do(ctx, s.session, func(c Client) (r limitReading, err error) {
		r.data, r.stat, err = c.Get(s.path)
		return r, err
	})
}

// agree reads the limit, and stores the own one where there is none.
func (s *Semaphore) agree(ctx context.Context) error {
	for {
		got, err := s.read(ctx)
		switch {
		case isNoNode(err):
			err = s.makeDirectory(ctx, s.path)
		case err == nil && len(got.data) == 0:
			err = s.store(ctx, s.agreed.configured, got.stat)
		case err == nil:
			return s.agreed.compare(got.data, got.stat)
		}
		if err != nil && !isNoNode(err) && !errors.Is(err, zk.ErrBadVersion) {
			return err
		}
	}
}

// store writes the limit into a directory that was empty of data.
func (s *Semaphore) store(ctx context.Context, limit int, empty *zk.Stat) error {
	stat, err := do(ctx, s.session, func(c Client) (*zk.Stat, error) {
		return c.Set(s.path, formatLimit(limit), empty.Version)
	})
	if err == nil {
		s.session.directories.saw(s.path, stat)
	}
	return err
}

// Resize changes the stored limit from the semaphore's own to max. Semaphores
// that have agreed with the stored limit follow, and waiters for whom there is
// a permit now get it; a smaller limit takes nothing from those who hold.
//
// It returns an [*Error], which wraps [ErrLimitMismatch] when the stored limit
// is neither the own one nor max, and [ErrLimitRange] when max can be none.
// After any other error, as when the connection was lost, the limit may be
// changed or not, and the call may be repeated.
func (s *Semaphore) Resize(ctx context.Context, max int) error {
	err := checkLimit(max)
	if err == nil {
		err = s.inSession(ctx, func(ctx context.Context) error { return s.resize(ctx, max) })
	}
	if err != nil {
		return failure("resize", s.path, "", s.session.reason(ctx, nil, err))
	}
	return nil
}

func (s *Semaphore) resize(ctx context.Context, max int) error {
	for {
		got, err := s.read(ctx)
		switch {
		case isNoNode(err):
			err = s.makeDirectory(ctx, s.path)
		case err == nil && len(got.data) == 0:
			err = s.store(ctx, max, got.stat)
		case err == nil && string(got.data) == string(formatLimit(max)):
			s.agreed.adopt(max, got.stat)
			return nil
		case err == nil:
			if err = s.agreed.compare(got.data, got.stat); err != nil {
				return err
			}
			if err = s.replace(ctx, max, got.stat); err == nil {
				return nil
			}
		}
		if err != nil && !isNoNode(err) && !errors.Is(err, zk.ErrBadVersion) {
			return err
		}
	}
}

// replace writes another limit. A child that comes and goes in the same
// transaction wakes those who watch the queue. A watch on the directory's data
// would do so too, but go-zookeeper cannot remove one that never fires, and
// would keep one for each wait.
func (s *Semaphore) replace(ctx context.Context, limit int, old *zk.Stat) error {
	child := childOf(s.path, s.session.config.newGUID()+"-resize") // it has no sequence number
	done, err := ask(ctx, s.session, s.session.transaction(
		&zk.SetDataRequest{Path: s.path, Data: formatLimit(limit), Version: old.Version},
		&zk.CreateRequest{Path: child, Acl: s.config.acl},
		&zk.DeleteRequest{Path: child, Version: -1}))
	if err == nil && done.ops[0].Stat != nil {
		s.agreed.adopt(limit, done.ops[0].Stat)
	}
	return err
}
