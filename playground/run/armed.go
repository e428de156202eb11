package run

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A moment is something that a client comes to again and again, and that an armed
// fault can wait for. To add one, add it to moments.
type moment struct {
	scenario.MomentKind
	// reached says that the client of e, which is about the lane's locks, has just come to it.
	reached func(e event.Event) bool
}

func moments() []moment {
	return []moment{
		{scenario.MomentKind{Name: "hold", Title: "at the next hold", Sentence: "as soon as it has acquired the lock"},
			func(e event.Event) bool { return e.Kind == event.LockAcquired }},
		{scenario.MomentKind{Name: "wait", Title: "at the next wait", Sentence: "as soon as it waits for its turn"},
			func(e event.Event) bool { return e.Kind == event.LockWaiting }},
		{scenario.MomentKind{Name: "create", Title: "at the next create", Sentence: "as soon as the server has made its znode, perhaps before it hears of that"},
			func(e event.Event) bool { return e.Kind == event.TreeCreated }},
	}
}

func momentOf(name string) moment {
	all := moments()
	return all[slices.IndexFunc(all, func(m moment) bool { return m.Name == name })] // the fault is valid
}

// maxArmed is how many faults may be armed at a time in one run.
const maxArmed = 20

// armedFaults are the faults of one run that wait for a client to come to a moment.
// Its methods are safe for concurrent use.
type armedFaults struct {
	run     *Run
	ending  context.Context // ends with the run
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu   sync.Mutex
	over bool // the run ends: none is armed any more
	set  map[armedKey]*armedFault
}

// An armedKey is what there can be one armed fault of. Client 0 is whoever comes first.
type armedKey struct {
	lane   string
	client int
	fault  string
}

// An armedFault is one of them in one lane.
type armedFault struct {
	armedKey
	fault  scenario.Fault
	forget context.CancelFunc // ends the wait
}

func newArmedFaults(r *Run) *armedFaults {
	a := &armedFaults{run: r, set: make(map[armedKey]*armedFault)}
	a.ending, a.cancel = context.WithCancel(context.Background())
	return a
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
	if r.stepper.Holding() {
		return fmt.Errorf("%w: in step mode the moment is in your hand, so that no fault can be armed", client.ErrImpossible)
	}
	return r.armed.add(f)
}

func (a *armedFaults) add(f scenario.Fault) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over || a.run.State() != event.Running {
		return client.ErrNotRunning
	}
	for _, lane := range a.run.lanes {
		if f.Lane != "" && f.Lane != lane.Name {
			continue
		}
		if len(a.set) >= maxArmed {
			return fmt.Errorf("%w: %d faults are armed, disarm some first", client.ErrImpossible, len(a.set))
		}
		a.begin(armedKey{lane.Name, f.Client, f.Name}, f)
	}
	return nil
}

// begin arms one fault in one lane. The caller holds the mutex.
func (a *armedFaults) begin(key armedKey, f scenario.Fault) {
	if before := a.set[key]; before != nil {
		before.forget()
	}
	f.Lane = key.lane
	armed := &armedFault{armedKey: key, fault: f}
	waiting, forget := context.WithCancel(a.ending)
	armed.forget = forget
	a.set[key] = armed
	from := a.run.log.Len() + 1
	a.run.recorder.Record(armed.told(event.FaultArmed, "armed: "+momentOf(f.When).Title))
	a.running.Go(func() { a.wait(waiting, armed, from) })
}

// told is an event about an armed fault.
func (f *armedFault) told(kind event.Kind, why string) event.Event {
	return event.Event{Kind: kind, Lane: f.lane, Client: f.client, Fault: f.fault.Name, When: f.fault.When,
		For: f.fault.For.Milliseconds(), Why: why}
}

// wait injects the fault when a client has come to its moment, by the log from
// there on.
func (a *armedFaults) wait(ctx context.Context, f *armedFault, from int64) {
	defer f.forget()
	reached, err := a.run.awaitMoment(ctx, f, from)
	if err != nil || !a.trigger(f, reached) {
		return
	}
	now := f.fault
	now.Client, now.When = reached.Client, ""
	err = a.run.Inject(a.ending, now)
	if err != nil && a.ending.Err() == nil {
		a.run.recorder.Record(event.Event{Kind: event.NoteFault, Lane: f.lane, Client: reached.Client, Fault: f.fault.Name,
			Why: "the armed fault did not happen: " + err.Error()})
	}
}

// trigger takes the fault out, unless it has been disarmed, or armed anew.
func (a *armedFaults) trigger(f *armedFault, reached event.Event) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.set[f.armedKey] != f {
		return false
	}
	delete(a.set, f.armedKey)
	a.run.recorder.Record(f.told(event.FaultTriggered, fmt.Sprintf("client %d has come to it, see event %d", reached.Client, reached.Seq)))
	return true
}

// awaitMoment returns the first event with which a client comes to the moment of an
// armed fault, after the event that it was armed with.
func (r *Run) awaitMoment(ctx context.Context, f *armedFault, from int64) (event.Event, error) {
	reached := momentOf(f.fault.When).reached
	lane := r.lanes[slices.IndexFunc(r.lanes, func(l event.Lane) bool { return l.Name == f.lane })]
	armed := false
	for {
		if err := r.log.Wait(ctx, from); err != nil {
			return event.Event{}, err
		}
		events, err := r.log.Read(from, armedBatch)
		if err != nil {
			return event.Event{}, err
		}
		for _, e := range events {
			switch {
			case e.Lane != f.lane || e.Client == 0 && e.Kind != event.FaultArmed:
			case e.Kind == event.FaultArmed:
				armed = armed || e.Client == f.client && e.Fault == f.fault.Name
			case armed && (f.client == 0 || f.client == e.Client) && lane.Concerns(&e) && reached(e):
				return e, nil
			}
		}
		from += int64(len(events))
	}
}

// armedBatch is how many events are read from the log at a time.
const armedBatch = 256

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
	n := r.armed.disarm("disarmed by hand", func(k armedKey) bool {
		return (lane == "" || k.lane == lane) && (number == nil || k.client == *number) && (fault == "" || k.fault == fault)
	})
	if n == 0 {
		return 0, fmt.Errorf("%w: no such fault is armed", client.ErrImpossible)
	}
	return n, nil
}

// disarm disarms those that fit.
func (a *armedFaults) disarm(why string, fits func(armedKey) bool) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	inOrder := slices.SortedFunc(maps.Keys(a.set), func(x, y armedKey) int {
		return cmp.Or(cmp.Compare(x.lane, y.lane), x.client-y.client, cmp.Compare(x.fault, y.fault))
	})
	for _, key := range inOrder {
		if fits(key) {
			n++
			a.set[key].forget()
			a.run.recorder.Record(a.set[key].told(event.FaultDisarmed, why))
			delete(a.set, key)
		}
	}
	return n
}

// end disarms all, for good, and waits until none is being injected.
func (a *armedFaults) end() {
	a.mu.Lock()
	a.over = true
	a.mu.Unlock()
	a.disarm("the run ends", func(armedKey) bool { return true })
	a.cancel()
	a.running.Wait()
}
