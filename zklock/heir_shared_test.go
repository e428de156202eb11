package zklock_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// newPair is a succession of three, of whom the waiter and the one just ahead
// of it share a session: the latter comes back right behind the heir.
func newPair(t *testing.T, p *pause) *succession {
	t.Helper()
	w := newHighWorld(t)
	s, n := w.dialThrough(session)
	behind := zklock.NewMutex(s, w.path, zklock.WithOwnDelay(none))
	return w.successionOf(s, n, w.awaiting(s, p.option()), w.careful(), behind)
}

// One waits for the heir, and gives up, while another of its session has come to
// stand behind that: the other's watch is not taken back with the first one's.
func TestHeirWatchedByTwo(t *testing.T) {
	s := newPair(t, newPause())
	const enough = 10
	both := 0
	for range patientRounds {
		if s.awaits(); s.crosses() {
			both++
		}
		if both == enough {
			break
		}
		s.anew()
	}
	if both < enough {
		t.Errorf("only %d times", both)
	}
	s.empties()
	s.unwatched()
}

// crosses reports whether both have asked for the watch in time.
func (s *succession) crosses() bool {
	s.Helper()
	second, last := s.lockOf(0), s.lockOf(1)
	s.goes()
	creates, sets := s.network.requests(opCreate), s.network.requests(opWatchSet)
	s.network.holdReplies()
	heir := s.startLock(second)
	behind := s.beginLock(last)
	eventually(s, "it has asked", func() bool { return s.network.requests(opCreate) > creates })
	s.waiter.cancel()
	s.waiter.failed(s)
	s.network.heal()
	s.unlock(s.queue[0].held(s))
	s.unlock(heir.held(s))
	s.unlock(behind.held(s)) // it was woken
	s.queue = nil
	return s.network.requests(opWatchSet) > sets
}

// A user of the same connection watches the znode of the heir, before or after
// it is made. The waiter, which waits no more, leaves that watch alone.
func TestHeirWatchedByTheUser(t *testing.T) {
	for name, c := range map[string]struct {
		made bool
		want zk.EventType
	}{"not made": {false, zk.EventNodeCreated}, "made": {true, zk.EventNodeDeleted}} {
		t.Run(name, func(t *testing.T) {
			p := newPause()
			p.exits = true
			s := newPair(t, p)
			heir := s.awaits()
			second := s.lockOf(0)
			s.goes()
			s.goesInto(p)
			comes := func() *attempt {
				a := s.beginLock(second)
				eventually(t, "the heir is made", func() bool { return s.lastNode() == heir })
				return a
			}
			var back *attempt
			if c.made {
				back = comes()
				s.caughtUp()
			}
			event := s.userWatches(heir)
			close(p.proceed)
			receive(t, s.waiter.done, "the waiter to leave")
			if !c.made {
				s.empties()
				s.caughtUp()
				back = comes()
			}
			s.unlock(back.held(t))
			if got := receive(t, event, "the user's event"); got.Type != c.want {
				t.Errorf("%v, want %v", got.Type, c.want)
			}
		})
	}
}

// goesInto has the holder go, which the waiter hears in a hook that pauses.
func (s *succession) goesInto(p *pause) {
	s.Helper()
	p.armed.Store(true)
	s.unlock(s.queue[0].held(s))
	receive(s, p.reached, "the last one ahead to be gone")
}

func (s *succession) userWatches(node string) <-chan zk.Event {
	s.Helper()
	_, _, event, err := s.session.Client().(*zk.Conn).ExistsW(node)
	if err != nil {
		s.Fatal(err)
	}
	return event
}

// A pause is a hook that waits, once it is armed, until it may proceed.
type pause struct {
	armed            atomic.Bool
	reached, proceed chan struct{}
	exits            bool // it does not return
}

func newPause() *pause { return &pause{reached: make(chan struct{}), proceed: make(chan struct{})} }

func (p *pause) waitDone(zklock.WaitDoneInfo) {
	if !p.armed.Swap(false) {
		return
	}
	close(p.reached)
	<-p.proceed
	if p.exits {
		runtime.Goexit()
	}
}

// option has a lock pause where its wait is over.
func (p *pause) option() zklock.Option {
	return zklock.WithLockTrace(&zklock.Trace{WaitDone: p.waitDone})
}

// caughtUp returns when the waiter's session has been told all there is.
func (s *succession) caughtUp() {
	s.Helper()
	if _, _, err := s.session.Client().Exists("/"); err != nil {
		s.Fatal(err)
	}
}
