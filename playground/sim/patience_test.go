package sim

import (
	"context"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestStepPatience: a step may have to wait until a client arrives, thinks and
// holds.
func TestStepPatience(t *testing.T) {
	s := Scenario{Arrive: Duration(time.Minute), Hold: Range{Max: Duration(30 * time.Second)}, Think: Range{Max: Duration(20 * time.Second)}}
	if got, want := s.stepPatience(), 110*time.Second+scriptPatience; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNothingIsLeftToDoAfterClose: a waiter that has closed its session does not
// go on asking for its znode to be deleted.
func TestNothingIsLeftToDoAfterClose(t *testing.T) {
	server := zktest.Start(t)
	for _, recipe := range []string{"plain", "gozookeeper"} {
		t.Run(recipe, func(t *testing.T) {
			run := startInside(t, server, Scenario{Name: "close", Lanes: []LaneSpec{{Name: "lane", Recipe: recipe}}, Clients: 1,
				Session: Duration(4 * time.Second), Hold: Range{Min: Duration(time.Minute), Max: Duration(time.Minute)}})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			await := func(kind event.Kind) {
				t.Helper()
				if err := run.await(ctx, 1, func(e event.Event) bool { return e.Kind == kind }); err != nil {
					t.Fatalf("wait for %s: %v", kind, err)
				}
			}
			await(event.LockAcquired)
			if err := run.Inject(ctx, Fault{Name: Close, Client: 1}); err != nil {
				t.Fatal(err)
			}
			c := run.client("lane", 1)
			c.leaving.Wait()
			_, err := ask(ctx, c, newNaiveQueue(c, run.lanes[0]).create("_c_late-"))
			if err == nil || ctx.Err() != nil {
				t.Errorf("a request after the end of the session: %v, %v", err, ctx.Err())
			}
			c.orphans.wait(ctx)
			if ctx.Err() != nil {
				t.Error("it is still deleting its znode")
			}
		})
	}
}

// startInside starts a run that ends with the test.
func startInside(t *testing.T, server *zktest.Server, scenario Scenario) *Run {
	t.Helper()
	run, err := Start(t.Context(), Config{Servers: []string{server.Address()}, Base: server.Root(t) + "/playground",
		Room: "test", ID: "run", LogDir: t.TempDir(), EndPatience: time.Minute, Scenario: scenario})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		run.Stop()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := run.Wait(ctx); err != nil {
			t.Error(err)
		}
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	})
	return run
}
