package zklock_test

import (
	"path"
	"strconv"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// newLowSuccession is in a directory whose numbers are low.
func newLowSuccession(t *testing.T) *succession {
	t.Helper()
	w := newWorld(t)
	s, n := w.dialThrough(session)
	return w.successionOf(s, n, w.awaiting(s), w.careful(), w.careful(), w.careful())
}

// write has the server carry out a transaction that is no matter to the lock.
func (w *world) write() {
	w.Helper()
	if _, err := w.conn.Set(path.Dir(w.path), nil, -1); err != nil {
		w.Fatal(err)
	}
}

func numberAt(tb testing.TB, node string) int {
	tb.Helper()
	number, err := strconv.Atoi(numberOf(node))
	if err != nil {
		tb.Fatal(err)
	}
	return number
}

// Where as many transactions as the number of a place have passed, it may be in
// a directory made anew: it does not go by an heir, but looks ahead by a listing.
func TestNoHeirAfterManyTransactions(t *testing.T) {
	s := newLowSuccession(t)
	s.takesBack(func() {
		s.goesAround()
		for range numberAt(t, s.lastNode()) + 1 {
			s.write()
		}
		s.takesStock()
		s.waiter = s.comes()
		s.goesAround()
		lists := s.network.expense().since(s.before).lists()
		if s.waiter.count("looked-ahead EventNodeCreated") > 0 || lists == 0 {
			t.Errorf("told by an heir, with %d listings", lists)
		}
	})
	s.endsUnwatched()
}

// A directory is made anew, and its numbers go on where those of the old one
// ended. The second ahead has held the lock in the old one: in the new one, its
// next znode says nothing of who is there.
func TestNoHeirOfAnotherDirectory(t *testing.T) {
	s := newLowSuccession(t)
	s.awaits()
	second, last := s.lockOf(1), s.lockOf(2)
	s.turns()
	s.turns()
	passed := s.queue[len(s.queue)-1]
	for len(s.queue) > 0 {
		s.goes()
	}
	s.makeAnew(numberAt(t, passed.lease.Node()))

	holder := s.beginToHold(zklock.NewMutex(s.dial(session), s.path))
	ahead := s.startLock(last)
	before := s.network.requests(opRemoveWatches)
	s.waiter = s.startLock(s.locks[0])
	s.takeNumbers(1)
	heir := s.startLock(second)
	s.queue = []*attempt{holder, ahead, s.waiter, heir}
	s.giveUp(1)
	s.standsBehind(holder)
	s.endsUnwatched()
	if s.network.requests(opRemoveWatches) == before {
		t.Error("it was not a matter of an heir")
	}
}

// makeAnew deletes the directory and makes one whose next number is next.
func (w *world) makeAnew(next int) {
	w.Helper()
	w.empties()
	if err := w.conn.Delete(w.path, -1); err != nil {
		w.Fatal(err)
	}
	w.makeDirectory()
	for range next {
		w.takeNumbers(1)
	}
}

// beginToHold begins to lock, and returns when it holds.
func (w *world) beginToHold(l zklock.Locker) *attempt {
	w.Helper()
	a := w.beginLock(l)
	a.held(w)
	return a
}
