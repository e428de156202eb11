package client

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/recipe/broken"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestNothingIsLeftToDoAfterClose: a client that has closed its session does not
// go on asking for its znode to be deleted.
func TestNothingIsLeftToDoAfterClose(t *testing.T) {
	server := zktest.Start(t)
	for _, r := range broken.All() {
		if r.Name != "plain" && r.Name != "gozookeeper" {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			c, log := newOn(t, server, r)
			done := make(chan struct{})
			go func() { defer close(done); c.Run(ctx) }()
			defer func() { cancel(); <-done; c.Close(context.Background()) }()
			log.await(ctx, t, event.LockAcquired)
			if err := c.Inject(ctx, scenario.Fault{Name: "close", Client: 1}); err != nil {
				t.Fatal(err)
			}
			c.leaving.Wait()
			_, err := recipe.Ask(ctx, environment{c, c.access.(*sessionAccess)}, func(conn *zk.Conn) (string, error) {
				return conn.Create(c.lane.Path+"/late", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll))
			})
			if err == nil || ctx.Err() != nil {
				t.Errorf("a request after the end of the session: %v, %v", err, ctx.Err())
			}
			c.AwaitDeletions(ctx)
			if ctx.Err() != nil {
				t.Error("it is still deleting its znode")
			}
		})
	}
}

// newOn is a client of a server, with a lock directory of its own, that holds the
// lock for as long as it may, and what it records.
func newOn(t *testing.T, server *zktest.Server, r recipe.Recipe) (*Process, *recording) {
	t.Helper()
	lane := event.Lane{Name: "lane", Recipe: r.Name, Path: server.Root(t) + "/lane", Clients: 1}
	if _, err := server.Conn(t).Create(lane.Path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	log := new(recording)
	long := scenario.Duration(time.Minute)
	return newProcess(lane, 1, r, nil, Config{
		Scenario:  scenario.Scenario{Clients: 1, Session: scenario.Duration(4 * time.Second), Hold: scenario.Range{Min: long, Max: long}},
		ZooKeeper: wire.Ensemble{Addresses: []string{server.Address()}},
		Recorder:  log, Grace: t.Context(), HandshakeTimeout: time.Minute, Stepping: func() bool { return false },
	}), log
}

// TestTellWaits: what a paused process believes, nobody learns.
func TestTellWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, log := newBare(t)
		c.gate.Shut()
		go c.tell(event.Event{Kind: event.LockReleased})
		synctest.Wait()
		if n := log.count(""); n != 0 {
			t.Errorf("%d events of a paused process", n)
		}
		c.gate.Open()
		synctest.Wait()
		if e := log.last(); e.Kind != event.LockReleased {
			t.Errorf("told %q", e.Kind)
		}
	})
}
