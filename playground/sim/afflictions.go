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

// afflictions are what lasts on one client, by the fault's name. Each is told
// when it has taken effect, and told to be healed before its effect is undone:
// what the log has in between, the fault was there for. The client's methods
// below are safe for concurrent use.
type afflictions struct {
	ending context.Context // ends when there can be no more
	end    context.CancelFunc

	mu      sync.Mutex
	lasting map[string]*affliction
}

func newAfflictions() *afflictions {
	a := &afflictions{lasting: make(map[string]*affliction)}
	a.ending, a.end = context.WithCancel(context.Background())
	return a
}

// An affliction is one fault that lasts.
type affliction struct {
	heal  func()
	timer *time.Timer   // ends it; nil when it lasts until it is healed
	ended func() string // after heal: why it was over before, or empty; nil if it cannot be
}

// afflict begins f: afflict makes it so, also where it is so already, and heal
// undoes it. The same fault again takes the place of the one before, which is
// not undone in between, and its time begins anew.
func (c *client) afflict(f Fault, why string, afflict func(*affliction), heal func()) error {
	c.afflictions.mu.Lock()
	defer c.afflictions.mu.Unlock()
	if err := c.mayAct(); err != nil {
		return err
	}
	begun := &affliction{heal: heal}
	c.afflictions.lasting[f.Name].stopTimer()
	afflict(begun)
	c.recorder.record(c.fault(f, why))
	if f.For > 0 {
		begun.timer = time.AfterFunc(f.For, func() { c.healOnly(f.Name, begun, "its time is over") })
	}
	c.afflictions.lasting[f.Name] = begun
	return nil
}

// mayAct says why nothing can begin any more, if so. The caller holds the mutex.
func (c *client) mayAct() error {
	if err := c.present(); err != nil {
		return err
	}
	if c.afflictions.ending.Err() != nil {
		return ErrNotRunning
	}
	return nil
}

// whileThere is ctx for a fault that takes its time, but ends when nothing can
// begin any more. It is an error that this is so already.
func (c *client) whileThere(ctx context.Context) (context.Context, context.CancelFunc, error) {
	c.afflictions.mu.Lock()
	defer c.afflictions.mu.Unlock()
	if err := c.mayAct(); err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(c.afflictions.ending, cancel)
	return ctx, func() { forget(); cancel() }, nil
}

// present says why nothing can happen to the client any more, if so.
func (c *client) present() error {
	switch {
	case c.gone.Load():
		return fmt.Errorf("%w: client %d has crashed already", ErrImpossible, c.number)
	case c.left.Load():
		return fmt.Errorf("%w: client %d has closed its session and is gone", ErrImpossible, c.number)
	}
	return nil
}

func (a *affliction) stopTimer() {
	if a != nil && a.timer != nil {
		a.timer.Stop()
	}
}

// healOnly ends an affliction unless it has ended already.
func (c *client) healOnly(name string, begun *affliction, why string) {
	c.afflictions.mu.Lock()
	defer c.afflictions.mu.Unlock()
	if c.afflictions.lasting[name] == begun {
		c.cure(name, why)
	}
}

// healAll ends whatever lasts, and says how much that was.
func (c *client) healAll(why string) int {
	c.afflictions.mu.Lock()
	defer c.afflictions.mu.Unlock()
	return c.cureAll(why)
}

// endAfflictions ends whatever lasts, and whatever would begin.
func (c *client) endAfflictions(why string) {
	c.afflictions.mu.Lock()
	defer c.afflictions.mu.Unlock()
	c.afflictions.end()
	c.cureAll(why)
}

// cureAll ends all in the order of the names. The caller holds the mutex.
func (c *client) cureAll(why string) int {
	names := slices.Sorted(maps.Keys(c.afflictions.lasting))
	for _, name := range names {
		c.cure(name, why)
	}
	return len(names)
}

// cure ends the fault of that name, if it lasts. The caller holds the mutex.
func (c *client) cure(name, why string) {
	begun := c.afflictions.lasting[name]
	if begun == nil {
		return
	}
	delete(c.afflictions.lasting, name)
	begun.stopTimer()
	c.tellHealed(name, why)
	begun.heal()
}

// supersede ends what another of the same name is about to take the place of.
// It tells that only if it was over before. The caller holds the mutex.
func (c *client) supersede(name string) {
	before := c.afflictions.lasting[name]
	if before == nil {
		return
	}
	before.heal()
	if why := before.ended(); why != "" {
		c.tellHealed(name, why)
	}
}

func (c *client) tellHealed(name, why string) {
	c.recorder.record(event.Event{Kind: event.FaultHealed, Lane: c.lane, Client: c.number, Fault: name, Why: why})
}
