package sim

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock"
)

const (
	// unlockPatience is how long a client tries to release before it leaves
	// that to its session: long enough for the slowest link.
	unlockPatience = 2*MaxDelay + 2*time.Second
	// closePatience is how long a client that is being connected may take until
	// it can be closed, so that it leaves no session behind.
	closePatience = 500 * time.Millisecond
	// retryPause keeps a client whose attempts fail at once from spinning.
	retryPause = 100 * time.Millisecond
)

// A client is one simulated process: a session and a connection of its own, a
// recipe, and a plan of what it does with the lock.
type client struct {
	identity
	plan      *plan
	recorder  *recorder
	tap       *wire.Tap
	link      *link.Link
	session   *zklock.Session
	contender contender
	life      context.Context // of the process; its work ends with it
	stop      context.CancelFunc
	grace     context.Context // ends when there is no time left to finish a turn
	gone      atomic.Bool     // the process has died: what its remains do is nobody's
	orphans   outstanding     // znodes that the session is still deleting
}

// newClient makes a client that has not connected yet.
func newClient(c Config, lane event.Lane, number int, r *recorder, dial *dialLimit, grace context.Context) *client {
	cl := &client{identity: identity{lane.Name, number}, plan: newPlan(c.Scenario, number), recorder: r, grace: grace}
	cl.tap = wire.NewTap(lane.Name, number, r.now, cl.emit)
	cl.link = link.New(link.Config{Observer: cl.tap, Clock: r.now, DialGate: c.Gate, DialContext: dial.dial})
	cl.life, cl.stop = context.WithCancel(context.Background())
	cl.setDelay(time.Duration(c.Scenario.Delay))
	return cl
}

func (c *client) setDelay(d time.Duration) { c.link.SetDelay(d, d) }

// emit records an event of the client's own. Of a dead process only what
// becomes of its frames is told.
func (c *client) emit(e event.Event) {
	e.Lane, e.Client = c.lane, c.number
	c.recorder.recordIf(func() bool { return !c.gone.Load() || e.Kind == event.WireDropped }, e)
}

// live arrives, connects and works until ctx or its life ends. The session
// stays open.
func (c *client) live(ctx context.Context, config Config, lane event.Lane) {
	defer context.AfterFunc(ctx, c.stop)()
	ctx = c.life
	if !sleep(ctx, c.plan.arrival) {
		return
	}
	session, err := zklock.Dial(config.Servers, time.Duration(config.Scenario.Session),
		zklock.WithDialer(c.link.Dial), zklock.WithSessionHook(c.sessionChanged),
		zklock.WithBuffers(receiveBuffer(lane.Clients), sendBuffer))
	if err != nil {
		c.emit(event.Event{Kind: event.SessionLost, Why: err.Error()})
		return
	}
	c.session = session
	c.contender = recipes[lane.Recipe](session, lane.Path, c.trace(lane.Recipe))
	for session.WaitConnected(ctx) == nil {
		c.turn(ctx)
	}
}

// A listing takes some 60 bytes a contender; the link's own frames are few.
const sendBuffer = 16 << 10

func receiveBuffer(clients int) int { return max(16<<10, 128*clients) }

// turn passes once through the lock.
func (c *client) turn(ctx context.Context) {
	t := c.plan.next()
	lease, err := c.contender.acquire(ctx, t.write)
	if err != nil {
		sleep(ctx, max(retryPause, t.think))
		return
	}
	hold(ctx, lease, t.hold)
	c.release(lease)
	sleep(ctx, t.think)
}

// hold works with the lock for d, or until it is lost or ctx ends.
func hold(ctx context.Context, lease *zklock.Lease, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-lease.Lost():
	case <-ctx.Done():
	}
}

// release lets go, also when the run is being stopped. An unlock that fails is
// finished by the session, and told by the trace.
func (c *client) release(lease *zklock.Lease) {
	ctx, cancel := context.WithTimeout(c.grace, unlockPatience)
	defer cancel()
	if err := lease.Unlock(ctx); err != nil && !errors.Is(err, zklock.ErrLost) {
		c.emit(event.Event{Kind: event.LockLost, Path: lease.Node(), Why: "the release was not confirmed: " + err.Error()})
	}
}

// close ends the session and the link, and waits for both.
func (c *client) close(ctx context.Context) {
	c.stop()
	if c.session != nil {
		c.awaitHandshake(ctx)
		id, _, _ := c.tap.Session()
		if err := c.session.Close(ctx); err == nil && id != 0 {
			c.emit(event.Event{Kind: event.SessionClosed, Session: wire.SessionHex(id)})
		}
	}
	c.link.Close()
}

// awaitHandshake lets a handshake under way end: the server would keep the
// session that it opens until the timeout.
func (c *client) awaitHandshake(ctx context.Context) {
	if c.gone.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, closePatience)
	defer cancel()
	_ = c.session.WaitConnected(ctx) // there may be no server
}

// sleep waits for d, or returns false when ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
