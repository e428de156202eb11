package teach_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

// The two mutexes stand in one queue. The waiter of the herd is woken by each
// newcomer, the other one is not: of all that happens behind it, it hears nothing.
func TestHerdMutexBesideMutex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder, err := zklock.NewMutex(w.dial(session), w.path).Lock(w.soon())
	if err != nil {
		t.Fatal(err)
	}
	waits, woken, woken2 := make(chan struct{}, 16), make(chan struct{}, 16), make(chan struct{}, 16)
	trace := func(woken chan<- struct{}) zklock.Option {
		return zklock.WithLockTrace(&zklock.Trace{
			WaitStart: func(zklock.WaitStartInfo) { waits <- struct{}{} },
			WaitDone:  func(zklock.WaitDoneInfo) { woken <- struct{}{} },
		})
	}
	leases := make(chan *zklock.Lease)
	begin := func(l zklock.Locker) {
		go func() {
			lease, err := l.Lock(w.Context())
			if err != nil {
				t.Error(err)
			}
			leases <- lease
		}()
		receive(t, waits, "the wait")
	}
	begin(teach.NewHerdMutex(w.dial(session), w.path, trace(woken)))
	begin(zklock.NewMutex(w.dial(session), w.path, trace(woken2)))
	receive(t, woken, "the first one to be woken by the second")
	receive(t, waits, "the first one to wait again")
	begin(teach.NewHerdMutex(w.dial(session), w.path, trace(woken)))
	receive(t, woken, "the first one to be woken by the third")
	if len(woken2) > 0 {
		t.Error("the second one was woken, too")
	}
	token := holder.Token()
	for range 3 {
		if err := holder.Unlock(w.soon()); err != nil {
			t.Fatal(err)
		}
		if holder = receive(t, leases, "the next one"); holder == nil || holder.Token() <= token {
			t.Fatalf("%+v holds after token %d", holder, token)
		}
		token = holder.Token()
	}
}
