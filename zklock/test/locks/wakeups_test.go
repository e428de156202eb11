package locks_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A listener is a session of which the test knows how often it is notified.
type listener struct {
	*world
	session *zklock.Session
	network *network
	markers int // notifications that the test has caused
}

func (w *world) listen() *listener {
	w.Helper()
	s, network := w.dialThrough(session)
	return &listener{world: w, session: s, network: network}
}

// told returns how many notifications the session has got of all that was done before.
func (l *listener) told() int {
	l.Helper()
	l.caughtUp(l.session)
	l.markers++
	return l.network.notifications() - l.markers
}

func toldAll(listeners []*listener) (n int) {
	for _, l := range listeners {
		n += l.told()
	}
	return n
}

// caughtUp returns when s has been notified of all that was done before, once. That
// it was not of something else is known then: the server notifies a session in the
// order of the changes, so this one comes last. A further request gives those whom
// it has woken the time of one.
func (w *world) caughtUp(s *zklock.Session) {
	w.Helper()
	marker, err := w.conn.Create(w.path+"-marker-", nil, zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
	if err != nil {
		w.Fatal(err)
	}
	_, _, gone, err := s.Client().GetW(marker)
	if err != nil {
		w.Fatal(err)
	}
	w.delete(marker)
	receive(w, gone, "the last notification")
	if _, _, err := s.Client().Exists(w.path); err != nil {
		w.Fatal(err)
	}
}

// The difference between the mutexes: whom a release notifies.
func TestWakeUpsPerRelease(t *testing.T) {
	const waiters = 8
	for _, r := range []struct {
		recipe
		woken int // of the waiters, by one release
	}{{recipeNamed("Mutex"), 2}, {recipeNamed("Mutex-textbook"), 1}, {recipeNamed("HerdMutex"), waiters}} {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			holder := w.lock(r.make(w.dial(session), w.path))
			queue, listeners := w.queueUp(r.recipe, waiters)
			before := toldAll(listeners)
			w.unlock(holder)
			next := queue[0].held(t)
			if n := toldAll(listeners) - before; n != r.woken {
				t.Errorf("a release notified %d of %d, want %d", n, waiters, r.woken)
			}
			w.unlock(next)
		})
	}
}

// queueUp has n clients wait in line. In a herd each arrival wakes those who
// wait already; it returns when they all wait again.
func (w *world) queueUp(r recipe, n int) (queue []*attempt, listeners []*listener) {
	for i := range n {
		listeners = append(listeners, w.listen())
		queue = append(queue, w.startLock(r.make(listeners[i].session, w.path)))
		for j, waiting := range queue[:i] {
			if r.name == "HerdMutex" {
				waiting.await(w, "wait-start", i-j+1)
			}
		}
	}
	return queue, listeners
}

// What an acquisition costs is known to the request.
func TestRequestsPerAcquisition(t *testing.T) {
	for _, c := range []struct {
		name       string
		opts       []zklock.Option
		alone      string
		waitsFirst string // behind the holder
	}{
		{"fast", nil, "multi delete", "create list watch watch delete"},
		{"textbook", []zklock.Option{zklock.WithTextbook(), zklock.WithOwnWatch(false)}, "create list delete", "create list list watch delete"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s, network := w.dialThrough(session)
			lock := newMutex(s, w.path, c.opts...)
			w.unlock(w.lock(lock)) // makes the directory
			network.sends(t, c.alone, func() { w.unlock(w.lock(newMutex(s, w.path, c.opts...))) })
			other := newMutex(w.dial(session), w.path)
			behindOne := func() { w.unlock(w.startAndHold(lock, w.lock(other))) }
			behindOne() // the lock is no longer quiet
			network.sends(t, c.waitsFirst, behindOne)
		})
	}
}

// startAndHold waits behind the holder until it has gone.
func (w *world) startAndHold(l zklock.Locker, holder *zklock.Lease) *zklock.Lease {
	waiter := w.startLock(l)
	w.unlock(holder)
	return waiter.held(w)
}

// A place far back looks ahead: it lists while the one before it holds, and
// not when that leaves.
func TestLookAhead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := func() zklock.Locker { return newMutex(w.dial(session), w.path) }
	first := w.lock(lock())
	second, third := w.startLock(lock()), w.startLock(lock())
	l := w.listen()
	network, count := l.network, l.network.tally()
	last := w.startLock(newMutex(l.session, w.path))
	w.unlock(first)
	lease := second.held(t)
	if n := l.told(); n != 0 {
		t.Errorf("notified %d times of one far ahead", n)
	}
	w.unlock(lease)
	last.await(t, "looked-ahead", 1)
	last.await(t, "listed 1 of 2", 1)
	lists := network.requests(opGetChildren2)
	w.unlock(third.held(t))
	w.unlock(last.held(t))
	if n := network.requests(opGetChildren2) - lists; n != 0 {
		t.Errorf("%d listings in the hand-over, want none", n)
	}
	if got := count(); !strings.HasPrefix(got, "create list list watch watch watch") { // one is of the test's marker
		t.Errorf("%s; want one listing more", got)
	}
}

// named are the requests that a lock sends.
var named = map[int32]string{
	opCreate: "create", opMulti: "multi", opGetChildren2: "list", opGetData: "watch", opDelete: "delete",
}

// tally returns a function that tells what was sent since: "create list
// delete", those of one kind together.
func (n *network) tally() func() string {
	before := n.counts()
	return func() string {
		var words []string
		after := n.counts()
		for _, op := range []int32{opCreate, opMulti, opGetChildren2, opGetData, opDelete} {
			words = append(words, slices.Repeat([]string{named[op]}, after[op]-before[op])...)
		}
		return strings.Join(words, " ")
	}
}

func (n *network) counts() map[int32]int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return maps.Clone(n.sent)
}

// sends checks what use sends to have a lock and to release it. A lease that
// lasts for a moment has its own znode watched, too: use is done again while
// the machine is so slow, but not forever.
func (n *network) sends(tb testing.TB, want string, use func()) {
	tb.Helper()
	slow, got := strings.Replace(want, "delete", "watch delete", 1), ""
	for range 10 {
		sent := n.tally()
		use()
		if got = sent(); got != slow {
			break
		}
	}
	if got != want {
		tb.Errorf("sent %q, want %q", got, want)
	}
}

// At the end the server keeps no watch of ours.
func TestNoWatchIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(newMutex(w.dial(session), w.path))
	var queue []*attempt
	for range 4 {
		queue = append(queue, w.startLock(newMutex(w.dial(session), w.path)))
	}
	if n := len(w.watched()); n != len(queue) {
		t.Errorf("%d znodes are watched, want %d", n, len(queue))
	}
	w.unlock(holder)
	for _, next := range queue {
		w.unlock(next.held(t))
	}
	if left := w.watched(); len(left) > 0 {
		t.Errorf("watches are left: %q", left)
	}
}

// watched returns the znodes of the queue that somebody watches.
func (w *world) watched() (paths []string) {
	w.Helper()
	for path := range w.server.Watches(w) {
		if strings.HasPrefix(path, w.path+"/") {
			paths = append(paths, path)
		}
	}
	return paths
}
