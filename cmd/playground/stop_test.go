package main

import (
	"context"
	"os"
	"slices"
	"syscall"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// Both signals end the one context that all commands have, so one of them is enough for each.
func TestServeStopsWithItsZooKeeper(t *testing.T) {
	t.Parallel()
	java := newJavaHome(t)
	s := serve(t, java.setting())
	if z := s.zookeeper(t); !z.Managed {
		t.Errorf("ZooKeeper %+v, want a managed one", z)
	}
	s.beBusy(t)
	s.mustStop(t, syscall.SIGTERM)
	if pid := java.pid(t); running(pid) {
		t.Errorf("Java with process id %d is left", pid)
	}
}

func TestServeLeavesNothingOnZooKeeper(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	client := connect(t, server.Address())
	znodes, sessions := children(t, client), countSessions(t, server.Address())
	s := serve(t, nil, "-zookeeper", server.Address())
	if z := s.zookeeper(t); z.Managed || z.Address != server.Address() {
		t.Errorf("ZooKeeper %+v, want %s, not managed", z, server.Address())
	}
	s.beBusy(t)
	if countSessions(t, server.Address()) == sessions || slices.Equal(children(t, client), znodes) {
		t.Error("a run under way has no session or no znode: this test looks in the wrong place")
	}
	s.mustStop(t, os.Interrupt)
	if now := countSessions(t, server.Address()); now != sessions {
		t.Errorf("%d sessions, there were %d before", now, sessions)
	}
	if now := children(t, client); !slices.Equal(now, znodes) {
		t.Errorf("znodes %q, there were %q before", now, znodes)
	}
}

// A ZooKeeper that has gone cannot be tidied up, but keeps nobody waiting.
func TestServeStopsWhenItsZooKeeperIsGone(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	s := serve(t, nil, "-zookeeper", server.Address())
	s.beBusy(t)
	if err := server.Managed().Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.stderr.await(t, `state=unreachable`)
	s.signal(t, syscall.SIGTERM)
	s.exitCode(t, stopLimit)
	s.mustLeaveNoFile(t)
}

func TestStopWhileZooKeeperBoots(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{{"serve", "-addr", "127.0.0.1:0"}, {"run", "herd"}, {"zookeeper", "-port", "0"}} {
		t.Run(command[0], func(t *testing.T) {
			t.Parallel()
			java := javaHomeOf(t, "sleep 1h") // however late the signal comes, it still boots
			c := start(t, java.setting(), command...)
			pid := java.pid(t)
			c.signal(t, os.Interrupt)
			if code := c.exitCode(t, stopLimit); code != exitFailure {
				t.Errorf("exit code %d, want %d", code, exitFailure)
			}
			if got, want := c.stderr.text(), "playground: interrupted while starting\n"; got != want {
				t.Errorf("stderr %q, want %q", got, want)
			}
			if running(pid) {
				t.Errorf("Java with process id %d is left", pid)
			}
			c.mustLeaveNoFile(t)
		})
	}
}
