package locks_test

import (
	"slices"
	"strings"
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
	lock := newMutex(s, w.path, zklock.WithLockTrace(option.trace()))
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
	holder := w.lock(newMutex(w.dial(session), w.path))
	waiter := w.startLock(newMutex(w.dial(session), w.path))
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
	s := w.dial(mortal, zklock.WithDialer(n.Dial), zklock.WithSessionHook(func(zklock.SessionState) { <-release }))
	t.Cleanup(func() { close(release) }) // before the session's own clean-up
	lease := w.lock(newMutex(s, w.path))
	n.partition()
	receive(t, lease.Lost(), "the loss")
}

func TestSessionHook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var mu sync.Mutex
	var states []zklock.SessionState
	n := newNetwork(t)
	s := w.dial(mortal, zklock.WithDialer(n.Dial), zklock.WithSessionHook(func(i zklock.SessionState) {
		mu.Lock()
		defer mu.Unlock()
		states = append(states, i)
	}))
	if err := s.WaitConnected(w.within()); err != nil {
		t.Fatal(err)
	}
	first, ctx := s.SessionID(), s.Context()
	w.lock(newMutex(s, w.path)) // a znode that shows whether the session lives
	n.partition()
	receive(t, ctx.Done(), "the loss")
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
		if i.SessionID == 0 || i.Timeout != mortal || (i.State == zklock.Lost) != (i.Cause != nil) {
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

// A nil trace is none.
func TestNilTrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record := newRecorder()
	lock := newMutex(w.dial(session), w.path, zklock.WithLockTrace(nil), zklock.WithLockTrace(record.trace()))
	w.unlock(w.lock(lock, nil))
	if n := record.count("acquired"); n != 1 {
		t.Errorf("the other trace was told %d times, want once", n)
	}
}

// A lost lease's znodes are deleted although the hook for the loss has not
// returned, and hooks come in the order of what they tell all the same.
func TestSlowHookDoesNotDelayTheCleanUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record, told, release := newRecorder(), make(chan struct{}, 2), make(chan struct{})
	trace := record.trace()
	trace.Lost = func(zklock.LostInfo) {
		told <- struct{}{}
		<-release
		record.note("lost")
	}
	s := w.dial(session)
	t.Cleanup(func() { close(release) }) // before the session's own clean-up
	lease := w.lockAll(w.multi(s, "a b"), trace)
	if err := w.conn.Delete(lease.Nodes()[0], -1); err != nil {
		t.Fatal(err)
	}
	receive(t, told, "the loss")
	w.become("a b", 0)
	if n := record.count("orphan"); n != 0 {
		t.Errorf("hooks out of order: %q", record.all())
	}
	release <- struct{}{}
	release <- struct{}{}
	record.await(t, "orphan-done failed=false", 2)
	var first []string
	for _, line := range record.all() {
		if hook, _, _ := strings.Cut(line, " "); !slices.Contains(first, hook) {
			first = append(first, hook)
		}
	}
	want := []string{"lost", "orphan-queued", "orphan-done"}
	if diff := cmp.Diff(want, first[len(first)-len(want):]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
