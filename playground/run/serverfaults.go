package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// ErrNotOurs is returned for a server fault when ZooKeeper is somebody else's.
var ErrNotOurs = errors.New("this ZooKeeper is not the playground's to break")

// A Cluster is a ZooKeeper that the playground may break. Its methods are safe
// for concurrent use; runs of several rooms share it.
type Cluster interface {
	// Nodes is how many servers there are.
	Nodes() int
	// Inject does one of the faults of servers, but heal-servers, and returns when
	// it is done: which server it concerned, host:port or empty, and what that means. With
	// a length above 0 it heals by itself after that. An error says why the
	// fault is not possible; then nothing has happened.
	Inject(ctx context.Context, fault string, length time.Duration) (server string, why *event.Reason, err error)
	// Heal starts every server that is down and returns when they serve again.
	// An error says that they do not yet; they are started all the same. It is
	// idempotent.
	Heal(ctx context.Context) error
}

var (
	startedAgain       = event.NewCode("started-again", "its time is over, the server is started again")
	everyServerStarted = event.NewCode("every-server-started", "every server is started")
)

// serverFaultTimeout bounds the time until a fault of the servers is done.
const serverFaultTimeout = 5 * time.Second

// healServers undoes what lasts. The other faults are described by package
// zkserver, and done by the Cluster.
const healServers = "heal-servers"

// serverFaults describes what can be done to the servers.
func serverFaults() []scenario.FaultKind {
	var kinds []scenario.FaultKind
	for _, f := range zkserver.Faults() {
		kind := scenario.FaultKind{Name: f.Name, Title: f.Title, Sentence: f.Sentence, Target: scenario.TargetServer,
			Endless: f.Endless, Nodes: f.Nodes, Mark: f.Mark}
		if f.Lasts {
			kind.Lasts, kind.UndoneBy, kind.Parameters = true, healServers, []scenario.Parameter{scenario.Length()}
		}
		kinds = append(kinds, kind)
	}
	return append(kinds, scenario.FaultKind{Name: healServers, Title: "Heal the servers", Target: scenario.TargetServer,
		Sentence: "Every server that is down is started again.", Mark: "M-6 1L-2 5L6-5"})
}

// endless says that a fault without a length lasts until it is healed.
func endless(name string) bool {
	return slices.ContainsFunc(zkserver.Faults(), func(f zkserver.Fault) bool { return f.Name == name && f.Endless })
}

func ofServers(name string) bool {
	return slices.ContainsFunc(serverFaults(), func(k scenario.FaultKind) bool { return k.Name == name })
}

// injectIntoServers does f to the servers and returns when it is done.
func (r *Run) injectIntoServers(ctx context.Context, f scenario.Fault) error {
	if r.config.Cluster == nil {
		return ErrNotOurs
	}
	ctx, cancel := context.WithTimeout(ctx, serverFaultTimeout)
	defer cancel()
	if f.Name == healServers {
		return r.outages.heal(ctx)
	}
	return r.outages.inject(ctx, f)
}

// outages injects the server faults of one run, one at a time, and keeps those
// that last. Its methods are safe for concurrent use.
type outages struct {
	cluster  Cluster
	recorder *recorder
	ending   context.Context // ends with the run
	cancel   context.CancelFunc

	mu      sync.Mutex
	over    bool               // the run ends: no further faults
	healing bool               // the servers have been started, but did not serve in time
	lasting map[string]*outage // by the fault's name
}

// An outage is a server fault that lasts until its timer fires, or until it is
// healed if it has none.
type outage struct {
	server string
	timer  *time.Timer
}

func newOutages(cluster Cluster, r *recorder) *outages {
	o := &outages{cluster: cluster, recorder: r, lasting: make(map[string]*outage)}
	o.ending, o.cancel = context.WithCancel(context.Background())
	return o
}

func (o *outages) inject(ctx context.Context, f scenario.Fault) error {
	ctx, cancel := o.whileRunning(ctx)
	defer cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return client.ErrNotRunning
	}
	server, why, err := o.cluster.Inject(ctx, f.Name, time.Duration(f.For))
	if err != nil {
		return fmt.Errorf("%w: %w", client.ErrImpossible, err)
	}
	o.recorder.Record(event.Event{Kind: event.FaultInjected, Fault: f.Name, For: f.For.Milliseconds(), Server: server, Reason: why})
	if f.For > 0 || endless(f.Name) { // else the server is started again at once
		o.begin(f, server)
	}
	return nil
}

// whileRunning returns ctx, which also ends with the run.
func (o *outages) whileRunning(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(o.ending, cancel)
	return ctx, func() { forget(); cancel() }
}

// begin keeps a fault that lasts. If the same fault lasts already, the new one takes
// its place. The caller holds the mutex.
func (o *outages) begin(f scenario.Fault, server string) {
	o.forget(f.Name)
	begun := &outage{server: server}
	o.lasting[f.Name] = begun
	if f.For > 0 { // the cluster counts as well, and heals by itself
		begun.timer = time.AfterFunc(time.Duration(f.For), func() { o.timedOut(f.Name, begun) })
	}
}

func (o *outages) timedOut(name string, begun *outage) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lasting[name] == begun {
		o.healed(name, startedAgain.With())
	}
}

// heal starts every server that is down, whoever stopped it.
func (o *outages) heal(ctx context.Context) error {
	ctx, cancel := o.whileRunning(ctx)
	defer cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return client.ErrNotRunning
	}
	err := o.startServers(ctx)
	if len(o.lasting) == 0 {
		o.healed(healServers, everyServerStarted.With())
	}
	o.allHealed(everyServerStarted.With())
	return err
}

// startServers starts the servers and waits until they serve. An error says that
// they do not yet; they are started all the same. The caller holds the mutex.
func (o *outages) startServers(ctx context.Context) error {
	err := o.cluster.Heal(ctx)
	o.healing = err != nil
	if err != nil {
		return fmt.Errorf("heal the servers: %w: %w", client.ErrZooKeeper, err)
	}
	return nil
}

// end heals what this run broke, within healTimeout, and refuses further faults.
func (o *outages) end(ctx context.Context) error {
	o.cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	if len(o.lasting) == 0 && !o.healing {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, healTimeout)
	defer cancel()
	err := o.startServers(ctx)
	o.allHealed(client.RunEnds.With())
	return err
}

// allHealed records every fault that lasts as healed. The caller holds the mutex.
func (o *outages) allHealed(why *event.Reason) {
	for _, name := range slices.Sorted(maps.Keys(o.lasting)) {
		o.healed(name, why)
	}
}

func (o *outages) healed(name string, why *event.Reason) {
	server := o.forget(name)
	o.recorder.Record(event.Event{Kind: event.FaultHealed, Fault: name, Server: server, Reason: why})
}

// forget drops a fault and returns the server that it concerned.
func (o *outages) forget(name string) (server string) {
	before := o.lasting[name]
	if before == nil {
		return ""
	}
	if before.timer != nil {
		before.timer.Stop()
	}
	delete(o.lasting, name)
	return before.server
}
