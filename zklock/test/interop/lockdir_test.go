package interop

import (
	"context"
	"path"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

const (
	// sessionTimeout is beyond what a busy machine delays a client.
	sessionTimeout = 30 * time.Second
	// testTimeout bounds what a test waits for, beside the time for which a contest
	// is planned. It covers a start of Java on a busy machine.
	testTimeout = 2 * time.Minute
)

// A lockDir is a test's own lock directory on the server that the tests share.
type lockDir struct {
	*testing.T
	server *zktest.Server
	path   string
	conn   *zk.Conn // of the test itself
}

// newLockDir makes the lock directory, as one that is never removed: a directory
// that a library makes may be a container, and go in a pause.
func newLockDir(t *testing.T) *lockDir {
	t.Helper()
	server := zktest.Start(t)
	return &lockDir{T: t, server: server, path: server.Root(t), conn: server.Session(t, sessionTimeout)}
}

// within returns a context that bounds what the test waits for.
func (d *lockDir) within() context.Context {
	ctx, cancel := context.WithTimeout(d.Context(), testTimeout)
	d.Cleanup(cancel)
	return ctx
}

// dial opens a session of zklock that is closed with the test.
func (d *lockDir) dial() *zklock.Session {
	d.Helper()
	s, err := zklock.Dial([]string{d.server.Address()}, sessionTimeout)
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			d.Error(err)
		}
	})
	return s
}

// enqueue makes a znode that contends as one of go-zookeeper's Lock does.
func (d *lockDir) enqueue() string {
	d.Helper()
	node, err := d.conn.CreateProtectedEphemeralSequential(d.path+"/lock-", nil, zk.WorldACL(zk.PermAll))
	if err != nil {
		d.Fatal(err)
	}
	return node
}

// delete deletes a znode.
func (d *lockDir) delete(node string) {
	d.Helper()
	if err := d.conn.Delete(node, -1); err != nil {
		d.Fatal(err)
	}
}

// awaitChildren waits until the directory has that many children, and returns their
// paths.
func (d *lockDir) awaitChildren(ctx context.Context, want int) (nodes []string) {
	d.Helper()
	for {
		children, _, changed, err := d.conn.ChildrenW(d.path)
		if err != nil {
			d.Fatal(err)
		}
		if len(children) == want {
			for _, name := range children {
				nodes = append(nodes, path.Join(d.path, name))
			}
			return nodes
		}
		select {
		case <-changed:
		case <-ctx.Done():
			d.Fatalf("children %q, want %d", children, want)
		}
	}
}

// awaitWatch waits until somebody watches a znode. The server does not tell when, so
// it is asked again and again.
func (d *lockDir) awaitWatch(ctx context.Context, node string) {
	d.Helper()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for len(d.server.Watches(d)[node]) == 0 {
		select {
		case <-look.C:
		case <-ctx.Done():
			d.Fatalf("nobody watches %s", node)
		}
	}
}

// expectEmpty looks for znodes that somebody has left in a queue.
func (d *lockDir) expectEmpty(queue string) {
	d.Helper()
	if _, err := d.conn.Sync(queue); err != nil {
		d.Error(err)
	}
	if left, _, err := d.conn.Children(queue); err != nil || len(left) > 0 {
		d.Errorf("left in %s: %q, %v", queue, left, err)
	}
}
