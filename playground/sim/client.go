package sim

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock"
)

// A client is one simulated process: a session and a connection of its own, a
// recipe, and a plan of what it does with the lock.
type client struct {
	identity
	common
	plan *plan
	tap  *wire.Tap
	link *link.Link
	// session is nil until the client has arrived. A recipe may replace it.
	session     atomic.Pointer[zklock.Session]
	handle      *handle // of the session
	contender   contender
	life        context.Context // of the process; its work ends with it
	stop        context.CancelFunc
	gone        atomic.Bool    // the process has died: what its remains do is nobody's
	left        atomic.Bool    // it is closing its session, or has, and will do no more
	leaving     sync.WaitGroup // closes its session and leaves
	holds       *holds         // who holds its link back
	pace        *pace          // how fast its link is
	afflictions *afflictions   // what is wrong with it
	trapping    sync.WaitGroup // waits for replies to be lost
	gate        gate           // shut while the process stands still
	orphans     outstanding    // znodes that the session is still deleting
	background  sync.WaitGroup // work of a recipe that only the end of its session ends
}

// newClient makes a client that has not connected yet.
func newClient(lane event.Lane, number int, shared common) *client {
	c := &client{identity: identity{lane.Name, number}, common: shared, plan: newPlan(shared.config.Scenario, number)}
	c.tap = wire.NewTap(lane.Name, number, c.recorder.now, func(e event.Event) { c.emit(e) })
	c.link = link.New(link.Config{Observer: c.tap, Clock: c.recorder.now, DialGate: c.config.Gate, DialContext: c.dial.dial})
	c.holds, c.pace = newHolds(c.link), newPace(c.link, c.config.Scenario.Seed, number)
	c.afflictions = newAfflictions()
	c.life, c.stop = context.WithCancel(context.Background())
	c.pace.set(time.Duration(c.config.Scenario.Delay))
	return c
}

// emit records an event of the client's own. Of a dead process only what
// becomes of its frames is told.
func (c *client) emit(e event.Event) (recorded bool) {
	e.Lane, e.Client = c.lane, c.number
	return c.recorder.recordIf(func() bool { return !c.gone.Load() || e.Kind == event.WireDropped }, e)
}

// live arrives, connects and works until ctx or its life ends, or its turns are
// over. The session stays open.
func (c *client) live(ctx context.Context, lane event.Lane) {
	defer context.AfterFunc(ctx, c.stop)()
	ctx = c.life
	if !sleep(ctx, c.plan.arrival) {
		return
	}
	session, err := c.openSession(lane)
	if err != nil {
		c.emit(event.Event{Kind: event.SessionLost, Why: err.Error()})
		return
	}
	c.session.Store(session)
	c.contender = recipes[lane.Recipe](c, lane)
	c.turns(ctx)
}

// A listing takes some 60 bytes a contender; the link's own frames are few.
const sendBuffer = 16 << 10

func receiveBuffer(clients int) int { return max(16<<10, 128*clients) }

// close ends the session and the link, and waits for both and for what the
// recipe left running.
func (c *client) close(ctx context.Context) {
	c.stop()
	c.leaving.Wait()
	if session := c.session.Load(); session != nil && !c.left.Load() {
		c.awaitHandshake(ctx, session)
		c.closeSession(ctx, session)
	}
	c.link.Close()
	c.trapping.Wait()
	c.background.Wait()
}

func (c *client) closeSession(ctx context.Context, session *zklock.Session) {
	id, _, _ := c.tap.Session()
	if err := session.Close(ctx); err == nil && id != 0 {
		c.emit(event.Event{Kind: event.SessionClosed, Session: wire.SessionHex(id)})
	}
}

// awaitHandshake lets a handshake under way end: the server would keep the
// session that it opens until the timeout.
func (c *client) awaitHandshake(ctx context.Context, session *zklock.Session) {
	if c.gone.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.closePatience())
	defer cancel()
	_ = session.WaitConnected(ctx) // there may be no server
}
