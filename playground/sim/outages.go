package sim

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// outages are the server faults of one run that last, by name, and the one that
// is just being done. Its methods are safe for concurrent use; faults take turns.
type outages struct {
	cluster  Cluster
	recorder *recorder
	ending   context.Context // ends with the run
	cancel   context.CancelFunc

	mu      sync.Mutex
	over    bool
	healing bool // the servers are to run, but did not serve in time
	lasting map[string]*outage
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

func (o *outages) strike(ctx context.Context, f Fault) error {
	ctx, cancel := o.whileRunning(ctx)
	defer cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return ErrNotRunning
	}
	server, why, err := o.cluster.Inject(ctx, f.Name, f.For)
	if err != nil {
		return impossible(err)
	}
	o.recorder.record(event.Event{Kind: event.FaultInjected, Fault: f.Name, For: f.For.Milliseconds(), Server: server, Why: why})
	if f.For > 0 || f.Name == LoseQuorum { // else the server is started again at once
		o.begin(f, server)
	}
	return nil
}

// whileRunning is ctx, but ends with the run.
func (o *outages) whileRunning(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(o.ending, cancel)
	return ctx, func() { forget(); cancel() }
}

// begin remembers a fault that lasts; the same fault again takes its place. The
// caller holds the mutex.
func (o *outages) begin(f Fault, server string) {
	o.forget(f.Name)
	begun := &outage{server: server}
	o.lasting[f.Name] = begun
	if f.For > 0 { // the cluster counts as well, and heals by itself
		begun.timer = time.AfterFunc(f.For, func() { o.timedOut(f.Name, begun) })
	}
}

func (o *outages) timedOut(name string, begun *outage) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lasting[name] == begun {
		o.healed(name, "its time is over, the server is started again")
	}
}

// heal ends everything that is wrong with the servers, whoever began it.
func (o *outages) heal(ctx context.Context) error {
	ctx, cancel := o.whileRunning(ctx)
	defer cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return ErrNotRunning
	}
	err := o.revive(ctx)
	if len(o.lasting) == 0 {
		o.healed(HealServers, "every server is to run")
	}
	o.allHealed("every server is to run")
	return err
}

// revive starts the servers and waits until they serve. They are started also
// when that fails. The caller holds the mutex.
func (o *outages) revive(ctx context.Context) error {
	err := o.cluster.Heal(ctx)
	o.healing = err != nil
	if err != nil {
		return fmt.Errorf("heal the servers: %w", err)
	}
	return nil
}

// end heals what this run broke, within healPatience, and refuses further faults.
func (o *outages) end(ctx context.Context) error {
	o.cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	if len(o.lasting) == 0 && !o.healing {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, healPatience)
	defer cancel()
	err := o.revive(ctx)
	o.allHealed("the run ends")
	return err
}

// allHealed tells that no fault lasts any more. The caller holds the mutex.
func (o *outages) allHealed(why string) {
	for _, name := range slices.Sorted(maps.Keys(o.lasting)) {
		o.healed(name, why)
	}
}

func (o *outages) healed(name, why string) {
	server := o.forget(name)
	o.recorder.record(event.Event{Kind: event.FaultHealed, Fault: name, Server: server, Why: why})
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
