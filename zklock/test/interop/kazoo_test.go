package interop

import (
	"context"
	"errors"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A kazooHolder is a client of kazoo that takes a lock once, in a process of its own.
type kazooHolder struct {
	*child
	ended bool
}

// takeKazoo has a client of kazoo take a lock, which is as the Python program calls
// it. The process has ended when the test has.
func (c *contest) takeKazoo(ctx context.Context, lock string) *kazooHolder {
	c.Helper()
	child, err := findPython(c.T).start(ctx, "hold.py", c.server.Address(), c.path, lock)
	if err != nil {
		c.Fatal(err)
	}
	k := &kazooHolder{child: child}
	c.Cleanup(func() {
		if !k.ended {
			c.Error(k.finish())
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

// A lock that is not told of kazoo is refused beside its holder, whichever of kazoo's
// locks that holds, and the error names the znode. Nothing is left behind.
func TestRefusedBesideKazoo(t *testing.T) {
	for _, kazoo := range []string{"untold-mutex", "untold-writer", "untold-reader"} {
		t.Run(kazoo, func(t *testing.T) {
			c := newContest(t)
			ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
			defer cancel()
			holder := c.takeKazoo(ctx, kazoo)
			node := holder.holds(t)
			session := c.dial()
			rw := zklock.NewRWMutex(session, c.path)
			for name, lock := range map[string]lockFunc{
				"Mutex.Lock":    zklock.NewMutex(session, c.path).Lock,
				"Mutex.TryLock": zklock.NewMutex(session, c.path).TryLock,
				"RWMutex.Lock":  rw.Lock,
				"RWMutex.RLock": rw.RLock,
			} {
				_, err := lock(ctx)
				c.expectForeign(name, err, node)
			}
			holder.release(t)
			c.awaitChildren(ctx, 0)
		})
	}
}

// It is refused also beside one that only waits, and that is told of the holder.
func TestRefusedBesideKazooThatWaits(t *testing.T) {
	c := newContest(t)
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	mutex := zklock.NewMutex(c.dial(), c.path)
	lease, err := mutex.Lock(ctx)
	if err != nil {
		t.Fatal(err)
	}
	kazoo := c.takeKazoo(ctx, "mutex")
	nodes := c.awaitChildren(ctx, 2)
	node := nodes[1-slices.Index(nodes, lease.Node())]
	_, err = mutex.Lock(ctx)
	c.expectForeign("Lock", err, node)
	if err := lease.Unlock(ctx); err != nil {
		t.Fatal(err)
	}
	if got := kazoo.holds(t); got != node {
		t.Errorf("kazoo holds by %s, want %s", got, node)
	}
	kazoo.release(t)
	c.awaitChildren(ctx, 0)
}

// A lock that waits when kazoo comes is refused at its next listing, which it makes
// when one goes who is not the last ahead.
func TestRefusedWhenKazooComes(t *testing.T) {
	c := newContest(t)
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	conn := c.server.Conn(t)
	first, second := c.contender(conn), c.contender(conn)
	refused := make(chan error, 1)
	mutex := zklock.NewMutex(c.dial(), c.path)
	go func() {
		_, err := mutex.Lock(ctx)
		refused <- err
	}()
	c.awaitWatches(ctx, second, 1) // so the lock has seen the queue without kazoo
	kazoo := c.takeKazoo(ctx, "untold-mutex")
	node := kazoo.holds(t) // beside the first contender, of whom it is not told
	if err := conn.Delete(first, -1); err != nil {
		t.Fatal(err)
	}
	c.expectForeign("the waiting Lock", <-refused, node)
	if err := conn.Delete(second, -1); err != nil {
		t.Fatal(err)
	}
	kazoo.release(t)
	c.awaitChildren(ctx, 0)
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
			c := newContest(t)
			ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
			defer cancel()
			lease, err := zklock.NewMutex(c.dial(), c.path, zklock.WithExtraMarkers(kazooMarker), zklock.WithOwnWatch(false)).Lock(ctx)
			if err != nil {
				t.Fatal(err)
			}
			kazoo := c.takeKazoo(ctx, test.kazoo)
			if test.waits {
				c.awaitWatches(ctx, lease.Node(), 1) // kazoo's, so it has seen that it must wait
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
func (c *contest) expectForeign(what string, err error, node string) {
	c.Helper()
	var foreign *zklock.ForeignError
	if !errors.Is(err, zklock.ErrForeign) || !errors.As(err, &foreign) || foreign.Node != node {
		c.Errorf("%s beside kazoo = %v, want it to be refused because of %s", what, err, node)
	}
}

// contender makes a znode that contends as one of go-zookeeper's Lock does.
func (c *contest) contender(conn *zk.Conn) string {
	c.Helper()
	node, err := conn.CreateProtectedEphemeralSequential(c.path+"/lock-", nil, zk.WorldACL(zk.PermAll))
	if err != nil {
		c.Fatal(err)
	}
	return node
}

// awaitChildren waits until the lock directory has that many children, and returns
// their paths.
func (c *contest) awaitChildren(ctx context.Context, want int) (nodes []string) {
	c.Helper()
	conn := c.server.Conn(c)
	for {
		children, _, changed, err := conn.ChildrenW(c.path)
		if err != nil {
			c.Fatal(err)
		}
		if len(children) == want {
			for _, name := range children {
				nodes = append(nodes, path.Join(c.path, name))
			}
			return nodes
		}
		select {
		case <-changed:
		case <-ctx.Done():
			c.Fatalf("children %q, want %d", children, want)
		}
	}
}

// awaitWatches waits until so many sessions watch a znode.
func (c *contest) awaitWatches(ctx context.Context, node string, want int) {
	c.Helper()
	for look := time.NewTicker(10 * time.Millisecond); ; {
		if len(c.server.Watches(c)[node]) == want {
			look.Stop()
			return
		}
		select {
		case <-look.C: // the server does not tell of watches
		case <-ctx.Done():
			c.Fatalf("%s is not watched by %d sessions", node, want)
		}
	}
}
