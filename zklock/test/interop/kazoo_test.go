package interop

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// A kazooHolder is a client of kazoo that takes a lock once, in a process of its own.
type kazooHolder struct {
	*child
	ended bool
}

// takeKazoo has a client of kazoo take a lock, which is as the Python program calls
// it. The process has ended when the test has.
func (d *lockDir) takeKazoo(ctx context.Context, lock string) *kazooHolder {
	d.Helper()
	child, err := findPython(d.T).start(ctx, "hold.py", d.server.Address(), d.path, lock)
	if err != nil {
		d.Fatal(err)
	}
	k := &kazooHolder{child: child}
	d.Cleanup(func() {
		if !k.ended {
			d.Log(k.finish()) // the test has failed, perhaps for this
		}
	})
	return k
}

// holds waits until the client holds, and returns the path of its znode.
func (k *kazooHolder) holds(t *testing.T) string {
	t.Helper()
	node, err := k.hear()
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// release has the client release its lock and end.
func (k *kazooHolder) release(t *testing.T) {
	t.Helper()
	if err := errors.Join(k.say("release"), k.expect("released")); err != nil {
		t.Fatal(err)
	}
	k.ended = true
	if err := k.finish(); err != nil {
		t.Fatal(err)
	}
}

// A lock that is not told of kazoo is refused beside its holder, and the error names
// the znode. Nothing is left behind. A WriteLock's znodes are named as a Lock's. A
// Semaphore cannot be told.
func TestRefusedBesideKazoo(t *testing.T) {
	for _, kazoo := range []string{"untold-mutex", "untold-reader", "semaphore"} {
		t.Run(kazoo, func(t *testing.T) {
			d := newLockDir(t)
			ctx := d.within()
			if _, err := d.conn.Set(d.path, []byte("3"), -1); err != nil { // the limit, as both sides write it
				t.Fatal(err)
			}
			holder := d.takeKazoo(ctx, kazoo)
			node := holder.holds(t)
			session := d.dial()
			mutex, rw := zklock.NewMutex(session, d.path), zklock.NewRWMutex(session, d.path)
			locks := []lockFunc{mutex.Lock, mutex.TryLock, rw.Lock, rw.RLock}
			if kazoo == "semaphore" {
				semaphore := zklock.NewSemaphore(session, d.path, 3)
				locks = []lockFunc{semaphore.Acquire, semaphore.TryAcquire}
			}
			for _, lock := range locks {
				_, err := lock(ctx)
				d.expectForeign(err, node)
				d.awaitChildren(ctx, 1) // what the refused one has left is deleted in the background
			}
			holder.release(t)
			d.awaitChildren(ctx, 0)
		})
	}
}

// It is refused also beside one that only waits, and that is told of the holder.
func TestRefusedBesideKazooThatWaits(t *testing.T) {
	d := newLockDir(t)
	ctx := d.within()
	mutex := zklock.NewMutex(d.dial(), d.path)
	lease, err := mutex.Lock(ctx)
	if err != nil {
		t.Fatal(err)
	}
	kazoo := d.takeKazoo(ctx, "mutex")
	nodes := d.awaitChildren(ctx, 2)
	node := nodes[1-slices.Index(nodes, lease.Node())]
	_, err = mutex.Lock(ctx)
	d.expectForeign(err, node)
	if err := lease.Unlock(ctx); err != nil {
		t.Fatal(err)
	}
	if got := kazoo.holds(t); got != node {
		t.Errorf("kazoo holds by %s, want %s", got, node)
	}
	kazoo.release(t)
	d.awaitChildren(ctx, 0)
}

// A lock that waits when kazoo comes is refused at its next listing, which it makes
// when one goes who is not the last ahead.
func TestRefusedWhenKazooComes(t *testing.T) {
	d := newLockDir(t)
	ctx := d.within()
	first, second := d.enqueue(), d.enqueue()
	refused := make(chan error, 1)
	mutex := zklock.NewMutex(d.dial(), d.path)
	go func() {
		_, err := mutex.Lock(ctx)
		refused <- err
	}()
	d.awaitWatch(ctx, second) // so the lock has seen the queue without kazoo
	kazoo := d.takeKazoo(ctx, "untold-mutex")
	node := kazoo.holds(t) // beside the first contender, of whom it is not told
	d.delete(first)
	d.expectForeign(<-refused, node)
	d.delete(second)
	kazoo.release(t)
	d.awaitChildren(ctx, 0)
}

// What a lock of zklock cannot prevent: kazoo that is not told of it goes ahead of
// its znode and holds at the same time. One that is told waits.
func TestKazooHoldsBeside(t *testing.T) {
	for _, test := range []struct {
		name, kazoo string
		waits       bool
	}{
		{"not told", "untold-mutex", false},
		{"told", "mutex", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newLockDir(t)
			ctx := d.within()
			// Without a watch of its own, so that nobody but kazoo watches its znode.
			mutex := zklock.NewMutex(d.dial(), d.path, zklock.WithExtraMarkers(kazooMarker), zklock.WithOwnWatch(false))
			lease, err := mutex.Lock(ctx)
			if err != nil {
				t.Fatal(err)
			}
			kazoo := d.takeKazoo(ctx, test.kazoo)
			if test.waits {
				d.awaitWatch(ctx, lease.Node()) // so it has seen that it must wait
			} else {
				kazoo.holds(t)
			}
			if err := errors.Join(lease.Check(ctx), lease.Unlock(ctx)); err != nil {
				t.Error(err)
			}
			if test.waits {
				kazoo.holds(t)
			}
			kazoo.release(t)
		})
	}
}

// expectForeign fails the test unless err says that a lock was refused because of
// that znode.
func (d *lockDir) expectForeign(err error, node string) {
	d.Helper()
	var foreign *zklock.ForeignError
	if !errors.Is(err, zklock.ErrForeign) || !errors.As(err, &foreign) || foreign.Node != node {
		d.Fatalf("lock beside kazoo: %v, want it to be refused because of %s", err, node)
	}
}
