package main

import (
	"errors"
	"fmt"
	"sync/atomic"
)

var (
	// errExclusion: two contenders held at once.
	errExclusion = errors.New("mutual exclusion violated")
	// errStarved: a contender never had its turn while others had several.
	errStarved = errors.New("a contender starved")
)

// A witness sees every acquisition, and knows whether two overlapped.
type witness struct {
	holder     atomic.Int64 // the holder's index plus 1; 0: nobody
	violations atomic.Int64
	counter    int // nothing guards it but the lock
}

func (w *witness) enter(contender int) {
	if !w.holder.CompareAndSwap(0, int64(contender)+1) {
		w.violations.Add(1)
	}
	w.counter++
}

func (w *witness) leave(contender int) {
	if !w.holder.CompareAndSwap(int64(contender)+1, 0) {
		w.violations.Add(1)
	}
}

// verdict judges a match that has ended, in which the contenders acquired as
// often as counts says.
func (w *witness) verdict(counts []int64) error {
	if n := w.violations.Load(); n > 0 {
		return fmt.Errorf("%w: %d overlaps", errExclusion, n)
	}
	if want := sum(counts); int64(w.counter) != want {
		return fmt.Errorf("%w: %d acquisitions, but the counter that they guard says %d", errExclusion, want, w.counter)
	}
	return nil
}

// starved is how often another contender must have had its turn to call one
// starved that had none. All recipes are fair queues: the difference is 1 or 2.
const starved = 5

// fairness judges the shares of the contenders while all of them contended.
func fairness(counts []int64) error {
	least, most := spread(counts)
	if least == 0 && most >= starved {
		return fmt.Errorf("%w: never its turn, another's %d times", errStarved, most)
	}
	return nil
}
