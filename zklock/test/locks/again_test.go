package locks_test

import (
	"context"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// A second Unlock returns what the first one did, however its context stands,
// and so does a second Close.
func TestUnlockAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	const times = 20 // the choice between two that are ready is random
	for name, unlock := range w.unlocks() {
		if err := unlock(w.within()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for range times {
			if err := unlock(ended); err != nil {
				t.Errorf("%s: %v again, want nil", name, err)
			}
		}
	}
	s := w.dial(session)
	closeSession(t, s)
	for range times {
		if err := s.Close(ended); err != nil {
			t.Errorf("Close: %v again, want nil", err)
		}
	}
}

// unlocks takes a lock of each kind, and returns what unlocks it.
func (w *world) unlocks() map[string]func(context.Context) error {
	w.Helper()
	s := w.dial(session)
	hold, err := zklock.NewReentrant(s, w.path+"/hold").Lock(zklock.WithOwner(w.within()))
	if err != nil {
		w.Fatal(err)
	}
	return map[string]func(context.Context) error{
		"lease": w.lock(zklock.NewMutex(s, w.path+"/lease")).Unlock,
		"hold":  hold.Unlock,
		"multi": w.lockAll(w.multi(s, "a b")).Unlock,
	}
}
