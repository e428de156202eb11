package locks_test

import (
	"context"
	"flag"
	"path"
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
	for _, ticks := range []time.Duration{2, 3, 5} {
		for _, asks := range []bool{true, false} {
			s := &succession{timeout: ticks * tick, sync: asks}
			w.path = "/lock-" + s.timeout.String()
			if asks {
				w.path += "-sync"
			}
			holding, waiting := w.dialTo(e, follower, s.timeout, zklock.WithSync(asks)), w.dialTo(e, other, s.timeout)
			s.lease = w.lock(newMutex(holding, w.path))
			s.next = w.startLock(newMutex(waiting, w.path))
			all = append(all, s)
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
