package run_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var allowAll = zk.WorldACL(zk.PermAll)

func configFor(t *testing.T, server *zktest.Server, given scenario.Scenario, limit int64) run.Config {
	t.Helper()
	return run.Config{Backend: run.Backend{Servers: []string{server.Address()}},
		Base: server.Root(t) + "/playground", Room: "test", ID: "run", Scenario: given, LogLimit: limit}
}

// TestServerKilled: the server dies in mid-run and comes back; the run goes on,
// sessions and order are kept, and the log tells it without a gap.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	monitor := zkserver.NewMonitor(zkserver.MonitorConfig{Addresses: []string{server.Address()}})
	watching, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); monitor.Run(watching) }()
	defer func() { stop(); <-done }()
	given := fast("mutex", 8)
	given.Lanes = append(given.Lanes, scenario.Lane{Name: "rw", Recipe: "rw"})
	given.Writers = 0.4
	config := configFor(t, server, given, 0)
	config.Gate = monitor.Wait
	run := startWith(t, config)
	for range 2 {
		run.untilCount(60, event.LockAcquired)
		if err := zktest.Kill(server.Managed().PID()); err != nil {
			t.Fatal(err)
		}
		run.untilKind(event.TreeLost, 0)
		run.untilKind(event.TreeSynced, 0)
	}
	run.untilCount(60, event.LockAcquired)
	run.finish()
	run.verdicts(nil)
	for _, e := range run.all() {
		if e.Kind == event.SessionRefused {
			t.Errorf("event %d: client %d of %s lost its session", e.Seq, e.Client, e.Lane)
		}
	}
}

// TestStopWithoutServer: a run whose ZooKeeper is gone for good still ends.
func TestStopWithoutServer(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	run, err := run.Start(t.Context(), run.Config{Backend: run.Backend{Servers: []string{server.Address()}},
		Base: "/playground", Room: "test", ID: "run", Scenario: fast("mutex", 5), LogDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Log().Wait(t.Context(), 200); err != nil {
		t.Fatal(err)
	}
	if err := server.Managed().Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	run.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	if err := run.Wait(ctx); err == nil {
		t.Error("a run that could not clean up says that all is well")
	}
	if took := time.Since(began); took > soon {
		t.Errorf("the end took %v, want at most %v", took, soon)
	}
	if err := run.Close(); err != nil {
		t.Error(err)
	}
}

// TestStartWithoutServer: no run, one clear error, nothing left.
func TestStartWithoutServer(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	run, err := run.Start(ctx, run.Config{Backend: run.Backend{Servers: []string{"127.0.0.1:1"}},
		Base: "/playground", Room: "test", ID: "run", Scenario: fast("mutex", 5)})
	if err == nil || run != nil {
		t.Fatalf("Start = %v, %v", run, err)
	}
}

// TestNothingIsLeft: after a run with many clients there is no znode, no
// session, no goroutine, and memory is back where it was.
func TestNothingIsLeft(t *testing.T) {
	server := zktest.StartOwn(t, zkserver.Config{AdminServer: true})
	cycle(t, server, 2) // what is made once, such as pools, is made now
	goroutines, before := runtime.NumGoroutine(), heap()
	sessions := liveSessions(t, server)
	cycle(t, server, *soak)
	await(t, "the goroutines end", func() bool { return runtime.NumGoroutine() <= goroutines })
	if left := liveSessions(t, server); left != sessions {
		t.Errorf("%d sessions, there were %d", left, sessions)
	}
	if after := heap(); after > before+8<<20 {
		t.Errorf("the heap has %d KiB, it had %d KiB", after>>10, before>>10)
	}
	conn := server.Conn(t)
	if there, _, err := conn.Exists("/playground"); err != nil || there {
		t.Errorf("/playground is still there (%v, %v)", there, err)
	}
}

// cycle lets 200 clients contend in two lanes for some seconds.
func cycle(t *testing.T, server *zktest.Server, seconds int) {
	t.Helper()
	given := fast("mutex", 100)
	given.Lanes = append(given.Lanes, scenario.Lane{Name: "rw", Recipe: "rw"})
	given.Writers = 0.3
	run, err := run.Start(t.Context(), run.Config{Backend: run.Backend{Servers: []string{server.Address()}},
		Base: "/playground", Room: "test", ID: "run", Scenario: given, LogDir: t.TempDir(), EndTimeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{Run: run, t: t, next: 1}
	acquired := make(map[string]int)
	w.until("the time is up, and each lane has an order to judge", func(e event.Event) bool {
		if e.Kind == event.LockAcquired {
			acquired[e.Lane]++
		}
		return e.At > int64(seconds)*1e6 && acquired["lane"] > 1 && acquired["rw"] > 1
	})
	w.finish()
	summary := w.verdicts(nil)
	t.Logf("%d s: %d events, %d and %d acquisitions", seconds, summary.Events, summary.Lanes[0].Acquisitions, summary.Lanes[1].Acquisitions)
	w.must(run.Close())
}
