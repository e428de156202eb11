package zkserver_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// runMonitor runs a monitor of addresses until the test ends.
func runMonitor(t *testing.T, addresses ...string) (*zkserver.Monitor, <-chan zkserver.Status) {
	t.Helper()
	news := make(chan zkserver.Status, 100)
	monitor := zkserver.NewMonitor(zkserver.MonitorConfig{
		Addresses: addresses,
		Managed:   true,
		Interval:  10 * time.Millisecond,
		Notify:    func(s zkserver.Status) { news <- s },
	})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { monitor.Run(ctx) })
	t.Cleanup(func() { cancel(); running.Wait() })
	return monitor, news
}

func nextStatus(t *testing.T, news <-chan zkserver.Status) zkserver.Status {
	t.Helper()
	select {
	case status := <-news:
		return status
	case <-time.After(timeout):
		t.Fatal("no news of the server")
		return zkserver.Status{}
	}
}

// awaitState waits for news of a state, and passes over others: a machine that
// stands still looks like a server that does.
func awaitState(t *testing.T, news <-chan zkserver.Status, state zkserver.State) zkserver.Status {
	t.Helper()
	for {
		if status := nextStatus(t, news); status.State == state {
			return status
		}
	}
}

func TestMonitorSeesAServerGoAndComeBack(t *testing.T) {
	t.Parallel()
	server := mustStart(t, zkserver.Config{})
	monitor, news := runMonitor(t, server.Address())
	first := awaitState(t, news, zkserver.Live)
	if first.Version != server.Version() || first.Address != server.Address() || !first.Managed {
		t.Errorf("at first: %+v", first)
	}
	server.Halt() // until it is missed, however late the monitor looks
	gone := awaitState(t, news, zkserver.Unreachable)
	if gone.Why == "" || gone.Version != first.Version || !gone.Since.After(first.Since) {
		t.Errorf("when it is down: %+v", gone)
	}
	server.Revive()
	if back := awaitState(t, news, zkserver.Live); back.Why != "" || !back.Since.After(gone.Since) {
		t.Errorf("when it is back: %+v", back)
	}
	eventually(t, "Current is live", func() bool {
		now := monitor.Current()
		return len(now) == 1 && now[0].State == zkserver.Live
	})
}

// TestMonitorOfOneLiveAndOneMuteServer: the mute server delays no news of the
// other. Several monitors are tried, as the live one may be late by chance.
func TestMonitorOfOneLiveAndOneMuteServer(t *testing.T) {
	t.Parallel()
	server, mute := zktest.Start(t), listen(t, "")
	first := ""
	for tries := 0; first != server.Address() && tries < 10; tries++ {
		monitor, news := runMonitor(t, mute, server.Address())
		first = nextStatus(t, news).Address
		if err := monitor.Wait(within(t)); err != nil {
			t.Errorf("Wait = %v; one live server is enough", err)
		}
		awaitState(t, news, zkserver.Unreachable)
	}
	if first != server.Address() {
		t.Error("first news of the mute server, every time")
	}
}

func TestMonitorWaitBlocksUntilLive(t *testing.T) {
	server := zktest.Start(t)
	monitor := zkserver.NewMonitor(zkserver.MonitorConfig{Addresses: []string{server.Address()}})
	if state := monitor.Current()[0].State; state != zkserver.Unknown {
		t.Errorf("before the first question: %s", state)
	}
	passed := make(chan error, 1)
	go func() { passed <- monitor.Wait(t.Context()) }()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { monitor.Run(ctx) })
	if err := <-passed; err != nil {
		t.Errorf("Wait = %v", err)
	}
	cancel()
	running.Wait()
}

func TestMonitorWaitEndsWithItsContext(t *testing.T) {
	monitor, _ := runMonitor(t, listen(t, "nonsense"))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := monitor.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Wait = %v, want DeadlineExceeded", err)
	}
}
