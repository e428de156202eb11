// Package client has the clients of a run.
//
// A [Participant] is anything that takes part: it has a connection that faults
// can shape (package link), every frame of which is decoded and told (package
// wire), and faults that are done to it. A [Process] is a participant that the
// playground simulates: it opens a session of zklock, runs a recipe again and
// again, and does some work while it holds the lock.
//
//	Process: turns -> recipe -> zklock -+
//	   |  session.*, lock.*, resource.*  |
//	   v                                v
//	Recorder <- wire.*, fault.* - Participant: tap, link -> ZooKeeper
//
// A [Client] is what a number in a lane stands for: one Process after the other, as a
// crashed or closed one can be started again.
//
// A [Guest] is a participant whose program is not ours: any ZooKeeper client that has
// come over the network, or a console. Package chroot confines it to its lane.
//
//	program -> chroot -> Participant: tap, link -> ZooKeeper
//
// [Faults] are what can be done to a client, one value each.
//
// The package knows nothing of runs: it does not start and end clients together,
// picks nobody for a fault, and reads no log.
package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A Client is what a number in a lane stands for: one process at a time. When that
// has crashed or closed its session, another can be started in its place. Its
// methods are safe for concurrent use.
type Client struct {
	place[*Process]
	recipe  recipe.Recipe
	account Account
	config  Config

	// The place's mutex guards these.
	started  int           // how many processes there have been
	replaced chan struct{} // closed when another takes the place of the process
	over     bool          // the run ends, and no process is started any more
}

// New returns a client that has not connected yet. Account is what its lane's lock
// protects; nil if that is nothing.
func New(lane event.Lane, number int, r recipe.Recipe, account Account, config Config) *Client {
	c := &Client{place: place[*Process]{lane: lane, number: number, delay: time.Duration(config.Scenario.Delay)},
		recipe: r, account: account, config: config}
	c.begin()
	return c
}

// begin makes the next process. The caller holds the mutex.
func (c *Client) begin() {
	p := newProcess(c.lane, c.number, c.recipe, c.account, c.config)
	if c.started++; c.started > 1 {
		p.label += fmt.Sprintf("-%d", c.started) // it knows nothing of the znodes of the one before
		for _, plan := range p.plans {
			plan.Arrival = 0
		}
	}
	p.startAgain = func(f scenario.Fault) error { return c.startAgain(p, f) }
	c.give(p)
	c.replaced = make(chan struct{})
}

// Inject does f, which must be valid, and returns when it has taken effect.
func (c *Client) Inject(ctx context.Context, f scenario.Fault) error {
	return c.current().Inject(ctx, f)
}

var newProcessBegins = event.NewCode("new-process-begins", "a new process begins with the same number and opens a session of its own")

// startAgain starts another process in the place of p, if that is gone.
func (c *Client) startAgain(p *Process, f scenario.Fault) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.over:
		return ErrNotRunning
	case c.process != p || !p.ending():
		return fmt.Errorf("%w: client %d is alive, only one that has crashed or closed can be started again", ErrImpossible, c.number)
	case !p.crashed.Load() && !p.hasRun():
		return fmt.Errorf("%w: client %d is still closing its session", ErrImpossible, c.number)
	}
	p.endFaults(endedWithProcess.With())
	c.keepLeft(p)
	replaced := c.replaced
	c.begin()
	c.config.Recorder.Record(p.injected(f, newProcessBegins.With()))
	close(replaced)
	return nil
}

// keepLeft notes the session that a crashed process left behind. The caller holds the
// mutex.
func (c *Client) keepLeft(p *Process) {
	if id, password, timeout := p.tap.Session(); p.crashed.Load() {
		now := c.config.Recorder.Now()
		c.left.keep(leftSession{id, password, timedOutAt(now, timeout)}, now)
	}
}

// Run is the life of the client: of one process after the other, until ctx ends.
func (c *Client) Run(ctx context.Context) {
	var processes sync.WaitGroup
	defer processes.Wait()
	for ctx.Err() == nil {
		c.mu.Lock()
		p, replaced := c.process, c.replaced
		c.mu.Unlock()
		processes.Go(func() { c.run(ctx, p, replaced) })
		select {
		case <-replaced:
		case <-ctx.Done():
		}
	}
}

// run is the life of one process. What is left of it when another has taken its
// place is closed: nothing that it may still want to do is of use.
func (c *Client) run(ctx context.Context, p *Process, replaced <-chan struct{}) {
	p.Run(ctx)
	select {
	case <-ctx.Done():
		return // then Close does it
	case <-replaced:
	}
	p.giveUp(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(p)
}

// Free ends whatever holds the client up, so that it can end: the run is over
// and there is nothing more to see.
func (c *Client) Free() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	for _, p := range c.processes() {
		p.Free()
	}
}

// AwaitDeletions returns when the client's sessions delete no more znodes, or when
// ctx ends. Those of a crashed process nobody deletes.
func (c *Client) AwaitDeletions(ctx context.Context) {
	for _, p := range c.processes() {
		p.AwaitDeletions(ctx)
	}
}

// Close ends the sessions and the links, and waits for them. It is called when Run
// has returned, or was never called.
func (c *Client) Close(ctx context.Context) {
	for _, p := range c.processes() {
		p.Close(ctx)
	}
}

// EndSessions has the server end the sessions that crashed processes left behind,
// instead of making everybody wait for their timeouts.
func (c *Client) EndSessions(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepLeft(c.process)
	return c.left.end(ctx, c.config.ZooKeeper)
}

// A leftSession is one of a process that is gone, which the server keeps until it times out.
type leftSession struct {
	id       int64 // 0 for none
	password []byte
	until    int64 // on the log's clock: it has timed out by then
}

// timedOutAt is when a session has timed out that nobody has used since now.
func timedOutAt(now int64, timeout time.Duration) int64 {
	const ample = 3 // the server rounds up, and may have to be started again
	return now + ample*timeout.Microseconds()
}

// leftSessions are those of the processes of one client.
type leftSessions []leftSession

// keep adds a session, and forgets those that have timed out.
func (l *leftSessions) keep(session leftSession, now int64) {
	*l = slices.DeleteFunc(*l, func(s leftSession) bool { return s.until < now })
	if session.id != 0 {
		*l = append(*l, session)
	}
}

// end has the server end the sessions, instead of making everybody wait for their timeouts.
func (l leftSessions) end(ctx context.Context, zookeeper wire.Ensemble) error {
	var errs []error
	for _, s := range l {
		err := zookeeper.Expire(ctx, s.id, s.password)
		if !errors.Is(err, wire.SessionExpired) { // it may have timed out by itself
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
