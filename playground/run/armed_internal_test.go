package run

import (
	"runtime"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestArmedFaultsCostLittle: as many as there may be, waiting for what does not come, do
// not make a run's events dearer. It counts what is allocated, which no load changes.
func TestArmedFaultsCostLittle(t *testing.T) { // not parallel: it counts for the whole process
	const events = 5000
	server := zktest.Start(t)
	run, err := Start(t.Context(), Config{Backend: Backend{Servers: []string{server.Address()}},
		Base: server.Root(t) + "/playground", Room: "test", ID: "run", LogDir: t.TempDir(), Scenario: scenario.Scenario{Name: "idle", Clients: maxArmed,
			Lanes: []scenario.Lane{{Name: "lane", Recipe: "mutex"}}, Session: scenario.Duration(time.Minute),
			Hold: scenario.Range{Min: scenario.Duration(time.Minute), Max: scenario.Duration(time.Minute)}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		run.Stop()
		if err := run.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	awaitKind(t, run, 1, event.LockWaiting, maxArmed-1)
	for number := 1; number <= maxArmed; number++ {
		if err := run.Inject(t.Context(), scenario.Fault{Name: "pause", Client: number, When: "create", Parameters: scenario.Parameters{For: scenario.Duration(time.Millisecond)}}); err != nil {
			t.Fatal(err)
		}
	}
	from := run.log.Len() + 1
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range events {
		run.recorder.Record(event.Event{Kind: event.WireSent, Lane: "lane", Client: 1 + i%maxArmed, Op: "ping", Xid: -2})
	}
	for number := 1; number <= maxArmed; number++ {
		run.recorder.Record(event.Event{Kind: event.TreeCreated, Lane: "lane", Client: number, Path: run.lanes[0].Path + "/none"})
	}
	awaitKind(t, run, from, event.FaultTriggered, maxArmed) // reads the log once
	runtime.ReadMemStats(&after)
	if allocated := after.Mallocs - before.Mallocs; allocated > events*maxArmed {
		t.Errorf("%d events take %d allocations while %d faults are armed", events, allocated, maxArmed)
	}
}

// awaitKind returns when a run's log has n events of a kind, from one on.
func awaitKind(t *testing.T, run *Run, from int64, kind event.Kind, n int) {
	t.Helper()
	for e, err := range run.log.Follow(t.Context(), from) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == kind {
			n--
		}
		if n == 0 {
			return
		}
	}
}
