package zklock_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// opWatchSet asks for the watches of a guess.
const opWatchSet = 101

// asked returns how many requests there were, beside those that keep the
// session alive.
func asked(counts map[int32]int) (n int) {
	for op, times := range counts {
		if op != opPing {
			n += times
		}
	}
	return n
}

// A roundabout is clients that take a lock in turn: one holds it, and the
// others wait in the order of their turns.
type roundabout struct {
	*world
	locks []zklock.Locker
	queue []*attempt // the holder first
	next  int        // who comes back next, of locks
}

// After how many rounds the first one guesses who is ahead, and each its own
// number, too.
const (
	guessingRounds   = 1
	foreseeingRounds = 5
)

// newRoundabout has all stand in line, and go round.
func newRoundabout(w *world, rounds int, locks ...zklock.Locker) *roundabout {
	w.Helper()
	r := &roundabout{world: w, locks: locks}
	for range locks {
		r.comes()
	}
	r.rounds(rounds)
	return r
}

func (r *roundabout) rounds(n int) {
	r.Helper()
	for range n * len(r.locks) {
		r.turns()
	}
}

// comes has the next one stand in line, and wait behind the one before it.
func (r *roundabout) comes() *attempt {
	r.Helper()
	a := r.beginLock(r.locks[r.next%len(r.locks)])
	r.next++
	if len(r.queue) == 0 {
		a.held(r)
	} else {
		a.await(r, "wait-start", 1)
	}
	r.queue = append(r.queue, a)
	return a
}

// goes has the holder release the lock, and returns when the next one has it.
func (r *roundabout) goes() {
	r.Helper()
	r.unlock(r.queue[0].held(r))
	r.queue = r.queue[1:]
	if len(r.queue) > 0 {
		r.queue[0].held(r)
	}
}

// turns has the holder go, and come back at the end of the line.
func (r *roundabout) turns() {
	r.Helper()
	r.goes()
	r.comes()
}

// endsUnwatched has all go, and returns when the server knows of no watch on
// the lock's znodes.
func (r *roundabout) endsUnwatched() {
	r.Helper()
	for len(r.queue) > 0 {
		r.goes()
	}
	r.empties()
	r.unwatched()
}

// unwatched waits until the server knows of no watch below the lock directory.
func (w *world) unwatched() {
	w.Helper()
	eventually(w, "nothing is watched", func() bool {
		for node := range w.server.Watches(w) {
			if strings.HasPrefix(node, w.path) {
				return false
			}
		}
		return true
	})
}

// Three who take turns, two of them in one session, ask for both watches in
// one request: an acquisition takes four.
func TestGuessInOneRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, n := w.dialThrough(session)
	r := newRoundabout(w, foreseeingRounds, zklock.NewMutex(s, w.path), zklock.NewMutex(w.dial(session), w.path), zklock.NewMutex(s, w.path))
	const rounds = 4
	before := n.counts()
	r.rounds(rounds)
	after := n.counts()
	const acquired = 2 * rounds // of the session that is counted
	if got := after[opWatchSet] - before[opWatchSet]; got != acquired {
		t.Errorf("%d sets of watches in %d acquisitions", got, acquired)
	}
	// A slow machine has the own znode watched, by a read, of the next and again
	// of the holder; and a waiter that is the next when the counting begins or
	// ends may look ahead outside of it.
	reads := after[opGetData] - before[opGetData]
	others := asked(after) - asked(before) - reads
	if reads > 2*acquired+len(r.locks) || others > 4*acquired+len(r.locks) {
		t.Errorf("%d reads and %d other requests in %d acquisitions", reads, others, acquired)
	}
	r.endsUnwatched()
}

// The one just ahead has come and gone before the guess: its number is taken,
// so that all is as foreseen but for the znode.
func TestGuessOfOneThatHasGone(t *testing.T) {
	for _, c := range []struct {
		name string
		gone int // how far ahead of the guess
	}{{"just ahead", 1}, {"the one before", 2}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			lock := func() zklock.Locker { return zklock.NewMutex(w.dial(session), w.path) }
			s, n := w.dialThrough(session)
			r := newRoundabout(w, foreseeingRounds, zklock.NewMutex(s, w.path), lock(), lock(), lock())
			r.goes()
			r.giveUp(len(r.queue) - c.gone)
			before := n.requests(opWatchSet)
			last := r.comes()
			if sets := n.requests(opWatchSet) - before; sets != 1 {
				t.Errorf("%d sets of watches", sets)
			}
			ahead := r.queue[len(r.queue)-2]
			if last.count("acquired") > 0 {
				t.Error("holds beside another")
			}
			r.endsUnwatched()
			if last.lease.Token() <= ahead.lease.Token() {
				t.Error("held before its turn")
			}
		})
	}
}

// giveUp has a waiter leave the line.
func (r *roundabout) giveUp(i int) {
	r.Helper()
	left := len(r.children()) - 1
	r.queue[i].cancel()
	if err := r.queue[i].failed(r); !errors.Is(err, context.Canceled) {
		r.Fatalf("Lock = %v", err)
	}
	eventually(r, "the waiter has left", func() bool { return len(r.children()) == left })
	r.queue = append(r.queue[:i:i], r.queue[i+1:]...)
}

// secretive is a lock whose znodes nobody else can read.
func (w *world) secretive() zklock.Locker {
	w.Helper()
	s := w.dial(session)
	if err := s.WaitConnected(w.within()); err != nil {
		w.Fatal(err)
	}
	if err := s.Client().(*zk.Conn).AddAuth("digest", []byte("someone:secret")); err != nil {
		w.Fatal(err)
	}
	return zklock.NewMutex(s, w.path, zklock.WithACL(zk.DigestACL(zk.PermAll, "someone", "secret")))
}

// A number that was foreseen wrongly ends the guess, whose names are wrong
// then, too: no other is made of it. More of that, and there is none for a
// while.
func TestGuessOfAnotherNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := func() zklock.Locker { return zklock.NewMutex(w.dial(session), w.path) }
	s, n := w.dialThrough(session)
	r := newRoundabout(w, foreseeingRounds, zklock.NewMutex(s, w.path), lock(), lock())
	stranger := lock()
	for i, want := range []int{1, 1, 0} {
		r.goes()
		r.queue = append(r.queue, w.startLock(stranger))
		before := n.requests(opWatchSet)
		r.comes()
		if got := n.requests(opWatchSet) - before; got != want {
			t.Errorf("%d: %d sets of watches, want %d", i, got, want)
		}
		r.goes() // the two that come before the stranger
		r.comes()
		r.goes()
		r.comes()
		r.goes() // the stranger
	}
	r.endsUnwatched()
}

// The watches of a guess are lost with the connection, and asked for again.
func TestGuessThatIsLost(t *testing.T) {
	for name, lose := range map[string]func(*network, ...int32) <-chan struct{}{
		"request": (*network).loseRequest, "reply": (*network).loseReply,
	} {
		for rounds, known := range map[int]string{guessingRounds: "guessed", foreseeingRounds: "foreseen"} {
			t.Run(name+"/"+known, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				lock := func() zklock.Locker { return zklock.NewMutex(w.dial(session), w.path) }
				s, n := w.dialThrough(session)
				r := newRoundabout(w, rounds, zklock.NewMutex(s, w.path), lock(), lock())
				lost := lose(n, opWatchSet)
				r.turns()
				receive(t, lost, "the loss")
				r.rounds(2)
				r.endsUnwatched()
			})
		}
	}
}

// Who stands behind a znode that it cannot read is told so each time, whatever
// it has learnt meanwhile: the server may keep the event of a watch from it
// that takes no permission to set.
func TestGuessBehindASecret(t *testing.T) {
	for rounds, known := range map[int]string{guessingRounds: "guessed", foreseeingRounds: "foreseen"} {
		t.Run(known, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			lock := func() zklock.Locker { return zklock.NewMutex(w.dial(session), w.path) }
			s, n := w.dialThrough(session)
			r := newRoundabout(w, rounds, zklock.NewMutex(s, w.path), lock(), lock())
			secret := w.secretive()
			before := n.requests(opWatchSet)
			for range 3 {
				r.letsIn(secret)
				r.rounds(foreseeingRounds)
			}
			if n.requests(opWatchSet) == before {
				t.Error("nothing was guessed")
			}
			r.endsUnwatched()
		})
	}
}

// letsIn has a secretive one stand in line, and the next one behind it, which
// fails. All others come back later.
func (r *roundabout) letsIn(secret zklock.Locker) {
	r.Helper()
	r.goes()
	hidden := r.startLock(secret)
	behind := r.beginLock(r.locks[r.next%len(r.locks)])
	if err := behind.failed(r); !errors.Is(err, zk.ErrNoAuth) {
		r.Errorf("Lock = %v, want ErrNoAuth", err)
	}
	for len(r.queue) > 0 {
		r.goes()
	}
	r.unlock(hidden.held(r))
	r.empties()
	for range r.locks {
		r.comes()
	}
}

// Nobody waits for ever where one of those who take turns as they like cannot
// be read: each gets the lock, or learns why not.
func TestGuessesAmongSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.unlock(w.lock(zklock.NewMutex(w.dial(session), w.path))) // makes the directory, which all can read
	locks := []zklock.Locker{w.secretive()}
	var networks []*network
	for range 2 {
		s, n := w.dialThrough(session)
		networks = append(networks, n)
		locks = append(locks, zklock.NewMutex(s, w.path), zklock.NewMutex(s, w.path))
	}
	const times = 40
	outcomes := make(chan error)
	for _, lock := range locks {
		go func() { outcomes <- w.often(lock, times) }()
	}
	for range locks {
		if err := receive(t, outcomes, "all to be done"); err != nil {
			t.Error(err)
		}
	}
	for _, n := range networks {
		t.Logf("%d sets of watches", n.requests(opWatchSet))
	}
	w.empties()
	w.unwatched()
}

// often takes a lock many times. That another's znode cannot be read is no
// failure.
func (w *world) often(l zklock.Locker, times int) error {
	ctx, cancel := context.WithTimeout(w.Context(), patience)
	defer cancel()
	for range times {
		lease, err := l.Lock(ctx)
		if errors.Is(err, zk.ErrNoAuth) {
			continue
		}
		if err != nil {
			return err
		}
		if err := lease.Unlock(ctx); err != nil {
			return err
		}
	}
	return nil
}
