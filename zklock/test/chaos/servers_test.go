package chaos_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/chaos"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var (
	nodes    = flag.Int("nodes", 1, "how many servers TestChaos has: 1 or 3")
	sessions = flag.Duration("sessions", 0, "the shortest session `timeout` of TestChaos; 0 is 1 s with one server, and 2 s with three")
)

// servers are those of TestChaos.
type servers struct {
	// config has what is the same in each round.
	config chaos.Config
	// root makes a znode for a round.
	root func() string
	// drained looks at the servers when nobody works any more, and rested at what is left
	// when all sessions are closed.
	drained, rested func()
}

// oneServer returns a server of its own, which is killed now and then.
func oneServer(t *testing.T) servers {
	server := zktest.StartOwn(t, zkserver.Config{AdminServer: true})
	server.Root(t) // has the server open its own connection
	goroutines := runtime.NumGoroutine()
	return servers{
		config: chaos.Config{
			Servers: []string{server.Address()}, Session: time.Second, Longest: 3 * time.Second,
			Leader: func(context.Context) (string, error) { return server.Address(), nil },
			ServerFaults: []chaos.ServerFault{
				{Kind: chaos.Restart, Count: 1, Inject: func(context.Context, time.Duration) error { return kill(server) }},
			},
		},
		root:    func() string { return server.Root(t) },
		drained: func() { noWatches(t, server) },
		rested:  func() { noGoroutines(t, goroutines) },
	}
}

// kill ends the server as a crash does. It is started again by itself, so it
// may be dead already.
func kill(server *zktest.Server) error {
	process, err := os.FindProcess(server.Managed().PID())
	if err != nil {
		return err
	}
	if err := process.Kill(); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// ensembleTick is short, so that a follower that is cut off gives up after 2 s, as long as
// the shortest session.
const ensembleTick = 400 * time.Millisecond

// threeServers returns an ensemble whose servers fail in every way.
func threeServers(t *testing.T) servers {
	e := &ensemble{zktest.StartEnsemble(t, ensembleTick)}
	rounds := 0
	return servers{
		config: chaos.Config{
			Servers: e.Addresses(), Session: 2 * time.Second, Longest: 3 * time.Second,
			Leader: e.leader, ServerFaults: e.faults(),
		},
		root: func() string {
			rounds++
			root := fmt.Sprintf("/round-%d", rounds)
			if err := e.create(t.Context(), root); err != nil {
				t.Fatal(err)
			}
			return root
		},
		drained: func() {},
		rested:  func() {}, // the links between the servers have goroutines too
	}
}

// healTimeout bounds the wait for servers to serve again, which takes long on a busy
// machine.
const healTimeout = 5 * time.Minute

type ensemble struct{ *zktest.Ensemble }

// faults are those of an ensemble. Each comes up so often that one is under way for most
// of the time.
func (e *ensemble) faults() []chaos.ServerFault {
	const count = 4
	return []chaos.ServerFault{
		{Kind: "leader-killed", Count: count, Inject: e.inject("kill-leader")},
		{Kind: "follower-killed", Count: count, Inject: e.inject("kill-follower")},
		{Kind: "quorum-lost", Count: count, Inject: e.inject("lose-quorum")},
		{Kind: "follower-cut-off", Count: count, Inject: e.cutOff},
		{Kind: "follower-lags", Count: count, Inject: e.lag},
		{Kind: "rolling-restart", Count: count, Inject: e.restartAll},
	}
}

// inject does a fault of package zkserver when there is a leader.
func (e *ensemble) inject(name string) func(context.Context, time.Duration) error {
	return func(ctx context.Context, length time.Duration) error {
		err := zkserver.ErrRefused
		for errors.Is(err, zkserver.ErrRefused) { // there is no leader for longer than that waits for one
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			_, _, err = e.Inject(ctx, name, time.Hour)
		}
		if err != nil {
			return err
		}
		hold(ctx, length)
		return e.heal(ctx)
	}
}

// heal starts the servers that are down, and waits for a leader.
func (e *ensemble) heal(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), healTimeout)
	defer cancel()
	return e.Heal(ctx)
}

// cutOff cuts a follower off from the other servers, and not from its clients.
func (e *ensemble) cutOff(ctx context.Context, length time.Duration) error {
	leader, err := e.Leader(ctx)
	if err != nil {
		return err
	}
	follower := (leader + 1) % e.Nodes()
	e.Part(follower)
	defer e.Rejoin(follower)
	hold(ctx, length)
	return nil
}

// lagged is by how much a follower that lags is behind.
const lagged = 200 * time.Millisecond

// lag has all that a follower and the other servers tell each other come late.
func (e *ensemble) lag(ctx context.Context, length time.Duration) error {
	leader, err := e.Leader(ctx)
	if err != nil {
		return err
	}
	follower := (leader + 1) % e.Nodes()
	e.Lag(follower, lagged)
	defer e.Lag(follower, 0)
	hold(ctx, length)
	return nil
}

// restartAll kills one server after the other, each when the one before serves again.
func (e *ensemble) restartAll(ctx context.Context, _ time.Duration) error {
	if _, err := e.Leader(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), healTimeout)
	defer cancel()
	for _, server := range e.Servers() {
		server.Restart()
		if err := zkserver.Ready(ctx, server.Address()); err != nil {
			return err
		}
	}
	return nil
}

// hold waits, or until ctx ends.
func hold(ctx context.Context, length time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	<-ctx.Done()
}

// leader returns the address of the server that leads, when there is one.
func (e *ensemble) leader(ctx context.Context) (string, error) {
	leader, err := e.Leader(ctx)
	if err != nil {
		return "", err
	}
	return e.Addresses()[leader], nil
}

func (e *ensemble) create(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	address, err := e.leader(ctx)
	if err != nil {
		return err
	}
	c, err := wire.Dial(ctx, address, wire.Options{})
	if err != nil {
		return err
	}
	return errors.Join(c.Create(ctx, path), c.CloseSession(ctx))
}
