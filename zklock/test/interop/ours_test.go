package interop

import (
	"context"

	"github.com/zkplayground/zkplayground/zklock"
)

// A lockFunc is a way to take a lock of zklock.
type lockFunc func(context.Context) (*zklock.Lease, error)

// ours is a client of zklock.
type ours struct {
	locks map[mode]lockFunc
	lease *zklock.Lease
}

func newOurs(locks map[mode]lockFunc) *ours { return &ours{locks: locks} }

func (o *ours) lock(ctx context.Context, m mode) (string, error) {
	var err error
	if o.lease, err = o.locks[m](ctx); err != nil {
		return "", err
	}
	return o.lease.Node(), nil
}

func (o *ours) check(ctx context.Context) error  { return o.lease.Check(ctx) }
func (o *ours) unlock(ctx context.Context) error { return o.lease.Unlock(ctx) }
