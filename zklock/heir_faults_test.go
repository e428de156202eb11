package zklock_test

import (
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A server that does not know how to take back a watch is asked once; then no
// more heirs are awaited. One that hangs up instead does no other harm.
func TestHeirsAtAnOddServer(t *testing.T) {
	for name, c := range map[string]struct {
		instead func(net.Conn, []byte) error
		learns  bool
	}{"old": {unknownInstead, true}, "hangs up": {hangUpInstead, false}} {
		t.Run(name, func(t *testing.T) {
			w := newHighWorld(t)
			n, asked := newNetwork(w), new(atomic.Int32)
			s := w.dial(session, zklock.WithDialer(func(kind, address string, timeout time.Duration) (net.Conn, error) {
				conn, err := n.Dial(kind, address, timeout)
				return oddConn{conn, opRemoveWatches, asked, c.instead}, err
			}))
			line := w.successionOf(s, n, w.awaiting(s), w.careful(), w.careful(), w.careful())
			heir := line.awaits()
			line.holds()
			eventually(t, "it is asked", func() bool { return asked.Load() > 0 })
			line.anew()
			for range 10 * len(line.locks) {
				line.turns()
				for _, node := range line.awaited() {
					if c.learns && node != heir {
						t.Fatalf("%s is awaited", node)
					}
				}
			}
			if n := asked.Load(); c.learns && n != 1 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// The waiter's znode is deleted, which it does not watch. What the heir tells is
// then enough for a moment only, and the lease of that moment is lost.
func TestDeletedWaiterOfAnHeir(t *testing.T) {
	const delay = time.Second / 2
	for name, late := range map[string]bool{"in a moment": false, "later": true} {
		t.Run(name, func(t *testing.T) {
			line, p := newPausing(t, delay)
			heir := line.awaits()
			asked := time.Now()
			other := line.inheritsFromNobody(p, heir)
			if late {
				eventually(t, "the moment has passed", func() bool { return time.Since(asked) > delay })
			}
			close(p.proceed)
			line.noticesItsDeletion(late)
			line.unlock(other)
			if line.waiter.count("enqueued") > 1 {
				line.unlock(line.waiter.held(t))
			}
			line.empties()
			line.unwatched()
		})
	}
}

// Where the moment has passed, and the znode is there, one listing shows it.
func TestLateWaiterOfAnHeir(t *testing.T) {
	const delay = time.Second / 2
	line, p := newPausing(t, delay)
	heir := line.awaits()
	asked := time.Now()
	other := line.startLock(line.allGoInto(p))
	if line.lastNode() != heir {
		t.Fatalf("%s is not the heir %s", line.lastNode(), heir)
	}
	line.caughtUp()
	eventually(t, "the moment has passed", func() bool { return time.Since(asked) > delay })
	close(p.proceed)
	line.unlock(line.waiter.held(t))
	if n := line.waiter.count("listed"); n != 1 {
		t.Errorf("listed %d times", n)
	}
	line.unlock(other.held(t))
	line.empties()
	line.unwatched()
}

// noticesItsDeletion finds that the waiter stands in line again, or else, where
// it was not late, that its lease is lost.
func (s *succession) noticesItsDeletion(late bool) {
	s.Helper()
	eventually(s, "it goes on", func() bool { return s.waiter.count("enqueued")-1+s.waiter.count("acquired") > 0 })
	switch {
	case s.waiter.count("enqueued") > 1:
	case late:
		s.Error("holds though its znode was deleted long ago")
	default:
		receive(s, s.waiter.held(s).Lost(), "the loss")
	}
}

// The watch for an heir goes with its connection. On the next one, the queue
// tells, and there is nothing to take back.
func TestHeirAndReconnect(t *testing.T) {
	for name, made := range map[string]bool{"not made": false, "made unheard": true} {
		t.Run(name, func(t *testing.T) {
			s := newSuccession(t)
			s.awaits()
			taken := s.network.requests(opRemoveWatches)
			waiter := s.waiter
			if made {
				s.network.holdReplies()
				s.roundabout.turns()
				s.roundabout.turns()
			}
			s.network.cut()
			s.network.heal()
			waiter.await(t, "listed", 1)
			ahead := s.queue[0]
			for ; s.queue[0] != waiter; ahead = s.queue[0] {
				if waiter.count("acquired") > 0 {
					t.Fatal("holds beside another")
				}
				s.goes()
			}
			if waiter.lease.Token() <= ahead.lease.Token() && ahead != waiter {
				t.Error("held before its turn")
			}
			s.endsUnwatched()
			if n := s.network.requests(opRemoveWatches) - taken; n != 0 {
				t.Errorf("%d watches taken back", n)
			}
		})
	}
}

// Who gives up while there is no connection cannot take the watch back, and need
// not: it has gone. That is no reason to await no more heirs on the next one.
func TestHeirGivenUpInAnOutage(t *testing.T) {
	s := newSuccession(t)
	s.awaits()
	s.network.partition()
	s.network.cut()
	eventually(t, "it is disconnected", func() bool { return s.session.Client().State() != zk.StateHasSession })
	s.waiter.cancel()
	s.waiter.failed(t)
	s.network.heal()
	s.queue = s.queue[:len(s.queue)-1]
	s.anew()
	s.awaits()
	s.endsUnwatched()
}

// newPausing has a waiter that pauses, and is deaf to its znode for the delay.
func newPausing(t *testing.T, delay time.Duration) (*succession, *pause) {
	t.Helper()
	w, p := newHighWorld(t), newPause()
	s, n := w.dialThrough(session)
	waiter := zklock.NewMutex(s, w.path, zklock.WithOwnDelay(delay), p.option())
	return w.successionOf(s, n, waiter, w.careful(), w.careful(), w.careful()), p
}

// allGoInto has all ahead of the waiter go, of which it hears when the pause ends.
// The lock that it returns is the second's, whose next znode is the heir.
func (s *succession) allGoInto(p *pause) (second zklock.Locker) {
	s.Helper()
	second = s.lockOf(1)
	s.goes()
	s.goes()
	s.goesInto(p)
	s.takeNumbers(1) // that of the first, which does not come back
	return second
}

// inheritsFromNobody has the waiter's znode deleted, all ahead of it go, and the
// second of them come back, which then holds. The waiter hears of it when the
// pause ends.
func (s *succession) inheritsFromNobody(p *pause, heir string) *zklock.Lease {
	s.Helper()
	if err := s.conn.Delete(s.lastNode(), -1); err != nil {
		s.Fatal(err)
	}
	other := s.lock(s.allGoInto(p))
	if other.Node() != heir {
		s.Fatalf("%s is not the heir %s", other.Node(), heir)
	}
	s.caughtUp()
	return other
}
