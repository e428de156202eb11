package zklock

import (
	"context"
	"errors"
)

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
