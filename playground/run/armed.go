package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A moment is something that a client comes to again and again, and that an armed
// fault can wait for. To add one, add it to moments.
type moment struct {
	scenario.MomentKind
	// believed says that it is a belief, which no frame shows.
	believed bool
	// reached says that the client of e, which is about the lane's locks, has just come to it.
	reached func(e event.Event) bool
}

func moments() []moment {
	return []moment{
		{scenario.MomentKind{Name: "hold", Title: "at the next hold", Sentence: "as soon as it has acquired the lock"}, true,
			func(e event.Event) bool { return e.Kind == event.LockAcquired }},
		{scenario.MomentKind{Name: "wait", Title: "at the next wait", Sentence: "as soon as it waits for its turn"}, false,
			func(e event.Event) bool { return e.Kind == event.LockWaiting }},
		{scenario.MomentKind{Name: "create", Title: "at the next create", Sentence: "as soon as the server has made its znode, perhaps before it hears of that"}, false,
			func(e event.Event) bool { return e.Kind == event.TreeCreated }},
	}
}

func momentOf(name string) moment {
	all := moments()
	return all[slices.IndexFunc(all, func(m moment) bool { return m.Name == name })] // the fault is valid
}

// maxArmed is how many faults may be armed at a time in one run.
const maxArmed = 20

var (
	isArmed     = event.NewCode("armed", "armed: {served moment}")
	hasCome     = event.NewCode("moment-reached", "{client} has come to it[, see event {event}]")
	armedMissed = event.NewCode("armed-missed", "the armed fault did not happen: {reason}")
	byHand      = event.NewCode("disarmed-by-hand", "disarmed by hand")
)

// armedFaults are the faults of one run that wait for a client to come to a moment, in the
// order in which they were armed. The recorder guards them.
type armedFaults struct {
	all  []*armedFault
	over bool // the run ends: none is armed any more
	// trigger injects a fault after the event that it waited for, and does not wait.
	trigger func(scenario.Fault, event.Event)
}

// An armedFault waits in one lane. Client 0 of the fault is whoever comes first.
type armedFault struct {
	scenario.Fault
	moment moment
	lane   event.Lane
}

// same says whether both wait for the same, whatever their parameters.
func (f *armedFault) same(other *armedFault) bool {
	return f.Lane == other.Lane && f.Client == other.Client && f.Name == other.Name
}

// reachedBy says whether with e a client comes to the moment.
func (f *armedFault) reachedBy(e event.Event) bool {
	return e.Client != 0 && e.Lane == f.Lane && (f.Client == 0 || f.Client == e.Client) && f.lane.Concerns(&e) && f.moment.reached(e)
}

// told is an event about the fault.
func (f *armedFault) told(kind event.Kind, why *event.Reason) event.Event {
	return event.Event{Kind: kind, Lane: f.Lane, Client: f.Client, Fault: f.Name, When: f.When,
		For: f.For.Milliseconds(), Reason: why}
}

// takeOut takes out the faults that fit.
func (a *armedFaults) takeOut(fits func(*armedFault) bool) (out []*armedFault) {
	a.all = slices.DeleteFunc(a.all, func(f *armedFault) bool {
		if !fits(f) {
			return false
		}
		out = append(out, f)
		return true
	})
	return out
}

// arm arms f, in its lane or in each, for its client or for whichever comes first.
// One that is armed already for the same takes on the new parameters.
func (r *Run) arm(f scenario.Fault) error {
	if err := f.Validate(Catalogue(), r.config.Scenario.MaxDelay()); err != nil {
		return err
	}
	if f.Lane != "" && !r.config.Scenario.HasLane(f.Lane) || f.Client < 0 || !r.has(f.Lane, f.Client) {
		return r.noClient(f)
	}
	if momentOf(f.When).believed && f.Client > r.config.Scenario.Clients && !r.tells(f.Lane, f.Client) {
		return fmt.Errorf("%w: guest %d does not tell when it holds, so nothing can be armed for that; it can join with \"tells\":true", client.ErrImpossible, f.Client)
	}
	if r.stepper.Holding() {
		return fmt.Errorf("%w: in step mode the moment is in your hand, so that no fault can be armed", client.ErrImpossible)
	}
	if r.State() != event.Running {
		return client.ErrNotRunning
	}
	for _, lane := range r.lanes {
		if f.Lane != "" && f.Lane != lane.Name {
			continue
		}
		armed := &armedFault{f, momentOf(f.When), lane}
		armed.Lane = lane.Name
		if err := r.recorder.arm(armed); err != nil {
			return err
		}
	}
	return nil
}

func (r *recorder) arm(f *armedFault) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.armed.over:
		return client.ErrNotRunning
	case len(r.armed.all) >= maxArmed:
		return fmt.Errorf("%w: %d faults are armed, disarm some first", client.ErrImpossible, maxArmed)
	}
	r.append(f.told(event.FaultArmed, isArmed.With(f.moment.Title)))
	r.armed.takeOut(f.same)
	r.armed.all = append(r.armed.all, f)
	return nil
}

// trigger triggers the faults whose moment comes with e, and lets add append that.
func (r *recorder) trigger(e event.Event, add func(event.Event)) {
	for _, f := range r.armed.takeOut(func(f *armedFault) bool { return f.reachedBy(e) }) {
		add(f.told(event.FaultTriggered, hasCome.With(e.Client, e.Seq)))
		r.armed.trigger(f.Fault, e)
	}
}

// injectTriggered injects a fault into the client that has come to its moment.
func (r *Run) injectTriggered(ctx context.Context, f scenario.Fault, reached event.Event) {
	f.Client, f.When = reached.Client, ""
	if err := r.Inject(ctx, f); err != nil && ctx.Err() == nil {
		r.recorder.Record(event.Event{Kind: event.NoteFault, Lane: f.Lane, Client: f.Client, Fault: f.Name,
			Reason: armedMissed.With(client.Because(err))})
	}
}

// Disarm disarms the faults that are armed for a client of a lane, or those for
// whichever comes first with a client of 0. Without a lane, a client or a fault it
// is all of them. It returns how many they were; none is client.ErrImpossible.
func (r *Run) Disarm(lane string, number *int, fault string) (int, error) {
	if !r.config.Scenario.HasLane(lane) || number != nil && (*number < 0 || !r.has(lane, *number)) {
		f := scenario.Fault{Lane: lane}
		if number != nil {
			f.Client = *number
		}
		return 0, r.noClient(f)
	}
	if _, ok := Catalogue().Fault(fault); fault != "" && !ok {
		return 0, fmt.Errorf("%w %q", scenario.ErrUnknownFault, fault)
	}
	if r.State() != event.Running {
		return 0, client.ErrNotRunning
	}
	n := r.recorder.disarm(byHand.With(), func(f *armedFault) bool {
		return (lane == "" || f.Lane == lane) && (number == nil || f.Client == *number) && (fault == "" || f.Name == fault)
	})
	if n == 0 {
		return 0, fmt.Errorf("%w: no such fault is armed", client.ErrImpossible)
	}
	return n, nil
}

// disarm disarms those that fit, and says how many they were.
func (r *recorder) disarm(why *event.Reason, fits func(*armedFault) bool) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	disarmed := r.armed.takeOut(fits)
	for _, f := range disarmed {
		r.append(f.told(event.FaultDisarmed, why))
	}
	return len(disarmed)
}

// endArmed disarms all, for good, and returns when none is being injected.
func (r *Run) endArmed() {
	r.recorder.mu.Lock()
	r.recorder.armed.over = true
	r.recorder.mu.Unlock()
	r.recorder.disarm(client.RunEnds.With(), func(*armedFault) bool { return true })
	r.endTriggered()
	r.triggered.Wait()
}
