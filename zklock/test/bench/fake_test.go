package main

import (
	"context"
	"sync"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A fakeLock is passed on through memory. Its turns are in a diary that it may
// share with other locks.
type fakeLock struct {
	name  string
	free  chan struct{} // holds a value while nobody holds
	diary *diary
}

// A diary lists the locks in the order in which they moved, each once for as
// long as no other moved in between.
type diary struct {
	mu    sync.Mutex
	moved []string
}

func (d *diary) note(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := len(d.moved); n == 0 || d.moved[n-1] != name {
		d.moved = append(d.moved, name)
	}
}

// openFake gives a trial contenders of a fake lock.
func openFake(m *trial, d *diary) {
	l := &fakeLock{name: m.Recipe, free: make(chan struct{}, 1), diary: d}
	l.free <- struct{}{}
	for range m.Contenders {
		m.contenders = append(m.contenders, l)
	}
}

func (l *fakeLock) acquire(ctx context.Context) error {
	select {
	case <-l.free:
		l.diary.note(l.name)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (l *fakeLock) release(context.Context) error {
	l.diary.note(l.name)
	l.free <- struct{}{}
	return nil
}

func (l *fakeLock) close() error { return nil }

// fakeComparison is a comparison of fake locks, beside a server that has nothing to do.
func fakeComparison(t *testing.T, s settings, d *diary, cells ...cell) *comparison {
	t.Helper()
	meter, err := newMeter(t.Context(), zktest.Start(t).Address())
	if err != nil {
		t.Fatal(err)
	}
	h := &comparison{settings: s, meter: meter, open: func(_ context.Context, m *trial) error {
		openFake(m, d)
		return nil
	}}
	for _, c := range cells {
		h.trials = append(h.trials, newTrial(c))
	}
	return h
}

// A failing contender never has its turn.
type failing struct{ err error }

func (f failing) acquire(context.Context) error { return f.err }
func (f failing) release(context.Context) error { return nil }
func (f failing) close() error                  { return nil }
