package zkserver_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
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
	case <-time.After(patience):
		t.Fatal("no news of the server")
		return zkserver.Status{}
	}
}

func TestMonitorSeesAServerGoAndComeBack(t *testing.T) {
	server := mustStart(t, zkserver.Config{})
	monitor, news := runMonitor(t, server.Address())
	first := nextStatus(t, news)
	if first.State != zkserver.Live || first.Version != server.Version() || first.Address != server.Address() || !first.Managed {
		t.Errorf("at first: %+v", first)
	}
	kill(t, server.PID())
	gone := nextStatus(t, news)
	if gone.State != zkserver.Unreachable || gone.Why == "" || gone.Version != first.Version || !gone.Since.After(first.Since) {
		t.Errorf("after the kill: %+v", gone)
	}
	if back := nextStatus(t, news); back.State != zkserver.Live || back.Why != "" || !back.Since.After(gone.Since) {
		t.Errorf("after the restart: %+v", back)
	}
	if now := monitor.Current(); len(now) != 1 || now[0].State != zkserver.Live {
		t.Errorf("Current = %+v", now)
	}
}

func TestMonitorOfOneLiveAndOneMuteServer(t *testing.T) {
	server := mustStart(t, zkserver.Config{})
	monitor, news := runMonitor(t, listen(t, ""), server.Address())
	if first := nextStatus(t, news); first.Address != server.Address() {
		t.Errorf("first news of %s; the mute server should not delay the other", first.Address)
	}
	if err := monitor.Wait(t.Context()); err != nil {
		t.Errorf("Wait = %v; one live server is enough", err)
	}
	if mute := nextStatus(t, news); mute.State != zkserver.Unreachable {
		t.Errorf("the mute server is %s", mute.State)
	}
}

func TestMonitorWaitBlocksUntilLive(t *testing.T) {
	server := mustStart(t, zkserver.Config{})
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
