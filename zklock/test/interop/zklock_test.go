package interop

import (
	"context"
	"errors"

	"github.com/zkplayground/zkplayground/zklock"
)

// A lockFunc is a way to take a lock of zklock.
type lockFunc func(context.Context) (*zklock.Lease, error)

// zklockClient is a client of zklock.
type zklockClient struct {
	locks map[mode]lockFunc
	lease *zklock.Lease
}

// addMutex has clients of zklock's Mutex take part.
func (c *contest) addMutex(opts ...zklock.Option) {
	c.Helper()
	c.add("zklock", func() locker {
		lock := zklock.NewMutex(c.dial(), c.path, opts...)
		return &zklockClient{locks: map[mode]lockFunc{write: lock.Lock}}
	}, write)
}

// addRWMutex has clients of zklock's RWMutex take part, which read and write.
func (c *contest) addRWMutex(opts ...zklock.Option) {
	c.Helper()
	c.add("zklock", func() locker {
		lock := zklock.NewRWMutex(c.dial(), c.path, opts...)
		return &zklockClient{locks: map[mode]lockFunc{read: lock.RLock, write: lock.Lock}}
	}, read, write)
}

// permits is how many hold a semaphore of a contest at once, as Curator's side has it too.
const permits = 2

// addSemaphore has clients of zklock's Semaphore take part, each in the layout of Curator's:
// who has the mutex waits for a permit.
func (c *contest) addSemaphore() {
	c.Helper()
	c.makeQueues("locks", "leases")
	c.witness.permits = permits
	c.add("zklock", func() locker {
		session := c.dial()
		door := zklock.NewMutex(session, c.path+"/locks")
		semaphore := zklock.NewSemaphore(session, c.path+"/leases", permits)
		return &zklockClient{locks: map[mode]lockFunc{write: func(ctx context.Context) (lease *zklock.Lease, err error) {
			err = zklock.Do(ctx, door.Lock, func(ctx context.Context, _ *zklock.Lease) error {
				lease, err = semaphore.Acquire(ctx)
				return err
			})
			return lease, err
		}}}
	}, write)
}

// addMutexes has clients of zklock take part that take two mutexes in the order in which
// the other side takes them, one by one.
func (c *contest) addMutexes() {
	c.Helper()
	c.makeQueues("first", "second")
	c.add("zklock", func() locker {
		session := c.dial()
		return &mutexes{
			first:  zklock.NewMutex(session, c.path+"/first"),
			second: zklockClient{locks: map[mode]lockFunc{write: zklock.NewMutex(session, c.path+"/second").Lock}},
		}
	}, write)
}

// mutexes are two that are taken one by one.
type mutexes struct {
	first  *zklock.Mutex
	lease  *zklock.Lease // of the first
	second zklockClient
}

func (m *mutexes) lock(ctx context.Context, how mode) (string, error) {
	var err error
	if m.lease, err = m.first.Lock(ctx); err != nil {
		return "", err
	}
	return m.second.lock(ctx, how)
}

func (m *mutexes) check(ctx context.Context) error {
	return errors.Join(m.lease.Check(ctx), m.second.check(ctx))
}

func (m *mutexes) unlock(ctx context.Context) error {
	return errors.Join(m.second.unlock(ctx), m.lease.Unlock(ctx))
}

func (z *zklockClient) lock(ctx context.Context, m mode) (string, error) {
	var err error
	if z.lease, err = z.locks[m](ctx); err != nil {
		return "", err
	}
	return z.lease.Node(), nil
}

func (z *zklockClient) check(ctx context.Context) error  { return z.lease.Check(ctx) }
func (z *zklockClient) unlock(ctx context.Context) error { return z.lease.Unlock(ctx) }
