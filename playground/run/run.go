package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/observer"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/playground/store"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A Config is what a run needs to know.
type Config struct {
	Backend
	// Base is the topmost znode that is the playground's own. The run makes what
	// is missing of BASE/rooms/ROOM/ID, and in the end removes of that whatever
	// nobody else uses.
	Base string
	// Room and ID name the run. An ID must be new in its room.
	Room, ID string
	// Scenario is what to do.
	Scenario scenario.Scenario
	// LogDir and LogLimit are those of event.LogConfig.
	LogDir   string
	LogLimit int64
	// Limits are what the run may take.
	Limits Limits
	// Program is what clients run in lanes whose recipe is a program; nil if there is none.
	// Its Sessions are made by the run.
	Program *client.ProgramConfig
	// Starlark is Program of lanes that have a source, which is added to its Env.
	Starlark *client.ProgramConfig
	// Replay is that of step.Config.
	Replay [][]scenario.Step
	// EndTimeout bounds the end of the run: what ZooKeeper does not answer in
	// this time is left to it. 0 means 3 s.
	EndTimeout time.Duration
	// Changed is told after each change of the run's state; it must be quick.
	// Nil means nobody.
	Changed func(event.State)
}

// A Run is one execution of a scenario. Its methods are safe for concurrent use.
type Run struct {
	config    Config
	root      string // the run's own znode
	zookeeper wire.Ensemble
	server    event.Server // that answered when the run began
	lanes     []event.Lane
	log       *event.Log
	recorder  *recorder
	observer  *observer.Observer
	stores    map[string]store.Store // by lane
	shared    client.Config          // what the clients have in common
	clients   []*client.Client
	guests    *guests
	outages   *outages
	stepper   *step.Stepper
	injection *injection

	stop     context.CancelFunc // ends the clients' work
	endGrace context.CancelFunc // ends what they may finish
	done     chan struct{}      // closed when everything has ended
	// endTriggered ends the injections of armed faults, which triggered waits for.
	endTriggered context.CancelFunc
	triggered    sync.WaitGroup
	err          error // what went wrong; read it once done is closed

	// slowing is had while the delay is changed and told, so that the log has the
	// changes in the order of the links.
	slowing sync.Mutex

	mu    sync.Mutex
	state event.State
	delay time.Duration
	why   *event.Reason // it was stopped, if that is to be told
}

var errNoProgram = errors.New("there is no program: start the playground with -lock COMMAND")

var titled = event.NewCode("titled", "{served title}")

// Start makes the run's znodes and lets its clients loose. Ctx bounds only the
// start: a run goes on until Stop. When Start fails it leaves nothing behind.
func Start(ctx context.Context, config Config) (*Run, error) {
	if err := config.Scenario.Validate(Catalogue()); err != nil {
		return nil, err
	}
	if config.EndTimeout == 0 {
		config.EndTimeout = endTimeout
	}
	r := newRun(config)
	r.openStores(ctx)
	r.newClients()
	r.guests = newGuests(r)
	r.newStepper()
	if err := r.createDirectories(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare the run on ZooKeeper: %w", err), r.abandon(ctx))
	}
	r.recorder.Record(event.Event{Kind: event.NoteStarted, Reason: titled.With(config.Scenario.Title)})
	r.noteDelay(time.Duration(config.Scenario.Delay), nil)
	for _, repeated := range config.Scenario.Inject.Faults(Catalogue()) {
		if repeated.Every > 0 {
			r.noteInjection(repeated, nil)
		}
	}
	if config.Scenario.Step || r.stepper.HasScript() {
		r.stepper.BeginWithRun()
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
		c.Close(ctx)
	}
	return errors.Join(r.outages.end(ctx), r.closeStores(ctx), r.Close())
}

func newRun(config Config) *Run {
	r := &Run{config: config, root: path.Join(config.Base, "rooms", config.Room, config.ID), done: make(chan struct{}),
		server: config.Backend.Describe(), zookeeper: wire.Ensemble{Addresses: config.Servers, Ready: config.Gate, SuperPassword: config.SuperPassword},
		state: event.Running, delay: time.Duration(config.Scenario.Delay)}
	for _, lane := range config.Scenario.Lanes {
		r.lanes = append(r.lanes, r.laneOf(lane))
	}
	r.log = event.NewLog(event.LogConfig{Dir: config.LogDir, LimitBytes: config.LogLimit})
	r.recorder = newRecorder(r.log, r.described(), config.Limits)
	r.observer = observer.New(observer.Config{ZooKeeper: r.zookeeper, Root: r.root, Lanes: r.inZooKeeper(),
		Recorder: r.recorder, CloseTimeout: config.EndTimeout / 10})
	r.outages = newOutages(config.Cluster, r.recorder)
	r.injection = newInjection(r)
	triggered, end := context.WithCancel(context.Background())
	r.endTriggered = end
	r.recorder.armed.trigger = func(f scenario.Fault, reached event.Event) {
		r.triggered.Go(func() { r.injectTriggered(triggered, f, reached) })
	}
	return r
}

func (r *Run) laneOf(lane scenario.Lane) event.Lane {
	recipe := recipeOf(lane.Recipe)
	l := event.Lane{Name: lane.Name, Title: lane.Title, Recipe: lane.Recipe, Root: path.Join(r.root, lane.Name),
		Clients: r.config.Scenario.Clients, Account: lane.Account, Permits: lane.Permits, Store: recipe.Store, Source: lane.Source}
	l.Path = path.Join(l.Root, "lock")
	for _, name := range lane.Locks {
		l.Locks = append(l.Locks, path.Join(l.Root, name))
	}
	if len(l.Locks) > 0 {
		l.Path = l.Locks[0]
	}
	if recipe.Program && r.programOf(l) == nil {
		l.Missing = errNoProgram.Error()
	}
	return l
}

// newClients makes the clients, which share their connections' limit.
func (r *Run) newClients() {
	r.shared = client.Config{Scenario: r.config.Scenario, ZooKeeper: r.zookeeper, Recorder: r.recorder,
		DialContext:      client.NewDialLimit(r.observer.AwaitWatch, time.Duration(r.config.Scenario.Session)).DialContext,
		HandshakeTimeout: r.config.EndTimeout / 6,
		Stepping:         func() bool { return r.stepper.Holding() }}
	r.shared.Grace, r.endGrace = context.WithCancel(context.Background())
	sessions := chroot.NewSessions()
	for _, lane := range r.lanes {
		if lane.Missing != "" {
			continue
		}
		account := client.NewAccount(lane)
		recipe := recipeOf(lane.Recipe)
		own := r.shared
		own.Store, own.Program = r.stores[lane.Name], r.programOf(lane)
		if own.Program != nil {
			own.Program.Sessions = sessions
		}
		for number := range lane.Clients {
			r.clients = append(r.clients, client.New(lane, number+1, recipe, account, own))
		}
	}
}

func (r *Run) newStepper() {
	var held []step.Participant
	for _, c := range r.clients {
		held = append(held, c)
	}
	r.stepper = step.New(step.Config{Scenario: r.config.Scenario, Replay: r.config.Replay, Clients: held,
		Log: r.log, Record: r.recorder.Record, Inject: r.inject, Delay: r.delayNow,
		Changed: func() { r.changed(r.State()) }})
}

// Stop asks the run to end; Done tells when it has. It is idempotent.
func (r *Run) Stop() { r.stop() }

// StopBecause is Stop for a reason that the log is to tell.
func (r *Run) StopBecause(why *event.Reason) {
	r.mu.Lock()
	if r.why == nil {
		r.why = why
	}
	r.mu.Unlock()
	r.stop()
}

// endReason is what StopBecause was told; nil if it was not called.
func (r *Run) endReason() *event.Reason {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.why
}

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

// ID is the run's id.
func (r *Run) ID() string { return r.config.ID }

// Log is the run's log. Only the run appends to it.
func (r *Run) Log() *event.Log { return r.log }

// NewestState is the number of the newest event that has the whole state; 0 if there is none.
func (r *Run) NewestState() int64 { return r.recorder.stateAt(math.MaxInt64) }

// StateAt is the number of the newest event that has the whole state and is not after an
// instant, in microseconds; 0 if there is none.
func (r *Run) StateAt(at int64) int64 { return r.recorder.stateAt(at) }

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

// NoteZooKeeper writes down that the server went away or came back.
func (r *Run) NoteZooKeeper(why *event.Reason) {
	r.recorder.Record(event.Event{Kind: event.NoteZooKeeper, Reason: why})
}

// Scenario is what the run does, with the delay and the injection that it has now.
func (r *Run) Scenario() scenario.Scenario {
	s := r.config.Scenario
	s.Delay, s.Inject = scenario.Duration(r.delayNow()), r.injection.now()
	return s
}

// Step does a command of step mode; see [step.Stepper.Do].
func (r *Run) Step(ctx context.Context, c step.Command) (step.Result, error) {
	if err := r.stepper.Check(c); err != nil {
		return step.Result{}, err
	}
	if r.State() != event.Running {
		return step.Result{}, client.ErrNotRunning
	}
	done, err := r.stepper.Do(ctx, c)
	if err != nil {
		return step.Result{}, err
	}
	on, steps := r.stepper.Progress()
	return step.Result{Done: done, Step: on, Steps: steps}, nil
}

// Steps tells what waits to be delivered by hand, and what has been done so far.
func (r *Run) Steps() step.State { return r.stepper.State() }

// StepsSince is [step.Stepper.Since].
func (r *Run) StepsSince(told step.Told) (change step.Change, now step.Told, news bool) {
	return r.stepper.Since(told)
}

// Script is that of [step.Stepper].
func (r *Run) Script() (groups [][]scenario.Step, whole bool) { return r.stepper.Script() }

// Describe tells readers of the log what they need to know of the run.
func (r *Run) Describe() event.Run {
	described := r.described()
	described.Step, described.Steps = r.stepper.Progress()
	return described
}

// described is [Run.Describe] without the steps.
func (r *Run) described() event.Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.config.Scenario
	return event.Run{
		ID: r.config.ID, Room: r.config.Room, Scenario: s.Name, Title: s.Title, State: r.state,
		Seed: s.Seed, Clients: s.Clients, Delay: r.delay.String(), Session: time.Duration(s.Session).String(),
		Lanes: r.lanes, ZooKeeper: r.server, Expect: s.Expect, Decisive: s.Decisive,
		Events: r.log.Len(), At: r.log.Now().Microseconds(),
	}
}
