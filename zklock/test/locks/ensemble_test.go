package locks_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// ensembleTick is shorter than the 2 s of ZooKeeper's sample configuration, and all else
// is in proportion.
var ensembleTick = flag.Duration("ensemble-tick", 400*time.Millisecond, "`tick` of the tests' ensembles")

// A succession is a lease that its holder loses, and the next client's wait for it.
type succession struct {
	timeout     time.Duration // of the sessions
	sync        bool
	lease       *zklock.Lease
	next        *attempt
	lost, begun time.Time
	checked     error // what Check says when the next has begun
}

// A holder whose server is cut off from the leader, and still answers, knows that its
// lease is over by the time that the next client gets the lock. It asks the leader for
// that. Without, it believes for some ticks more, and Check asks the leader.
func TestHolderBehindAFollowerThatIsCutOff(t *testing.T) {
	t.Parallel()
	tick := *ensembleTick
	e := zktest.StartEnsemble(t, tick)
	follower := e.Follower(t)
	other := (follower + 1) % e.Nodes()
	w := &world{TB: t}
	var all []*succession
	for _, ticks := range []time.Duration{5, 3, 2} {
		for _, asks := range []bool{true, false} {
			all = append(all, &succession{timeout: ticks * tick, sync: asks})
		}
	}
	for tries := 0; slices.ContainsFunc(all, (*succession).fallen); tries++ { // as on a busy machine
		for _, s := range all {
			if s.fallen() {
				w.path = fmt.Sprintf("/app/lock-%v-%v-%d", s.timeout, s.sync, tries)
				w.begin(s, w.dialTo(e, follower, s.timeout, zklock.WithSync(s.sync)), w.dialTo(e, other, s.timeout))
			}
		}
	}
	e.Part(follower)
	cut := time.Now()
	var following sync.WaitGroup
	for _, s := range all {
		following.Go(func() { <-s.lease.Lost(); s.lost = time.Now() })
		following.Go(func() {
			<-s.next.done
			s.begun = time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), tick)
			defer cancel()
			s.checked = s.lease.Check(ctx)
		})
	}
	following.Wait()
	for _, s := range all {
		both := s.lost.Sub(s.begun)
		t.Logf("session %v, sync %v: next after %v, lost after %v, both hold for %v; Check: %v",
			s.timeout, s.sync, s.begun.Sub(cut), s.lost.Sub(cut), both, s.checked)
		if s.next.err != nil {
			t.Error(s.next.err)
		}
		if s.sync && both > tick/4 {
			t.Errorf("session %v: two hold for %v", s.timeout, both)
		}
		if s.checked == nil {
			t.Errorf("session %v, sync %v: Check confirms a lease that another has", s.timeout, s.sync)
		}
	}
}

// begin has one hold a lock and another wait for it, unless a session is lost meanwhile.
func (w *world) begin(s *succession, holding, waiting *zklock.Session) {
	w.Helper()
	ctx, err := w.within(), error(nil)
	if s.lease, err = newMutex(holding, w.path).Lock(ctx); err != nil {
		if !errors.Is(err, zklock.ErrSessionLost) {
			w.Fatal(err)
		}
		return
	}
	s.next = w.beginLock(newMutex(waiting, w.path))
	for waits, changed := s.next.look("wait-start"); waits == 0; waits, changed = s.next.look("wait-start") {
		select {
		case <-changed:
		case <-s.next.done:
			return
		case <-ctx.Done():
			w.Fatal(ctx.Err())
		}
	}
}

// fallen reports whether nobody holds yet, or any more, or the next does not wait.
func (s *succession) fallen() bool {
	if s.lease == nil || s.lease.Err() != nil {
		return true
	}
	select {
	case <-s.next.done:
		return true
	default:
		return false
	}
}

// dialTo is dial for one server of an ensemble, and waits for the connection.
func (w *world) dialTo(e *zktest.Ensemble, server int, timeout time.Duration, opts ...zklock.DialOption) *zklock.Session {
	w.Helper()
	s, err := dialSecure(e.Addresses()[server:server+1], path.Dir(w.path), timeout, opts)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { closeSession(w, s) })
	if err := s.WaitConnected(w.within()); err != nil {
		w.Fatal(err)
	}
	return s
}
