package sim

import (
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
	mu      sync.Mutex
	over    bool // there can be no more
	lasting map[string]*affliction
}

// An affliction is one fault that lasts.
type affliction struct {
	heal  func()
	timer *time.Timer // ends it; nil when it lasts until it is healed
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
	if c.afflictions.over {
		return ErrNotRunning
	}
	return nil
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
	c.afflictions.over = true
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
	c.recorder.record(event.Event{Kind: event.FaultHealed, Lane: c.lane, Client: c.number, Fault: name, Why: why})
	begun.heal()
}
