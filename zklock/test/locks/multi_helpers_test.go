package locks_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// at returns lock directories of the test, not yet made.
func (w *world) at(names string) []string {
	paths := strings.Fields(names)
	for i, name := range paths {
		paths[i] = w.path + "/" + name
	}
	return paths
}

// multi returns a multi-lock on the lock directories with these names.
func (w *world) multi(s *zklock.Session, names string, opts ...zklock.Option) *zklock.Multi {
	w.Helper()
	m, err := newMulti(s, w.at(names), opts...)
	if err != nil {
		w.Fatal(err)
	}
	return m
}

// mutex returns the mutex on the lock directory with this name.
func (w *world) mutex(name string) *zklock.Mutex {
	return newMutex(w.dial(session), w.at(name)[0])
}

func (w *world) lockAll(m *zklock.Multi, traces ...*zklock.Trace) *zklock.MultiLease {
	w.Helper()
	ctx := w.within()
	for _, trace := range traces {
		ctx = zklock.WithTrace(ctx, trace)
	}
	lease, err := m.Lock(ctx)
	if err != nil {
		w.Fatal(err)
	}
	return lease
}

func (w *world) unlockAll(l *zklock.MultiLease) {
	w.Helper()
	if err := l.Unlock(w.within()); err != nil {
		w.Fatal(err)
	}
}

// queue returns the znodes in the lock directory with this name, the first in
// line first.
func (w *world) queue(name string) []string {
	w.Helper()
	dir := w.at(name)[0]
	names, _, err := w.conn.Children(dir)
	if err != nil && err != zk.ErrNoNode {
		w.Fatal(err)
	}
	slices.SortFunc(names, func(a, b string) int {
		return strings.Compare(a[len(a)-10:], b[len(b)-10:])
	})
	for i := range names {
		names[i] = dir + "/" + names[i]
	}
	return names
}

// become waits until the lock directories with these names have n znodes
// each.
func (w *world) become(names string, n int) {
	w.Helper()
	for _, name := range strings.Fields(names) {
		eventually(w, "the queue has its length", func() bool { return len(w.queue(name)) == n })
	}
}

// A multiAttempt is a call of Multi.Lock in another goroutine.
type multiAttempt struct {
	*recorder
	lease  *zklock.MultiLease
	err    error
	done   chan struct{}
	cancel context.CancelFunc
}

// startMulti begins to lock, and returns when it waits behind somebody.
func (w *world) startMulti(m *zklock.Multi) *multiAttempt {
	w.Helper()
	a := &multiAttempt{recorder: newRecorder(), done: make(chan struct{})}
	var ctx context.Context
	ctx, a.cancel = context.WithCancel(w.Context())
	go func() {
		defer close(a.done)
		a.lease, a.err = m.Lock(zklock.WithTrace(ctx, a.trace()))
	}()
	w.Cleanup(func() { a.cancel(); <-a.done })
	a.await(w, "wait-start", 1)
	return a
}

func (a *multiAttempt) held(tb testing.TB) *zklock.MultiLease {
	tb.Helper()
	if err := a.failed(tb); err != nil {
		tb.Fatal(err)
	}
	return a.lease
}

func (a *multiAttempt) failed(tb testing.TB) error {
	tb.Helper()
	receive(tb, a.done, "Lock to return")
	return a.err
}
