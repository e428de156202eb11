package client

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// activeFaults are the faults that last on one client, by name. A fault is recorded
// as injected after its effect begins, and as healed before its effect ends: all
// that the log has between these two happened under the fault. The participant's
// methods below are safe for concurrent use.
type activeFaults struct {
	ending context.Context // ends when no fault may begin any more
	end    context.CancelFunc

	mu     sync.Mutex
	byName map[string]*activeFault
}

func newActiveFaults() *activeFaults {
	a := &activeFaults{byName: make(map[string]*activeFault)}
	a.ending, a.end = context.WithCancel(context.Background())
	return a
}

var timeIsOver = event.NewCode("time-is-over", "its time is over")

// An effect is what a fault that lasts has brought about.
type effect struct {
	why  *event.Reason // for the log
	undo func()
	// over is closed when the effect has ended by itself, and ended says then
	// how; nil if it never does. Such a fault is undone before the same comes
	// again.
	over  <-chan struct{}
	ended func() *event.Reason
}

// An activeFault is one fault that lasts.
type activeFault struct {
	effect
	cutsOut bool          // see [Fault]
	undone  chan struct{} // closed when it has been undone
	timer   *time.Timer   // ends it; nil when it lasts until it is healed
}

// begin begins a fault that lasts. If the same fault lasts already, the new one
// takes its place without a gap, and its time begins anew.
func (p *Participant) begin(kind Fault, f scenario.Fault) error {
	p.active.mu.Lock()
	defer p.active.mu.Unlock()
	if err := p.mayBegin(); err != nil {
		return err
	}
	if kind.may != nil {
		if err := kind.may(p); err != nil {
			return err
		}
	}
	begun := &activeFault{cutsOut: kind.cutsOut, undone: p.replace(f.Name), effect: kind.begin(p, f)}
	p.active.byName[f.Name] = begun
	p.config.Recorder.Record(p.injected(f, begun.why))
	if f.For > 0 {
		begun.timer = time.AfterFunc(time.Duration(f.For), func() { p.healOnly(f.Name, begun, timeIsOver.With()) })
	}
	if begun.over != nil {
		p.waiting.Go(func() { p.awaitEnd(f.Name, begun) })
	}
	return nil
}

// awaitEnd records a fault as healed when it has ended by itself.
func (p *Participant) awaitEnd(name string, begun *activeFault) {
	select {
	case <-begun.over:
		p.healOnly(name, begun, begun.ended())
	case <-begun.undone:
	}
}

// mayBegin says why no fault can begin any more, if so. The caller holds the mutex.
func (p *Participant) mayBegin() error {
	if err := p.present(); err != nil {
		return err
	}
	if p.active.ending.Err() != nil {
		return ErrNotRunning
	}
	return nil
}

func (p *Participant) mayBeginNow() error {
	p.active.mu.Lock()
	defer p.active.mu.Unlock()
	return p.mayBegin()
}

// faultContext returns ctx for a fault that takes time: it also ends when no fault
// may begin any more. If that is so already, it returns an error.
func (p *Participant) faultContext(ctx context.Context) (context.Context, context.CancelFunc, error) {
	p.active.mu.Lock()
	defer p.active.mu.Unlock()
	if err := p.mayBegin(); err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(p.active.ending, cancel)
	return ctx, func() { forget(); cancel() }, nil
}

func (a *activeFault) stopTimer() {
	if a.timer != nil {
		a.timer.Stop()
	}
}

// healOnly ends a fault unless it has ended already.
func (p *Participant) healOnly(name string, begun *activeFault, why *event.Reason) {
	p.active.mu.Lock()
	defer p.active.mu.Unlock()
	if p.active.byName[name] == begun {
		p.heal(name, why)
	}
}

// endFaults ends every fault that lasts, and lets no other begin.
func (p *Participant) endFaults(why *event.Reason) {
	p.active.mu.Lock()
	defer p.active.mu.Unlock()
	p.active.end()
	for _, name := range p.active.names() {
		p.heal(name, why)
	}
}

// names are those of the faults that last, sorted. The caller holds the mutex.
func (a *activeFaults) names() []string { return slices.Sorted(maps.Keys(a.byName)) }

// heal ends the fault of that name, if it lasts. The caller holds the mutex.
func (p *Participant) heal(name string, why *event.Reason) {
	begun := p.active.byName[name]
	if begun == nil {
		return
	}
	delete(p.active.byName, name)
	begun.stopTimer()
	p.recordHealed(name, why)
	begun.undo()
	close(begun.undone)
}

// replace prepares for another fault of that name, and returns what is to be closed when
// that has been undone. One that can end by itself is undone; it is recorded as healed only
// if it had ended already. The caller holds the mutex.
func (p *Participant) replace(name string) chan struct{} {
	before := p.active.byName[name]
	if before == nil {
		return make(chan struct{})
	}
	before.stopTimer()
	if before.over == nil {
		return before.undone
	}
	before.undo()
	close(before.undone)
	select {
	case <-before.over:
		p.recordHealed(name, before.ended())
	default:
	}
	return make(chan struct{})
}

// cutOff returns what is closed when a fault ends by which nothing gets out of the client;
// nil if there is none.
func (p *Participant) cutOff() <-chan struct{} {
	p.active.mu.Lock()
	defer p.active.mu.Unlock()
	for _, begun := range p.active.byName {
		if begun.cutsOut {
			return begun.undone
		}
	}
	return nil
}

func (p *Participant) recordHealed(name string, why *event.Reason) {
	p.config.Recorder.Record(event.Event{Kind: event.FaultHealed, Lane: p.lane, Client: p.number, Fault: name, Reason: why})
}
