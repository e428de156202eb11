package locks_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// One client alone: a create, a listing, a delete.
func BenchmarkUncontended(b *testing.B) {
	w := newWorld(b)
	mutex := newMutex(w.dial(session), w.path)
	for b.Loop() {
		lease, err := mutex.Lock(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if err := lease.Unlock(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// Two clients take turns: each iteration is one hand-over.
func BenchmarkHandOver(b *testing.B) {
	for _, r := range recipes[:2] {
		b.Run(r.name, func(b *testing.B) {
			w := newWorld(b)
			sides := [2]zklock.Locker{r.make(w.dial(session), w.path), r.make(w.dial(session), w.path)}
			holder := w.lock(sides[0])
			for i := 1; b.Loop(); i++ {
				next := w.startLock(sides[i%2])
				w.unlock(holder)
				holder = next.held(b)
			}
			w.unlock(holder)
		})
	}
}
