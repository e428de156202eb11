package zklock_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/zklock"
)

func TestTraceOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	outer, option := newRecorder(), newRecorder()
	lock := zklock.NewMutex(s, w.path, zklock.WithLockTrace(option.trace()))
	w.unlock(w.lock(lock, outer.trace()))
	want := []string{
		"enqueue-start", "enqueued recovered=false failed=true", // the directory is missing
		"enqueue-start", "enqueued recovered=false failed=false",
		"listed 0 of 1", "acquired", "release-start", "released failed=false",
	}
	for name, r := range map[string]*recorder{"outer": outer, "option": option} {
		if diff := cmp.Diff(want, r.all()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTraceOfAWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(zklock.NewMutex(w.dial(session), w.path))
	waiter := w.startLock(zklock.NewMutex(w.dial(session), w.path))
	w.unlock(holder)
	w.unlock(waiter.held(t))
	want := []string{
		"enqueue-start", "enqueued recovered=false failed=false",
		"listed 1 of 2", "wait-start " + holder.Node(), "wait-done EventNodeDeleted",
		"acquired", "release-start", "released failed=false",
	}
	if diff := cmp.Diff(want, waiter.all()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A hook that takes long does not keep a lease from ending.
func TestSlowHookDoesNotHideALoss(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	release := make(chan struct{})
	n := newNetwork(t)
	s := w.dial(short, zklock.WithDialer(n.Dial), zklock.WithSessionHook(func(zklock.SessionState) { <-release }))
	t.Cleanup(func() { close(release) }) // before the session's own clean-up
	lease := w.lock(zklock.NewMutex(s, w.path))
	n.partition()
	receive(t, lease.Lost(), "the loss")
}

func TestSessionHook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var mu sync.Mutex
	var states []zklock.SessionState
	n := newNetwork(t)
	s := w.dial(short, zklock.WithDialer(n.Dial), zklock.WithSessionHook(func(i zklock.SessionState) {
		mu.Lock()
		defer mu.Unlock()
		states = append(states, i)
	}))
	if err := s.WaitConnected(w.within()); err != nil {
		t.Fatal(err)
	}
	first, ctx := s.SessionID(), s.Context()
	w.lock(zklock.NewMutex(s, w.path)) // a znode that shows whether the session lives
	n.partition()
	<-ctx.Done()
	eventually(t, "the server has ended the session", func() bool { return len(w.children()) == 0 })
	n.heal()
	if err := s.WaitConnected(w.within()); err != nil {
		t.Fatal(err)
	}
	closeSession(t, s)
	mu.Lock()
	defer mu.Unlock()
	var got []zklock.State
	for _, i := range states {
		got = append(got, i.State)
		if i.SessionID == 0 || i.Timeout != short || (i.State == zklock.Lost) != (i.Cause != nil) {
			t.Errorf("incomplete: %+v", i)
		}
	}
	want := []zklock.State{zklock.Connected, zklock.Suspended, zklock.Lost, zklock.Connected, zklock.Lost}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if states[0].SessionID != first || states[3].SessionID == first {
		t.Errorf("session ids: %+v", states)
	}
}
