package locks_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// Close ends everything within its context, whatever the network does.
func TestClose(t *testing.T) {
	for name, fault := range map[string]func(*network){
		"connected": func(*network) {},
		"cut":       (*network).cut,
		"parted":    (*network).partition,
		"killed":    func(n *network) { n.partition(); n.cut() },
		"mute":      (*network).holdReplies,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s, network := w.dialThrough(time.Minute) // longer than Close may take
			holder := w.lock(zklock.NewMutex(s, w.path))
			waiter := w.startLock(zklock.NewMutex(s, w.path))
			fault(network)
			ctx, cancel := context.WithTimeout(t.Context(), patience/2)
			defer cancel()
			began := time.Now()
			if err := s.Close(ctx); err != nil {
				t.Error(err)
			}
			t.Logf("closed in %v", time.Since(began))
			if err := waiter.failed(t); !errors.Is(err, zklock.ErrClosed) {
				t.Errorf("Lock = %v, want ErrClosed", err)
			}
			if err := holder.Unlock(w.within()); !errors.Is(err, zklock.ErrClosed) || !errors.Is(err, zklock.ErrLost) {
				t.Errorf("Unlock = %v, want ErrClosed and ErrLost", err)
			}
			if _, err := zklock.NewMutex(s, w.path).Lock(w.within()); !errors.Is(err, zklock.ErrClosed) {
				t.Errorf("Lock = %v, want ErrClosed", err)
			}
			if err := s.Close(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

// Close does not outstay its context.
func TestCloseInTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	released := make(chan struct{})
	s, network := w.dialThrough(session, zklock.WithSessionHook(func(i zklock.SessionState) {
		if i.State == zklock.Lost {
			<-released // all has ended only then, however late the test looks
		}
	}))
	defer close(released)
	w.lock(zklock.NewMutex(s, w.path))
	network.partition()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- s.Close(ctx) }()
	if err := receive(t, closed, "Close"); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Close = %v, want the deadline's error", err)
	}
}
