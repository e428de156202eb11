package locks_test

import (
	"fmt"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// As many hold as the stored limit says.
func TestContendersOfSemaphore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.semaphore(2)
	leases := w.hold(p, 2)
	waiter := w.startLock(p)
	holders := func() (n int) {
		t.Helper()
		found := w.contenders(w.dial(session))
		if len(found) != 3 {
			t.Fatalf("found %+v, want 3", found)
		}
		for i, c := range found {
			if c.Holder {
				n++
			}
			if c.Sequence != int32(i) || c.Mode != zklock.ModeWrite {
				t.Errorf("contender %d is %+v", i, c)
			}
		}
		return n
	}
	if n := holders(); n != 2 {
		t.Errorf("%d hold, want 2", n)
	}
	if err := p.Resize(w.within(), 3); err != nil {
		t.Fatal(err)
	}
	leases = append(leases, waiter.held(t))
	if n := holders(); n != 3 {
		t.Errorf("%d hold after Resize, want 3", n)
	}
	for _, lease := range leases {
		w.unlock(lease)
	}
}

// Without a limit that can be read, only the first is shown to hold.
func TestContendersByStoredLimit(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]int{"": 1, "many": 1, "0": 1, "1": 1, "2": 2, "9": 3} {
		t.Run(stored, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var names []string
			for i := range 3 {
				names = append(names, fmt.Sprintf("lease-%010d", i))
			}
			w.put(names...)
			if _, err := w.conn.Set(w.path, []byte(stored), -1); err != nil {
				t.Fatal(err)
			}
			found := w.contenders(w.dial(session))
			if len(found) != len(names) {
				t.Fatalf("found %+v", found)
			}
			for i, c := range found {
				if c.Holder != (i < want) {
					t.Errorf("contender %d holds: %v, want %d holders", i, c.Holder, want)
				}
			}
		})
	}
}

// The holder of a permit is asked as that of a mutex is, and a waiter is told
// when it holds.
func TestRevokePermit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.semaphore(1)
	holder := w.lock(p)
	waiter := w.startLock(p)
	s := w.dial(session)
	for _, c := range w.contenders(s) {
		if err := zklock.Revoke(w.within(), s, c.Node); err != nil {
			t.Fatal(err)
		}
	}
	receive(t, holder.Revoked(), "the request")
	w.unlock(holder)
	lease := waiter.held(t)
	receive(t, lease.Revoked(), "the request to the waiter")
	w.unlock(lease)
}
