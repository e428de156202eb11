package zkserver_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// mustEnsemble starts an ensemble that is stopped at the test's end.
func mustEnsemble(t *testing.T, config zkserver.Config, nodes int) *zkserver.Ensemble {
	t.Helper()
	ensemble, err := zkserver.StartEnsemble(t.Context(), withBootTime(config), nodes)
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

// within bounds what a test waits for.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	t.Cleanup(cancel)
	return ctx
}

// write creates a znode through any server that takes it, and tries until then.
func write(t *testing.T, ensemble *zkserver.Ensemble, path string) {
	t.Helper()
	eventually(t, "a write is taken", func() bool {
		for _, address := range ensemble.Addresses() {
			if writeTo(t.Context(), address, path) == nil {
				return true
			}
		}
		return false
	})
}

func writeTo(ctx context.Context, address, path string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := zkserver.Ready(ctx, address); err != nil {
		return err
	}
	client, err := wire.Dial(ctx, address, wire.Options{Timeout: 30 * time.Second})
	if err != nil {
		return err
	}
	err = client.Create(ctx, path)
	if errors.Is(err, wire.NodeExists) {
		err = nil // an attempt before had done it
	}
	return errors.Join(err, client.CloseSession(ctx))
}

func mustLead(t *testing.T, ensemble *zkserver.Ensemble) int {
	t.Helper()
	leader, err := ensemble.Leader(within(t))
	if err != nil {
		t.Fatal(err)
	}
	return leader
}

// anotherLeads: the leader is killed, another leads, and it takes writes.
func anotherLeads(t *testing.T, ensemble *zkserver.Ensemble) {
	write(t, ensemble, "/before")
	leader := mustLead(t, ensemble)
	_, news := runMonitor(t, ensemble.Addresses()...)
	killed := time.Now()
	ensemble.Servers()[leader].Halt()
	next := mustLead(t, ensemble)
	t.Logf("a new leader after %v", time.Since(killed).Round(time.Millisecond))
	if next == leader {
		t.Errorf("server %d still leads, though it is down", leader)
	}
	eventually(t, "a monitor tells who leads", func() bool {
		status := nextStatus(t, news)
		return status.Address == ensemble.Addresses()[next] && status.Mode == zkserver.ModeLeader
	})
	write(t, ensemble, "/after")
	t.Logf("a write after %v", time.Since(killed).Round(time.Millisecond))
	ensemble.Servers()[leader].Revive()
	if err := zkserver.Ready(within(t), ensemble.Addresses()[leader]); err != nil {
		t.Errorf("the killed server does not come back: %v", err)
	}
}

// leaderBesideASilentServer: a server that takes questions and answers none does
// not delay the others' answers.
func leaderBesideASilentServer(t *testing.T, ensemble *zkserver.Ensemble) {
	if leader := mustLead(t, ensemble); leader == 0 {
		t.Fatal("the server with the lowest number leads, though all began with nothing")
	}
	pid := ensemble.Servers()[0].PID()
	if err := zktest.Freeze(pid); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = zktest.Thaw(pid) }()
	if _, err := ensemble.Leader(within(t)); err != nil {
		t.Error(err)
	}
}

// dataIsKept: the ensemble is stopped, and another one in its directory has what
// was written.
func dataIsKept(t *testing.T, ensemble *zkserver.Ensemble, dir string) {
	before := pids(ensemble)
	if err := ensemble.Stop(within(t)); err != nil {
		t.Error(err)
	}
	if dead := died(ensemble, before); len(dead) != 3 {
		t.Errorf("only %v of 3 are dead after Stop", dead)
	}
	again := mustEnsemble(t, zkserver.Config{Dir: dir}, 3)
	write(t, again, "/kept/child/again") // below what was written before
}

// TestEnsembleThatCannotStart: one error, no process, no directory.
func TestEnsembleThatCannotStart(t *testing.T) {
	left := temporaryDirs(t)
	tests := []struct {
		name   string
		config zkserver.Config
		nodes  int
		want   error
	}{
		{"two nodes", zkserver.Config{}, 2, zkserver.ErrConfig},
		{"no nodes", zkserver.Config{}, 0, zkserver.ErrConfig},
		{"one port for three", zkserver.Config{Port: 2181}, 3, zkserver.ErrConfig},
		{"bad config", zkserver.Config{TickTime: -1}, 3, zkserver.ErrConfig},
		{"no ZooKeeper", zkserver.Config{Home: t.TempDir()}, 3, zkserver.ErrNoZooKeeper},
		{"too slow", zkserver.Config{BootTimeout: time.Millisecond}, 3, zkserver.ErrBoot},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := zkserver.StartEnsemble(t.Context(), test.config, test.nodes); !errors.Is(err, test.want) {
				t.Errorf("StartEnsemble = %v, want %v", err, test.want)
			}
		})
	}
	if dirs := left(); len(dirs) != 0 {
		t.Errorf("left behind: %v", dirs)
	}
}
