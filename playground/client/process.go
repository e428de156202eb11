package client

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/internal/latch"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A Process is a simulated client: a participant with a session of zklock, a
// recipe, and a plan of what it does with the lock.
type Process struct {
	*Participant
	lane       event.Lane
	label      string // of its znodes, where the recipe does not name them itself
	recipe     recipe.Recipe
	account    Account          // that the lock protects; nil without one
	locks      []string         // the directories of those that it wants, in its order
	plans      []*scenario.Plan // one a thread
	access     access
	lock       recipe.Lock
	gate       latch.Latch    // shut while the process is paused
	deletions  pending        // znodes that the session is still deleting
	background sync.WaitGroup // work of a recipe that only the end of its session ends
	done       chan struct{}  // closed when Run has returned
	startAgain func(scenario.Fault) error
}

// newProcess returns a process that has not connected yet; see [New].
func newProcess(lane event.Lane, number int, r recipe.Recipe, account Account, config Config) *Process {
	c := &Process{Participant: newParticipant(lane, number, config), lane: lane, recipe: r,
		label: fmt.Sprintf("%s-%d", lane.Name, number), account: account, locks: locksOf(config.Scenario, lane, number),
		plans: scenario.NewPlans(config.Scenario, number, r.Threads), done: make(chan struct{})}
	c.owner, c.access = c, accessOf(c)
	return c
}

// locksOf are the directories of the locks that a client wants, in its order.
func locksOf(s scenario.Scenario, lane event.Lane, client int) []string {
	var locks []string
	for _, l := range s.Lanes {
		if l.Name != lane.Name {
			continue
		}
		for _, name := range s.LocksOf(l, client) {
			locks = append(locks, lane.Locks[slices.Index(l.Locks, name)])
		}
	}
	if len(locks) == 0 {
		return []string{lane.Path}
	}
	return locks
}

// Run arrives, connects and works until ctx or its life ends, or its turns are
// over. The session stays open. It is called once.
func (c *Process) Run(ctx context.Context) {
	defer close(c.done)
	defer context.AfterFunc(ctx, c.stop)()
	ctx = c.life
	first := slices.MinFunc(c.plans, func(a, b *scenario.Plan) int { return cmp.Compare(a.Arrival, b.Arrival) })
	if !clock.Sleep(ctx, first.Arrival) {
		return
	}
	lock, err := c.access.open()
	if err != nil {
		c.emit(event.Event{Kind: event.SessionLost, Reason: Because(err)})
		return
	}
	c.lock = lock
	var threads sync.WaitGroup
	for _, plan := range c.plans {
		threads.Go(func() {
			if clock.Sleep(ctx, plan.Arrival-first.Arrival) {
				c.turns(ctx, plan)
			}
		})
	}
	threads.Wait()
}

// shares says that readers may hold together. A program is asked to read where the
// scenario has writers to tell from them.
func (c *Process) shares() bool {
	return c.recipe.Shared || c.recipe.Program && c.config.Scenario.Writers > 0
}

// AwaitDeletions returns when the session deletes no more znodes, or when ctx
// ends. Those of a crashed client nobody deletes.
func (c *Process) AwaitDeletions(ctx context.Context) {
	if !c.crashed.Load() {
		c.deletions.wait(ctx)
	}
}

// Close ends the session and the link, and waits for both and for what the
// recipe left running. It is called when Run has returned, or was never called.
func (c *Process) Close(ctx context.Context) {
	c.stop()
	c.leaving.Wait()
	if !c.left.Load() {
		c.closeAccess(ctx)
	}
	c.closeLink()
	c.access.wait(ctx)
	c.background.Wait()
}

// programGrace is how long a program has to end by itself when the run ends.
const programGrace = 5 * time.Second

func (c *Process) closeAccess(ctx context.Context) {
	if c.recipe.Program {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, programGrace)
		defer cancel()
	}
	c.access.close(ctx)
}

// giveUp is Close of a process that is gone, with nothing more done for its znodes. It
// returns before all has ended only if ctx ends.
func (c *Process) giveUp(ctx context.Context) {
	over, cancel := context.WithCancel(ctx)
	cancel()
	c.Close(over)
	c.access.wait(ctx)
}

func (c *Process) mayPause() error { return nil }

func (c *Process) pause() {
	c.gate.Shut()
	c.access.pause()
}

func (c *Process) resume() {
	c.access.resume()
	c.gate.Open()
}

func (c *Process) died() { c.access.died() }

func (c *Process) again(f scenario.Fault) error { return c.startAgain(f) }

// hasRun says that the client's own code has ended.
func (c *Process) hasRun() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// leave closes the session in good order. On a bad link that takes as long as it
// takes, and is ended with the run.
func (c *Process) leave() (func(), error) {
	if !c.access.opened() {
		return nil, fmt.Errorf("%w: client %d has not arrived yet", ErrImpossible, c.number)
	}
	return func() { c.access.close(c.config.Grace) }, nil
}

func (c *Process) heard(e event.Event) { c.access.heard(e) }

// tell records an event of the client's own code: what a paused process does or
// believes, nobody learns.
func (c *Process) tell(e event.Event) {
	c.gate.Enter(nil)
	defer c.gate.Exit()
	c.emit(e)
}

// ending says that the client is gone or about to be, and its session too.
func (c *Process) ending() bool { return c.present() != nil }

// An access is how a process gets at its lock: by a session of zklock, by a connection to
// a store, or by a program that has a client of its own.
type access interface {
	// open begins it, and returns the lock.
	open() (recipe.Lock, error)
	// opened says that there is something to close.
	opened() bool
	// awaitConnected returns when the process can try to acquire, or with an error when it
	// never will again.
	awaitConnected(ctx context.Context) error
	// close ends it in good order, as far as ctx allows; wait returns when all that it has
	// begun has ended, or ctx has.
	close(ctx context.Context)
	wait(ctx context.Context)
	// pause stops code that is not ours, and resume lets it go on.
	pause()
	resume()
	// died is told that the process has crashed, once its link is dead.
	died()
	// heard is told each frame of the link after the log, and must not block.
	heard(e event.Event)
}

// accessOf returns that of a process which has not arrived yet.
func accessOf(c *Process) access {
	switch {
	case c.config.Store != nil:
		return newStoreAccess(c)
	case c.recipe.Program:
		return newProgramAccess(c)
	default:
		return newSessionAccess(c)
	}
}

// pending counts work that was begun elsewhere, and lets somebody wait until
// none is left. The zero value counts none.
type pending struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // closed when n is 0 again; nil before the first
}

func (o *pending) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.n++; o.n == 1 {
		o.none = make(chan struct{})
	}
}

func (o *pending) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.n--; o.n == 0 {
		close(o.none)
	}
}

// wait returns when nothing is pending, or when ctx ends.
func (o *pending) wait(ctx context.Context) {
	o.mu.Lock()
	none := o.none
	o.mu.Unlock()
	if none == nil {
		return
	}
	select {
	case <-none:
	case <-ctx.Done():
	}
}
