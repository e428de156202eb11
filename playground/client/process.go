package client

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/internal/latch"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock"
)

// A Process is a simulated client: a participant with a session of zklock, a
// recipe, and a plan of what it does with the lock.
type Process struct {
	*Participant
	lane    event.Lane
	label   string // of its znodes, where the recipe does not name them itself
	recipe  recipe.Recipe
	account Account          // that the lock protects; nil without one
	locks   []string         // the directories of those that it wants, in its order
	plans   []*scenario.Plan // one a thread
	lock    recipe.Lock
	// session is nil until the client has arrived. A recipe may replace it.
	session    atomic.Pointer[zklock.Session]
	store      *store.Conn    // to where the lock is; nil if that is ZooKeeper
	handle     *handle        // of the session
	gate       latch.Latch    // shut while the process is paused
	derived    *derived       // nil when the recipe tells all that it does
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
	c.owner, c.store = c, c.storeConn()
	if r.Silent {
		c.derived = &derived{dir: lane.Path}
	}
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
	if err := c.open(); err != nil {
		c.emit(event.Event{Kind: event.SessionLost, Reason: Because(err)})
		return
	}
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

// open begins the session, or whatever reaches the lock.
func (c *Process) open() error {
	if c.store != nil {
		c.lock = c.newStoreLock()
		return nil
	}
	session, err := c.openSession()
	if err != nil {
		return err
	}
	c.session.Store(session)
	c.lock = c.recipe.New(recipe.Env{Session: session, Path: c.locks[0], Paths: c.locks, Permits: c.lane.Permits, Trace: c.trace(0), Thread: c.thread, Process: environment{c}})
	return nil
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
	if session := c.session.Load(); session != nil && !c.left.Load() {
		c.awaitHandshake(ctx, session)
		c.closeSession(ctx, session)
	}
	c.closeStore()
	c.closeLink()
	if c.store != nil {
		c.store.Wait()
	}
	c.background.Wait()
}

// giveUp is Close of a process that is gone, with nothing more done for its znodes. It
// returns before all has ended only if ctx ends.
func (c *Process) giveUp(ctx context.Context) {
	over, cancel := context.WithCancel(ctx)
	cancel()
	c.Close(over)
	if session := c.session.Load(); session != nil {
		_ = session.Close(ctx) // waits for the rest
	}
}

func (c *Process) closeSession(ctx context.Context, session *zklock.Session) {
	id, _, _ := c.tap.Session()
	if err := session.Close(ctx); err == nil && id != 0 {
		c.emit(event.Event{Kind: event.SessionClosed, Session: wire.SessionHex(id)})
	}
}

// awaitHandshake lets a handshake under way end: the server would keep the
// session that it opens until the timeout.
func (c *Process) awaitHandshake(ctx context.Context, session *zklock.Session) {
	if c.crashed.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.HandshakeTimeout)
	defer cancel()
	_ = session.WaitConnected(ctx) // there may be no server
}

func (c *Process) mayPause() error { return nil }
func (c *Process) pause()          { c.gate.Shut() }
func (c *Process) resume()         { c.gate.Open() }
func (c *Process) died()           {} // its life has ended, and with it all that it does

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
	if c.store != nil {
		return c.closeStore, nil
	}
	session := c.session.Load()
	if session == nil {
		return nil, fmt.Errorf("%w: client %d has not arrived yet", ErrImpossible, c.number)
	}
	return func() {
		c.awaitHandshake(c.config.Grace, session)
		c.closeSession(c.config.Grace, session)
	}, nil
}

// heard tells what a frame says of the recipe, where the recipe does not tell it.
func (c *Process) heard(e event.Event) {
	if c.derived == nil {
		return
	}
	if told, ok := c.derived.from(e); ok {
		c.emit(told)
	}
}

// tell records an event of the client's own code: what a paused process does or
// believes, nobody learns.
func (c *Process) tell(e event.Event) {
	c.gate.Enter(nil)
	defer c.gate.Exit()
	c.emit(e)
}

// ending says that the client is gone or about to be, and its session too.
func (c *Process) ending() bool { return c.crashed.Load() || c.left.Load() }
