package zkserver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// leaderPoll is the pause between two questions whether a server leads.
const leaderPoll = 20 * time.Millisecond

// An Ensemble is one server of ours, or three that replicate each other. Its
// methods may be called from any goroutine.
type Ensemble struct {
	servers []*Server

	life   context.Context // ends with Stop
	end    context.CancelFunc
	timers sync.WaitGroup // of the outages that end by themselves

	faults  sync.Mutex // held for a fault or a healing, one at a time
	mu      sync.Mutex // guards what follows
	outages []*outage  // by server; nil if it is not kept down
}

// StartEnsemble runs 1 or 3 servers and returns when all of them serve clients;
// 1 is what [Start] does, and nothing more. Three keep their data in the
// directories 1, 2 and 3 below [Config.Dir], and need [Config.Port] to be 0;
// [Config.Notify] must then be safe for concurrent use, as must [Config.Log].
// The errors are those of Start.
func StartEnsemble(ctx context.Context, config Config, nodes int) (*Ensemble, error) {
	servers, err := startServers(ctx, config, nodes)
	if err != nil {
		return nil, err
	}
	e := &Ensemble{servers: servers, outages: make([]*outage, nodes)}
	e.life, e.end = context.WithCancel(context.WithoutCancel(ctx))
	return e, nil
}

func startServers(ctx context.Context, config Config, nodes int) ([]*Server, error) {
	switch {
	case nodes == 1:
		server, err := Start(ctx, config)
		return []*Server{server}, err
	case nodes != 3:
		return nil, fmt.Errorf("%w: %d nodes, choose 1 or 3", ErrConfig, nodes)
	case config.Port != 0:
		return nil, fmt.Errorf("%w: port %d for %d nodes, leave it 0", ErrConfig, config.Port, nodes)
	}
	return startPeers(ctx, config, nodes)
}

// Stop ends every server as [Server.Stop] does, at the same time.
func (e *Ensemble) Stop(ctx context.Context) error {
	e.end()
	e.faults.Lock() // a fault that is under way may begin an outage
	defer e.faults.Unlock()
	e.timers.Wait()
	return each(e.servers, func(s *Server) error { return s.Stop(ctx) })
}

// each calls do for all servers at the same time.
func each(servers []*Server, do func(*Server) error) error {
	var all sync.WaitGroup
	errs := make([]error, len(servers))
	for i, server := range servers {
		all.Go(func() { errs[i] = do(server) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// Nodes is how many servers there are, up or down.
func (e *Ensemble) Nodes() int { return len(e.servers) }

// Servers are the servers, in an order that does not change. The caller must
// not change the slice.
func (e *Ensemble) Servers() []*Server { return e.servers }

// Addresses are the servers' host:port for clients, in the order of Servers.
func (e *Ensemble) Addresses() []string {
	addresses := make([]string, len(e.servers))
	for i, server := range e.servers {
		addresses[i] = server.Address()
	}
	return addresses
}

// Version is the release of ZooKeeper, the same of every server.
func (e *Ensemble) Version() string { return e.servers[0].Version() }

// Leader asks every server until one says that it leads, and returns its place
// in Servers; a standalone server leads itself. It fails with the cause of
// ctx's end: without a quorum there is no leader. The servers are asked at the
// same time: one that boots may take a question and never answer.
func (e *Ensemble) Leader(ctx context.Context) (int, error) {
	var asking sync.WaitGroup
	defer asking.Wait()
	found := make(chan int, len(e.servers))
	until, enough := context.WithCancel(ctx)
	defer enough()
	for i, server := range e.servers {
		asking.Go(func() {
			if leads(until, server.Address()) {
				found <- i
			}
		})
	}
	select {
	case leader := <-found:
		return leader, nil
	case <-ctx.Done():
		return 0, fmt.Errorf("wait for a leader: %w", context.Cause(ctx))
	}
}

// leads asks a server until it leads, or until ctx ends.
func leads(ctx context.Context, address string) bool {
	poll := time.NewTicker(leaderPoll)
	defer poll.Stop()
	for timeout := shortTimeout; ; {
		stats, err := probe(ctx, address, timeout)
		if err == nil && (stats.Mode == ModeLeader || stats.Mode == ModeStandalone) {
			return true
		}
		timeout = nextTimeout(timeout, err)
		select {
		case <-poll.C:
		case <-ctx.Done():
			return false
		}
	}
}
