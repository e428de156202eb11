package run_test

import (
	"context"
	"errors"
	"flag"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// rounds is how often each test of a server fault repeats it.
var rounds = flag.Int("rounds", 1, "`times` that a server fault is injected into a run")

// crowded is how many clients are at work when the servers of an ensemble break.
var crowded = flag.Int("crowded", 12, "how many clients the tests of an ensemble have")

// startNodes starts 1 or 3 servers of the test's own, stopped at its end.
func startNodes(t *testing.T, nodes int) *zkserver.Ensemble {
	t.Helper()
	ensemble, err := zkserver.StartEnsemble(t.Context(), zkserver.Config{BootTimeout: timeout}, nodes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ensemble.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return ensemble
}

// watchNodes returns a gate that opens while a server is live.
func watchNodes(t *testing.T, ensemble *zkserver.Ensemble) func(context.Context) error {
	t.Helper()
	monitor := zkserver.NewMonitor(zkserver.MonitorConfig{Addresses: ensemble.Addresses(), Interval: 50 * time.Millisecond})
	watching, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); monitor.Run(watching) }()
	t.Cleanup(func() { stop(); <-done })
	return monitor.Wait
}

// startOn starts a run on servers that it may break.
func startOn(t *testing.T, ensemble *zkserver.Ensemble, given scenario.Scenario) *watched {
	t.Helper()
	return startWith(t, run.Config{Backend: run.Backend{Servers: ensemble.Addresses(), Cluster: ensemble, Gate: watchNodes(t, ensemble)},
		Base: "/playground", Room: "test", ID: "run", Scenario: given})
}

// injectIntoServers injects a fault of the servers and returns how the log tells it. It
// reads on from where it was: what the fault did may stand before that it was.
func (w *watched) injectIntoServers(fault string, length time.Duration) event.Event {
	w.t.Helper()
	here := w.next
	w.must(w.Inject(w.t.Context(), scenario.Fault{Name: fault, Parameters: scenario.Parameters{For: scenario.Duration(length)}}))
	injected := w.untilKind(event.FaultInjected, 0)
	w.next = here
	return injected
}

// untilAcquired reads on until a lock is acquired, and returns how long after
// an event that was.
func (w *watched) untilAcquired(after event.Event) time.Duration {
	w.t.Helper()
	acquired := w.until("an acquisition", func(e event.Event) bool {
		return e.Kind == event.LockAcquired && e.Seq > after.Seq
	})
	return time.Duration(acquired.At-after.At) * time.Microsecond
}

// mustKeepSessions fails the test if any client lost its session.
func (w *watched) mustKeepSessions() {
	w.t.Helper()
	for _, e := range w.all() {
		if e.Kind == event.SessionRefused {
			w.t.Errorf("event %d: client %d of %s lost its session: %s", e.Seq, e.Client, e.Lane, e.Why)
		}
	}
}

// crowd is clients whose sessions outlive an election.
func crowd() scenario.Scenario { return fast("mutex", *crowded) }

func mustAllServe(t *testing.T, ensemble *zkserver.Ensemble) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	for _, address := range ensemble.Addresses() {
		if err := zkserver.Ready(ctx, address); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEnsemble breaks the servers of an ensemble under the clients of a run, one way
// after the other. Each leaves the ensemble whole for the next.
func TestEnsemble(t *testing.T) {
	t.Parallel()
	ensemble := startNodes(t, 3)
	for _, test := range []struct {
		name  string
		under func(*testing.T, *zkserver.Ensemble)
	}{
		{"leader killed", leaderKilled},
		{"follower killed", followerKilled},
		{"quorum lost and back", quorumLostAndBack},
		{"a server lags behind", serverLagsBehind},
		{"stop without quorum", stopWithoutQuorum},
	} {
		t.Run(test.name, func(t *testing.T) {
			mustAllServe(t, ensemble)
			test.under(t, ensemble)
		})
	}
}

// leaderKilled: clients at work, the leader dies. The others elect a new
// one, no session is lost, and the lock goes from hand to hand as before.
func leaderKilled(t *testing.T, ensemble *zkserver.Ensemble) {
	run := startOn(t, ensemble, crowd())
	for range *rounds {
		run.untilCount(20, event.LockAcquired)
		led, err := ensemble.Leader(t.Context())
		run.must(err)
		killed := time.Now()
		injected := run.injectIntoServers("kill-leader", 0)
		if injected.Server != ensemble.Addresses()[led] {
			t.Errorf("%s is killed, the leader was %s", injected.Server, ensemble.Addresses()[led])
		}
		leads, err := ensemble.Leader(t.Context())
		run.must(err)
		elected := time.Since(killed)
		run.untilKind(event.TreeLost, 0)
		run.untilKind(event.TreeSynced, 0)
		t.Logf("%s leads after %v, the lock is acquired again after %v", ensemble.Addresses()[leads],
			elected.Round(time.Millisecond), run.untilAcquired(injected).Round(time.Millisecond))
		run.untilCount(2*(*crowded), event.LockAcquired)
		mustAllServe(t, ensemble)
	}
	run.finish()
	t.Logf("%d changes told by the observer only", reportsOf(t, run.all()).reconcile(t))
	run.mustKeepSessions()
	run.verdicts(nil)
}

// followerKilled: the clients of a follower that is down for a while turn
// to the other servers; everybody else does not notice.
func followerKilled(t *testing.T, ensemble *zkserver.Ensemble) {
	run := startOn(t, ensemble, crowd())
	for range *rounds {
		run.untilCount(20, event.LockAcquired)
		injected := run.injectIntoServers("kill-follower", time.Second)
		t.Logf("the lock is acquired again after %v", run.untilAcquired(injected).Round(time.Millisecond))
		run.untilKind(event.FaultHealed, 0)
		run.untilCount(*crowded, event.LockAcquired)
		mustAllServe(t, ensemble)
	}
	run.finish()
	run.mustKeepSessions()
	run.verdicts(nil)
}

// echo is how long answers that had left the servers may still be on their way
// through this process, also if that stands still meanwhile.
const echo = 3 * time.Second

// mustAcquireNothing fails the test if a client acquires the lock between an
// echo after injected and length later.
func (w *watched) mustAcquireNothing(injected event.Event, length time.Duration) {
	w.t.Helper()
	from := injected.At + echo.Microseconds()
	ctx, cancel := context.WithTimeout(w.t.Context(), echo+length)
	defer cancel()
	for e, err := range w.Log().Follow(ctx, w.next) {
		if err != nil {
			return // the time is over
		}
		w.next = e.Seq + 1
		if e.Kind == event.LockAcquired && e.At > from {
			w.t.Errorf("event %d: client %d acquires without a quorum", e.Seq, e.Client)
		}
	}
}

// heals has every server run again, however long a slow machine takes to boot
// them: a fault has only seconds.
func (w *watched) heals() {
	w.t.Helper()
	began := time.Now()
	err := w.Inject(w.t.Context(), scenario.Fault{Name: "heal-servers"})
	for errors.Is(err, context.DeadlineExceeded) && time.Since(began) < timeout {
		err = w.Inject(w.t.Context(), scenario.Fault{Name: "heal-servers"})
	}
	w.must(err)
}

// quorumLostAndBack: without a majority nobody acquires; afterwards the
// sessions are what they were and the lock goes on.
func quorumLostAndBack(t *testing.T, ensemble *zkserver.Ensemble) {
	run := startOn(t, ensemble, crowd())
	for range *rounds {
		run.untilCount(20, event.LockAcquired)
		injected := run.injectIntoServers("lose-quorum", 0)
		run.mustAcquireNothing(injected, time.Second)
		run.heals()
		healed := run.untilKind(event.FaultHealed, 0)
		t.Logf("healed; the lock is acquired again after %v", run.untilAcquired(healed).Round(time.Millisecond))
		run.untilCount(*crowded, event.LockAcquired)
		mustAllServe(t, ensemble)
	}
	run.finish()
	run.mustKeepSessions()
	run.verdicts(nil)
}

// serverLagsBehind: a follower stands still, with its clients' connections
// open. The lock waits for one of those, who is not told that its turn has come;
// that is no fault of the client's.
func serverLagsBehind(t *testing.T, ensemble *zkserver.Ensemble) {
	run := startOn(t, ensemble, crowd())
	run.untilCount(*crowded, event.LockAcquired)
	leader, err := ensemble.Leader(t.Context())
	run.must(err)
	pid := ensemble.Servers()[3-max(leader, 1)].PID() // a follower, but not server 0, to which the observer turns first
	run.must(zktest.Freeze(pid))
	resume := func() { run.must(zktest.Thaw(pid)) }
	t.Cleanup(resume)
	stopped := run.Log().Now()
	behind := run.until("the others go on", func(e event.Event) bool {
		return e.Kind == event.TreeSynced && micros(e.At) > stopped+6*time.Second
	})
	resume()
	t.Logf("the lock is acquired again after %v", run.untilAcquired(behind).Round(time.Millisecond))
	run.untilCount(*crowded, event.LockAcquired)
	run.finish()
	run.mustKeepSessions()
	run.verdicts(nil)
}

// stopWithoutQuorum: a run that is stopped while nobody is served heals the
// servers and ends in time.
func stopWithoutQuorum(t *testing.T, ensemble *zkserver.Ensemble) {
	run, err := run.Start(t.Context(), run.Config{Backend: run.Backend{Servers: ensemble.Addresses(), Cluster: ensemble, Gate: watchNodes(t, ensemble)},
		Base: "/playground", Room: "test", ID: "run", Scenario: crowd(), LogDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{Run: run, t: t, next: 1}
	w.untilCount(5, event.LockAcquired)
	w.injectIntoServers("lose-quorum", 0)
	w.untilKind(event.TreeLost, 0)
	began := time.Now()
	run.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	err = run.Wait(ctx) // it may have been unable to clean up
	if took := time.Since(began); took > soon {
		t.Errorf("the end took %v, want at most %v", took, soon)
	}
	t.Logf("ended after %v: %v", time.Since(began).Round(time.Millisecond), err)
	w.must(run.Close())
	mustAllServe(t, ensemble)
}
