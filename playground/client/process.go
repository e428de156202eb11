package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
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
	gate       gate           // shut while the process is paused
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
		c.emit(event.Event{Kind: event.SessionLost, Why: err.Error()})
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
func (c *Process) pause()          { c.gate.close() }
func (c *Process) resume()         { c.gate.open() }
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
	c.gate.enter()
	defer c.gate.exit()
	c.emit(e)
}

// ending says that the client is gone or about to be, and its session too.
func (c *Process) ending() bool { return c.crashed.Load() || c.left.Load() }

const (
	// unlockTimeout is how long a client tries to release before it leaves that
	// to its session: long enough for the slowest link.
	unlockTimeout = 2*scenario.MaxDelay + 2*time.Second
	// retryPause keeps a client whose attempts fail at once from spinning.
	retryPause = 100 * time.Millisecond
)

// turns passes through the lock again and again, as often as the scenario says,
// while ctx lasts and the session does. Attempts that fail are not counted. It is what
// each thread does.
func (c *Process) turns(ctx context.Context, plan *scenario.Plan) {
	most := c.config.Scenario.Turns
	for done := 0; (most == 0 || done < most) && c.awaitConnected(ctx) == nil; {
		if c.turn(ctx, plan.Next()) {
			done++
		}
	}
}

// turn tries to pass once through the lock, and says whether it held it.
func (c *Process) turn(ctx context.Context, t scenario.Turn) bool {
	held, err := c.lock.Acquire(ctx, t)
	if err != nil {
		clock.Sleep(ctx, max(retryPause, t.Think))
		return false
	}
	c.release(c.work(ctx, held, t))
	clock.Sleep(ctx, t.Think)
	return true
}

// work is what a client holds the lock for, and returns the hold that it ends with.
// Where the lock protects an account it reads that first, and writes back in the end
// what it has made of it.
func (c *Process) work(ctx context.Context, held recipe.Hold, t scenario.Turn) recipe.Hold {
	reads := c.recipe.Shared && !t.Write // so that others may hold as well
	if c.account == nil || reads {
		return c.holdOn(ctx, held, t.Hold)
	}
	balance, ok := c.account.read(ctx, c, held)
	if !ok || !c.worked(ctx, held, t.Hold) {
		return held
	}
	ctx, cancel := c.releaseContext()
	defer cancel()
	c.account.write(ctx, c, held, balance)
	return held
}

// holdOn holds for d, the second half of it by what the recipe has made of the hold, if
// it changes it at half time.
func (c *Process) holdOn(ctx context.Context, held recipe.Hold, d time.Duration) recipe.Hold {
	changing, ok := held.(recipe.Changing)
	if !ok {
		hold(ctx, held, d)
		return held
	}
	if !hold(ctx, held, d/2) {
		return held
	}
	changed, err := changing.AtHalfTime(ctx)
	if err != nil {
		return held // it has told why
	}
	hold(ctx, changed, d/2)
	return changed
}

// worked holds for d and says whether the client may then write. It may not when
// it has seen that the lock is lost. But a process that was paused while it held
// has not seen that: it goes on where it was, without another look.
func (c *Process) worked(ctx context.Context, held recipe.Hold, d time.Duration) bool {
	finished := hold(ctx, held, d)
	paused := c.gate.pass()
	return (finished || paused) && ctx.Err() == nil
}

// revoked is closed when somebody asks for the lock back; nil where nobody can.
func revoked(held recipe.Hold) <-chan struct{} {
	if revocable, ok := held.(interface{ Revoked() <-chan struct{} }); ok {
		return revocable.Revoked()
	}
	return nil
}

// hold waits for d, or until the lock is lost or asked for or ctx ends, and says
// whether the client still held it then, as far as it knows.
func hold(ctx context.Context, held recipe.Hold, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-held.Lost():
	case <-revoked(held):
	case <-ctx.Done():
		return false
	}
	select {
	case <-held.Lost():
		return false
	default:
		return true
	}
}

// release gives the lock back, also when the run is being stopped. An unlock that
// fails is finished by the session, and told by the trace.
func (c *Process) release(held recipe.Hold) {
	ctx, cancel := c.releaseContext()
	defer cancel()
	if err := held.Unlock(ctx); err != nil && !errors.Is(err, zklock.ErrLost) {
		c.tell(event.Event{Kind: event.LockLost, Path: held.Node(), Why: "the release was not confirmed: " + err.Error()})
	}
}

// releaseContext bounds a release. It outlives the client's work, so that a
// turn under way is finished also when the run is being stopped. While frames
// are delivered by hand there is no other bound: its time begins anew.
func (c *Process) releaseContext() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(c.config.Grace)
	var timer *time.Timer
	timer = time.AfterFunc(math.MaxInt64, func() {
		if ctx.Err() == nil && c.config.Stepping() {
			timer.Reset(unlockTimeout)
			return
		}
		cancel(context.DeadlineExceeded)
	})
	timer.Reset(unlockTimeout)
	return ctx, func() { timer.Stop(); cancel(nil) }
}
