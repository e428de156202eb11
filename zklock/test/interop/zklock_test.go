package interop

import (
	"context"

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

func (z *zklockClient) lock(ctx context.Context, m mode) (string, error) {
	var err error
	if z.lease, err = z.locks[m](ctx); err != nil {
		return "", err
	}
	return z.lease.Node(), nil
}

func (z *zklockClient) check(ctx context.Context) error  { return z.lease.Check(ctx) }
func (z *zklockClient) unlock(ctx context.Context) error { return z.lease.Unlock(ctx) }
