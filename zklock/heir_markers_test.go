package zklock_test

import (
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// Those ahead of a lock that waits for another library's contenders may know
// nothing of these, and pass by them: their heirs do not tell enough.
func TestHeirOfWhoSeesLess(t *testing.T) {
	t.Parallel()
	w := newHighWorld(t)
	heirs := make(chan string, 100) // those that told
	trace := &zklock.Trace{LookedAhead: func(i zklock.LookedAheadInfo) {
		if i.Type == zk.EventNodeCreated {
			heirs <- i.Passed
		}
	}}
	lock := func(opts ...zklock.Option) zklock.Locker { return w.awaiting(w.dial(session), opts...) }
	r := newRoundabout(w, foreseeingRounds, lock(), lock(), lock(), lock(zklock.WithExtraMarkers("__lock__"), zklock.WithLockTrace(trace)))
	r.goes()
	node := w.foreign("00000000000000000000000000000000__lock__") // in the place of the first one
	r.next++
	for range 3 {
		r.turns()
	}
	careful := r.queue[2]
	r.turns()
	r.comes() // the second one, whose place was two ahead of the careful one
	r.unlock(r.queue[0].held(r))
	eventually(w, "the careful one has looked", func() bool { return careful.count("listed")+careful.count("acquired") > 0 })
	if careful.count("acquired") > 0 {
		t.Errorf("holds behind %s", node)
	}
	w.delete(node)
	r.queue = r.queue[1:]
	for len(r.queue) > 0 {
		r.goes()
	}
	if n := len(heirs); n > 0 {
		t.Errorf("%d heirs were believed", n)
	}
}
