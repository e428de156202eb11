package judge

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
)

const (
	// poll is between two looks at the log.
	poll = 50 * time.Millisecond
	// shortest is how long a trial takes at least after its faults, and longest at most, as
	// long as the lock goes on from client to client: on a busy machine that is slow.
	shortest = 2 * time.Second
	longest  = time.Minute
)

// turns is how often each client is to hold after the faults.
func (t Trial) turns() int {
	hold := t.Scenario.Hold
	switch {
	case slices.Contains(t.Asks, Fair):
		return 15
	case hold == long.hold(), hold == outlasting.hold(), hold == slowly.hold():
		return 1
	case slices.Contains(t.Asks, Timely):
		return 2
	case slices.ContainsFunc(t.Asks, func(p Property) bool { return slices.Contains(claims, p) }):
		return 4
	case t.Scenario.Writers > 0: // until those who read and those who write have come in every order
		return 6
	}
	return 2
}

// patience is how long the lock may stand still before the trial ends.
func (t Trial) patience() int64 { return Patience*t.session() + micros(shortest) }

// conduct injects the trial's faults when their times have come, and returns when there is
// no more to be seen: each client that lives has held after them, or has had all the time
// that it may take. It returns why a fault could not be injected; nil if all were.
func conduct(ctx context.Context, t Trial, r *run.Run) (missed *event.Reason) {
	c := &conductor{trial: t, run: r, next: 1, clients: make([]conducted, t.Scenario.Clients)}
	faults := slices.Clone(t.Faults)
	for r.State() == event.Running && clock.Sleep(ctx, poll) {
		c.read()
		for len(faults) > 0 {
			why, done := c.try(ctx, faults[0])
			if !done {
				break
			}
			missed = cmp.Or(missed, why)
			faults = faults[1:]
		}
		if c.enough(c.now(), len(faults) > 0) {
			break
		}
	}
	if len(faults) > 0 && missed == nil {
		missed = endedBefore.With(faults[0].Name)
	}
	return missed
}

// A conductor follows a trial by its log.
type conductor struct {
	trial   Trial
	run     *run.Run
	next    int64 // event to read
	clients []conducted
	opened  int64 // when one had a session for the first time; 0 before
	begun   int64 // when all had begun; 0 before
	last    int64 // when the last fault was injected or healed
	held    bool  // somebody has
	away    bool  // nobody reaches the servers
	moved   int64 // when somebody acquired or let go last
	// disputed is since when two hold that exclude each other; 0 while they do not.
	disputed int64
}

// A conducted client, as far as the log has come.
type conducted struct {
	connected, gone, holds bool
	reads                  bool  // and others may as well
	turns                  int   // since the last fault
	waits                  int64 // the event since which it waits; 0 if it does not
}

func (c *conductor) now() int64 { return micros(c.run.Log().Now()) }

func (c *conductor) read() {
	for e, err := range c.run.Log().Events(c.next) {
		if err != nil {
			return // it is told when the whole log is read
		}
		c.next = e.Seq + 1
		if e.Kind == event.LockAcquired || e.Kind == event.LockReleased || e.Kind == event.LockLost {
			c.moved = e.At
		}
		if e.Client > 0 && e.Client <= len(c.clients) {
			c.take(&e, &c.clients[e.Client-1])
			c.dispute(e.At)
		}
		switch e.Kind {
		case event.FaultHealed, event.FaultInjected:
			c.fault(&e)
		case event.TreeLost:
			c.away = true
		case event.TreeSynced:
			if c.away {
				c.away = false
				c.last = e.At
			}
		}
	}
	ready := !slices.ContainsFunc(c.clients, func(one conducted) bool { return !one.connected && one.turns == 0 && !one.gone })
	if c.begun == 0 && ready && c.held {
		c.begun = c.now()
	}
}

func (c *conductor) take(e *event.Event, one *conducted) {
	switch {
	case e.Injects(event.EndsProcess):
		*one = conducted{gone: true, connected: one.connected}
	case e.Injects(event.StartsProcess):
		one.gone = false
	case e.Kind == event.SessionGranted:
		c.opened = cmp.Or(c.opened, e.At)
	case e.Kind == event.SessionConnected:
		one.connected = true
	case e.Kind == event.LockEnqueued, one.waits == 0 && !one.holds && waits(e):
		one.waits = e.Seq
	case e.Kind == event.SessionRefused: // its place is gone, and it has no session to lose
		one.waits = 0
	case e.Kind == event.LockAcquired:
		one.holds, c.held = true, true
		one.waits = 0
		one.reads = e.Mode == "read"
		one.turns++
	case e.Kind == event.LockReleased, e.Kind == event.LockLost, e.Kind == event.LockGaveUp:
		one.holds, one.waits = false, 0
	}
}

// waits says whether a client waits without a znode of its own: it watches what it waits for,
// or was refused a znode that another one has.
func waits(e *event.Event) bool {
	return e.Kind == event.LockWaiting || e.Kind == event.WireReceived && e.Op == event.OpCreate && e.Err == wire.NodeExists.String()
}

// fault has the turns count from the last fault on.
func (c *conductor) fault(e *event.Event) {
	c.last = e.At
	for i := range c.clients {
		c.clients[i].turns = 0
	}
}

// due says whether it is time for a fault: that of who holds waits until somebody does.
func (c *conductor) due(f Fault) bool {
	if c.begun == 0 || c.now() < c.begun+micros(f.After) {
		return false
	}
	switch {
	case c.ofHolder(f):
		return c.holder() > 0
	case f.Client == inTheMiddle:
		return c.holder() > 0 && c.inTheMiddle() > 0
	default:
		return true
	}
}

// try injects a fault when its time has come, or gives it up when the clients have long not
// done what it waits for. It returns why it could not be injected.
func (c *conductor) try(ctx context.Context, f Fault) (missed *event.Reason, done bool) {
	if c.due(f) {
		if err := c.inject(ctx, f); err != nil {
			missed = notInjected.With(f.Name, client.Because(err))
		}
		return missed, true
	}
	if c.begun > 0 && c.now() > max(c.begun+micros(f.After), c.last)+c.trial.patience() {
		return notMet.With(f.Name), true
	}
	return nil, false
}

// inTheMiddle is the client that has waited for the longest while another one waits as well,
// if there are so many; 0 if there is none.
func (c *conductor) inTheMiddle() int {
	first, waiting := 0, 0
	for i, one := range c.clients {
		if one.waits == 0 || one.gone {
			continue
		}
		waiting++
		if first == 0 || one.waits < c.clients[first-1].waits {
			first = i + 1
		}
	}
	if waiting < min(2, len(c.clients)-1) {
		return 0
	}
	return first
}

func (c *conductor) ofHolder(f Fault) bool {
	return f.Client == 0 && !run.Catalogue().BreaksServers(f.Name)
}

func (c *conductor) holder() int {
	return slices.IndexFunc(c.clients, func(one conducted) bool { return one.holds }) + 1
}

// dispute notes since when two clients hold that exclude each other.
func (c *conductor) dispute(at int64) {
	holders, writers := 0, 0
	for _, one := range c.clients {
		if one.holds {
			holders++
			if !one.reads {
				writers++
			}
		}
	}
	switch {
	case holders < 2 || writers == 0:
		c.disputed = 0
	case c.disputed == 0:
		c.disputed = at
	}
}

func (c *conductor) inject(ctx context.Context, f Fault) error {
	switch {
	case f.Client == anyGone:
		var errs []error
		for i, one := range c.clients {
			if one.gone {
				errs = append(errs, c.run.Inject(ctx, scenario.Fault{Name: f.Name, Lane: lane, Client: i + 1}))
			}
		}
		return errors.Join(errs...)
	case c.ofHolder(f):
		f.Client = c.holder()
	case f.Client == inTheMiddle:
		f.Client = c.inTheMiddle()
	}
	if !run.Catalogue().BreaksServers(f.Name) {
		f.Lane = lane
	}
	err := c.run.Inject(ctx, f.Fault)
	if errors.Is(err, client.ErrImpossible) && f.Client > 0 && c.clients[f.Client-1].gone {
		return nil // it has ended by itself, which is told
	}
	return err
}

// enough says whether the trial can end at an instant.
func (c *conductor) enough(now int64, faultsLeft bool) bool {
	switch {
	case !slices.ContainsFunc(c.clients, func(one conducted) bool { return !one.gone }) && !faultsLeft:
		return true
	case !c.held:
		return now > c.opened+micros(startup)+micros(shortest)
	case c.begun == 0:
		return now > c.opened+2*micros(startup)
	}
	calm := max(c.begun+micros(c.trial.calm()), c.last)
	if c.away && now < calm+micros(startup) {
		return false
	}
	patience := c.trial.patience()
	switch {
	case now > calm+micros(longest), now > max(calm, c.moved)+patience && !slices.ContainsFunc(c.clients, func(one conducted) bool { return one.holds }):
		return true
	case faultsLeft, now < calm+micros(shortest), c.disputed > 0 && now < c.disputed+2*micros(Grace): // for how long is not clear yet
		return false
	}
	waits, all := false, 0
	for i, one := range c.clients {
		all += one.turns
		waits = waits || !one.gone && one.turns < c.trial.turns() && !c.trial.impatient(i+1)
	}
	return !waits || now > calm+patience && all > (c.trial.turns()+1)*len(c.clients)+leftOut
}

var (
	notMet      = event.NewCode("fault-not-met", "no client did what {fault} waits for")
	notInjected = event.NewCode("not-injected", "{fault}: {reason}")
	endedBefore = event.NewCode("ended-before", "the trial ended before {fault}")
)
