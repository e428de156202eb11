package locks_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// The library's own lock, on the same path, stands in the same queue.
func TestContendsWithGoZooKeeper(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ours := zklock.NewMutex(w.dial(session), w.path)
	theirs := zk.NewLock(w.server.Conn(t), w.path, zk.WorldACL(zk.PermAll))
	if err := theirs.Lock(); err != nil {
		t.Fatal(err)
	}
	if _, err := ours.TryLock(w.within()); !errors.Is(err, zklock.ErrHeld) {
		t.Fatalf("TryLock = %v, want ErrHeld", err)
	}
	waiter := w.startLock(ours)
	if err := theirs.Unlock(); err != nil {
		t.Fatal(err)
	}
	lease := waiter.held(t)
	locked := make(chan error, 1)
	go func() { locked <- theirs.Lock() }()
	eventually(t, "they wait behind us", func() bool { return len(w.children()) == 2 })
	if len(locked) > 0 {
		t.Error("both hold")
	}
	w.unlock(lease)
	if err := receive(t, locked, "their lock"); err != nil {
		t.Fatal(err)
	}
	if err := theirs.Unlock(); err != nil {
		t.Fatal(err)
	}
}

// At the end the server keeps no watch of ours.
func TestNoWatchIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(zklock.NewMutex(w.dial(session), w.path))
	var queue []*attempt
	for range 4 {
		queue = append(queue, w.startLock(zklock.NewMutex(w.dial(session), w.path)))
	}
	if n := len(w.watched()); n != len(queue) {
		t.Errorf("%d znodes are watched, want %d", n, len(queue))
	}
	w.unlock(holder)
	for _, next := range queue {
		w.unlock(next.held(t))
	}
	if left := w.watched(); len(left) > 0 {
		t.Errorf("watches are left: %q", left)
	}
}

// watched returns the znodes of the queue that somebody watches.
func (w *world) watched() (paths []string) {
	w.Helper()
	for path := range w.server.Watches(w) {
		if strings.HasPrefix(path, w.path+"/") {
			paths = append(paths, path)
		}
	}
	return paths
}
