package sim

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// A Config is what a run needs to know.
type Config struct {
	// Servers are the addresses of ZooKeeper, host:port; at least one.
	Servers []string
	// ZooKeeper describes them for readers of the log.
	ZooKeeper event.Server
	// Base is the topmost znode that is the playground's own. The run makes what
	// is missing of BASE/rooms/ROOM/ID, and in the end removes of that whatever
	// nobody else uses.
	Base string
	// Room and ID name the run. An ID must be new in its room.
	Room, ID string
	// Scenario is what to do.
	Scenario Scenario
	// LogDir and LogLimit are event.LogConfig's.
	LogDir   string
	LogLimit int64
	// Cluster breaks and heals the servers; nil if they are somebody else's.
	Cluster Cluster
	// Replay are steps, as [Run.Script] has them, to begin with in place of the
	// scenario's script; nil means to do that.
	Replay [][]StepSpec
	// Gate blocks until ZooKeeper can be dialled; nil means always.
	Gate func(context.Context) error
	// EndPatience bounds the end of the run: what ZooKeeper does not answer in
	// this time is left to it. 0 means 3 s.
	EndPatience time.Duration
	// Changed is told after each change of the run's state; it must be quick.
	// Nil means nobody.
	Changed func(event.State)
}

// A Run is one execution of a scenario. Its methods are safe for concurrent use.
type Run struct {
	config   Config
	root     string // the run's own znode
	lanes    []event.Lane
	log      *event.Log
	recorder *recorder
	observer *observer
	clients  []*client
	outages  *outages
	stepper  *stepper

	stop     context.CancelFunc // ends the clients' work
	endGrace context.CancelFunc // ends what they may finish
	done     chan struct{}      // closed when everything has ended
	err      error              // what went wrong; read it once done is closed

	mu    sync.Mutex
	state event.State
	delay time.Duration
}

// Start makes the run's znodes and lets its clients loose. Ctx bounds only the
// start: a run goes on until Stop. When Start fails it leaves nothing behind.
func Start(ctx context.Context, config Config) (*Run, error) {
	if err := config.Scenario.Validate(); err != nil {
		return nil, err
	}
	if config.Gate == nil {
		config.Gate = func(context.Context) error { return nil }
	}
	if config.EndPatience == 0 {
		config.EndPatience = endPatience
	}
	r := newRun(config)
	if err := r.plant(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare the run on ZooKeeper: %w", err), r.abandon(ctx))
	}
	r.recorder.record(event.Event{Kind: event.NoteStarted, Why: config.Scenario.Title})
	if config.Scenario.Step || r.hasScript() {
		r.stepper.beginWithRun()
	}
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	r.stop = stop
	go r.execute(work)
	return r, nil
}

// abandon frees what a run took whose start failed.
func (r *Run) abandon(ctx context.Context) error {
	r.endGrace()
	for _, c := range r.clients {
		c.close(ctx)
	}
	return errors.Join(r.outages.end(ctx), r.Close())
}

func newRun(config Config) *Run {
	r := &Run{config: config, root: path.Join(config.Base, "rooms", config.Room, config.ID), done: make(chan struct{}),
		state: event.Running, delay: time.Duration(config.Scenario.Delay)}
	r.stepper = &stepper{run: r}
	for _, spec := range config.Scenario.Lanes {
		r.lanes = append(r.lanes, event.Lane{Name: spec.Name, Title: spec.Title, Recipe: spec.Recipe,
			Path: path.Join(r.root, spec.Name), Clients: config.Scenario.Clients, Account: spec.Account})
	}
	r.log = event.NewLog(event.LogConfig{Dir: config.LogDir, LimitBytes: config.LogLimit})
	r.recorder = newRecorder(r.log, r.Describe())
	r.observer = newObserver(config, r.root, r.lanes, r.recorder)
	r.outages = newOutages(config.Cluster, r.recorder)
	shared := common{config: config, recorder: r.recorder, dial: newDialLimit().after(r.observer.awaitWatch, watchPatience(time.Duration(config.Scenario.Session))), accounts: newAccounts(r.root, r.lanes), stepper: r.stepper}
	shared.grace, r.endGrace = context.WithCancel(context.Background())
	for _, lane := range r.lanes {
		for number := range lane.Clients {
			r.clients = append(r.clients, newClient(lane, number+1, shared))
		}
	}
	return r
}

// Stop asks the run to end; Done tells when it has. It is idempotent.
func (r *Run) Stop() { r.stop() }

// Done is closed when the run has finished and nothing of it is left on ZooKeeper.
func (r *Run) Done() <-chan struct{} { return r.done }

// Wait returns when the run has finished, with what went wrong, or with ctx's error.
func (r *Run) Wait(ctx context.Context) error {
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Close frees the log, once the run has finished and its readers are through.
func (r *Run) Close() error { return r.log.Close() }

// Log is the run's log. Only the run appends to it.
func (r *Run) Log() *event.Log { return r.log }

// Summary tells what the run has come to so far.
func (r *Run) Summary() check.Summary { return r.recorder.summary() }

// State is how far the run is.
func (r *Run) State() event.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

func (r *Run) setState(s event.State) {
	r.mu.Lock()
	r.state = s
	r.mu.Unlock()
	r.changed(s)
}

func (r *Run) changed(s event.State) {
	if r.config.Changed != nil {
		r.config.Changed(s)
	}
}

// SetDelay changes, from now on, how long the links carry each frame each way.
func (r *Run) SetDelay(d time.Duration) error {
	if err := within("delay", Duration(d), 0, r.config.Scenario.maxDelay()); err != nil {
		return err
	}
	if !r.slow(d) {
		return ErrNotRunning
	}
	r.changed(event.Running)
	return nil
}

// slow sets the delay unless the run is ending, which lifts it for good.
func (r *Run) slow(d time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state != event.Running {
		return false
	}
	r.delay = d
	for _, c := range r.clients {
		c.pace.set(d)
	}
	return true
}

// NoteZooKeeper writes down that the server went away or came back.
func (r *Run) NoteZooKeeper(why string) {
	r.recorder.record(event.Event{Kind: event.NoteZooKeeper, Why: why})
}

// Describe tells readers of the log what they need to know of the run.
func (r *Run) Describe() event.Run {
	step, steps := r.stepper.progress()
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.config.Scenario
	return event.Run{
		ID: r.config.ID, Room: r.config.Room, Scenario: s.Name, Title: s.Title, State: r.state,
		Seed: s.Seed, Clients: s.Clients, Delay: r.delay.String(), Session: time.Duration(s.Session).String(),
		Step: step, Steps: steps,
		Lanes: r.lanes, ZooKeeper: r.config.ZooKeeper, Expect: s.Expect,
		Events: r.log.Len(), At: r.log.Now().Microseconds(),
	}
}
