package interop

import (
	"context"
	"errors"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// Curator's Revoker reaches the holder of a lock of zklock.
func TestCuratorRevokes(t *testing.T) {
	d := newLockDir(t)
	ctx := d.within()
	lease, err := zklock.NewMutex(d.dial(), d.path).Lock(ctx)
	if err != nil {
		t.Fatal(err)
	}
	child := d.revocation(ctx, "revoke", lease.Node())
	if err := errors.Join(child.expect("asked"), child.finish()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-lease.Revoked():
	case <-ctx.Done():
		t.Error("the lease does not hear of the request")
	}
	// It was only a request.
	if err := errors.Join(lease.Check(ctx), lease.Unlock(ctx)); err != nil {
		t.Error(err)
	}
}

// Revoke reaches the holder of a mutex of Curator, and the lock comes free.
func TestRevokesCurator(t *testing.T) {
	d := newLockDir(t)
	ctx := d.within()
	session := d.dial()
	child := d.revocation(ctx, "hold", d.path)
	node, err := child.hear()
	if err != nil {
		t.Fatal(errors.Join(err, child.finish()))
	}
	mutex := zklock.NewMutex(session, d.path)
	if _, err := mutex.TryLock(ctx); !errors.Is(err, zklock.ErrHeld) {
		t.Errorf("TryLock beside Curator's holder = %v, want ErrHeld", err)
	}
	if err := zklock.Revoke(ctx, session, node); err != nil {
		t.Error(err)
	}
	if err := errors.Join(child.expect("revoked"), child.expect("released"), child.finish()); err != nil {
		t.Fatal(err)
	}
	lease, err := mutex.Lock(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := lease.Unlock(ctx); err != nil {
		t.Error(err)
	}
}

// revocation starts Curator's side of a revocation.
func (d *lockDir) revocation(ctx context.Context, part, path string) *child {
	d.Helper()
	child, err := findJava(d.T).start(ctx, "Revocation", part, d.server.Address(), path)
	if err != nil {
		d.Fatal(err)
	}
	return child
}
