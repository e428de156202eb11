package run

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// startAgainAfter is how long after its session has timed out a client is started
// again that the injection crashed.
const startAgainAfter = time.Second

// injection injects faults into the run's clients again and again, as far as it is
// switched on. In each lane it follows the same plan. Its methods are safe for
// concurrent use.
type injection struct {
	run     *Run
	running sync.WaitGroup

	mu    sync.Mutex
	life  context.Context // nil until the clients are let loose
	asked scenario.Injection
	off   map[string]context.CancelFunc // by the name of a fault that is on
}

func newInjection(r *Run) *injection {
	return &injection{run: r, asked: r.config.Scenario.Inject.With(nil), off: make(map[string]context.CancelFunc)}
}

// SetInjection changes, from now on, which faults come again and again. What change
// leaves out stays as it is.
func (r *Run) SetInjection(change scenario.Injection) error {
	if err := change.Validate(Catalogue()); err != nil {
		return err
	}
	if err := r.injection.set(change); err != nil {
		return err
	}
	r.changed(event.Running)
	return nil
}

func (i *injection) set(change scenario.Injection) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.run.State() != event.Running || i.life != nil && i.life.Err() != nil {
		return client.ErrNotRunning
	}
	before := i.asked.Faults(Catalogue())
	i.asked = i.asked.With(change)
	for n, r := range i.asked.Faults(Catalogue()) {
		if r != before[n] {
			i.run.noteInjection(r, nil)
			i.turn(r)
		}
	}
	return nil
}

// noteInjection writes down how often a fault comes from now on.
func (r *Run) noteInjection(f scenario.Repeated, why *event.Reason) {
	r.recorder.Record(event.Event{Kind: event.NoteInjection, Fault: f.Fault, Every: f.Every.Milliseconds(), Reason: why})
}

// now is what is on.
func (i *injection) now() scenario.Injection {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.asked
}

// begin lets the faults come until ctx ends. End must follow.
func (i *injection) begin(ctx context.Context) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.life = ctx
	for _, r := range i.asked.Faults(Catalogue()) {
		i.turn(r)
	}
}

// turn turns one fault on or off. The caller holds the mutex.
func (i *injection) turn(r scenario.Repeated) {
	if off := i.off[r.Fault]; off != nil {
		off()
		delete(i.off, r.Fault)
	}
	if r.Every == 0 || i.life == nil {
		return
	}
	ctx, off := context.WithCancel(i.life)
	i.off[r.Fault] = off
	began := i.run.log.Now()
	for _, lane := range i.run.lanes {
		i.running.Go(func() { i.follow(ctx, r, lane.Name, began) })
	}
}

// end waits until nothing is injected any more, once the context of begin has ended.
func (i *injection) end() {
	i.mu.Lock()
	for _, r := range i.asked.Faults(Catalogue()) {
		if r.Every != 0 {
			i.run.noteInjection(scenario.Repeated{Fault: r.Fault}, client.RunEnds.With())
		}
	}
	i.asked = scenario.Injection{}
	i.mu.Unlock()
	i.running.Wait()
}

// follow injects one fault in one lane, as its plan has it. While the network is held
// nothing comes: a fault would fall between the steps that are taken by hand.
func (i *injection) follow(ctx context.Context, r scenario.Repeated, lane string, began time.Duration) {
	plan := scenario.NewInjectionPlan(i.run.config.Scenario, Catalogue(), r)
	for due := began; ; {
		next := plan.Next()
		due += next.After
		if i.run.log.Now()-due > r.Every { // the program has stood still, and what it missed is not to come at once
			continue
		}
		if !clock.Sleep(ctx, due-i.run.log.Now()) {
			return
		}
		if i.run.stepper.Holding() {
			continue
		}
		soon, cancel := context.WithTimeout(ctx, r.Every/4) // before the next one
		number := i.choose(soon, lane, next, r.Fault)
		cancel()
		if number != 0 {
			i.inject(ctx, scenario.Fault{Name: r.Fault, Client: number, Lane: lane})
		}
	}
}

// choose returns the client that a fault is to be injected into, 0 for nobody. The
// process of the last one that is alive does not end.
func (i *injection) choose(ctx context.Context, lane string, next scenario.Injected, fault string) int {
	numbers := i.run.numbers(lane)
	fits := map[scenario.Role]func(role) bool{
		scenario.Holder:  func(r role) bool { return r == holds },
		scenario.Waiter:  func(r role) bool { return r == waits },
		scenario.Anybody: func(r role) bool { return r != gone },
	}
	if next.Role == scenario.Holder {
		i.run.awaitHolder(ctx, lane)
	}
	number, alive := i.run.recorder.choose(lane, next.From, numbers, fits[next.Role])
	if number == 0 { // as where a recipe does not tell that it waits
		number, _ = i.run.recorder.choose(lane, next.From, numbers, fits[scenario.Anybody])
	}
	if endsProcess(fault) && alive < 2 {
		return 0
	}
	return number
}

func endsProcess(fault string) bool {
	kind, _ := Catalogue().Fault(fault)
	return slices.Contains(kind.Effects, event.EndsProcess)
}

// inject does a fault, and starts a client again that has crashed by it: when its
// session has timed out, and with it its znode.
func (i *injection) inject(ctx context.Context, f scenario.Fault) {
	if err := i.run.inject(ctx, f); err != nil {
		i.missed(ctx, f, err)
		return
	}
	if !endsProcess(f.Name) {
		return
	}
	i.running.Go(func() { // its time goes on when the switch is turned off
		if !clock.Sleep(i.life, time.Duration(i.run.config.Scenario.Session)+startAgainAfter) {
			return
		}
		f.Name = client.StartAgain
		if err := i.run.inject(i.life, f); !errors.Is(err, client.ErrImpossible) { // else somebody was faster
			i.missed(i.life, f, err)
		}
	})
}

var injectedMissed = event.NewCode("injected-missed", "the injected fault did not happen: {reason}")

// missed tells that a fault did not happen, if so.
func (i *injection) missed(ctx context.Context, f scenario.Fault, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	i.run.recorder.Record(event.Event{Kind: event.NoteFault, Lane: f.Lane, Client: f.Client,
		Fault: f.Name, Reason: injectedMissed.With(client.Because(err))})
}
