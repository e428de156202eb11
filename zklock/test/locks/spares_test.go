package locks_test

import (
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// Names without a guid come back when the directory is made anew, as happens
// to a container. A watch that was left on the first znode of a name says
// nothing of the second.
func TestNameThatComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mutex := zklock.NewMutex(w.dial(session), w.path)
	first := w.makeBare()
	a := w.startLock(mutex)
	a.cancel()
	if a.failed(t) == nil {
		t.Fatal("Lock returns a lease though its context has ended")
	}
	eventually(t, "the waiter has left", func() bool { return len(w.children()) == 1 })
	w.deleteAll(first, w.path)
	if again := w.makeBare(); again != first {
		t.Fatalf("the second znode is %s, want %s", again, first)
	}
	b := w.startLock(mutex)
	eventually(t, "the second znode is watched", func() bool {
		return b.count("acquired") > 0 || len(w.server.Watches(t)[first]) > 0
	})
	if b.count("acquired") > 0 {
		t.Errorf("holds beside %v", w.children())
	}
	w.deleteAll(first)
	b.held(t)
}

// makeBare makes the directory, and in it the first znode of a client whose
// names have no guid.
func (w *world) makeBare() string {
	w.Helper()
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		w.Fatal(err)
	}
	node, err := w.conn.Create(w.path+"/lock-", nil, zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
	if err != nil {
		w.Fatal(err)
	}
	return node
}

func (w *world) deleteAll(nodes ...string) {
	w.Helper()
	for _, node := range nodes {
		if err := w.conn.Delete(node, -1); err != nil {
			w.Fatal(err)
		}
	}
}
