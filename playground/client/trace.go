package client

import (
	"strings"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock"
)

// trace turns what the recipe tells of a thread into events: the client's belief.
func (c *Process) trace(thread int) *zklock.Trace {
	t := lockEvents{c, c.shares(), thread}
	return &zklock.Trace{
		Enqueued:     t.enqueued,
		WaitStart:    t.waiting,
		WaitDone:     t.woken,
		Acquired:     t.acquired,
		ReleaseStart: t.released,
		Lost:         t.lost,
		RevokeAsked:  t.asked,
		GaveUp:       t.gaveUp,
		OrphanQueued: func(zklock.OrphanInfo) { c.deletions.begin() },
		OrphanDone:   func(zklock.OrphanInfo) { c.deletions.end() },
	}
}

// thread is what a recipe with threads tells of one of them.
func (c *Process) thread(number int) recipe.Thread {
	return recipe.Thread{
		Trace:  c.trace(number),
		Queued: func() { c.tell(event.Event{Kind: event.LockLocalQueued, Thread: number}) },
		Left:   func() { c.tell(event.Event{Kind: event.LockLocalLeft, Thread: number}) },
	}
}

// lockEvents records lock events, with the mode where the recipe has more than one.
type lockEvents struct {
	client *Process
	modes  bool
	thread int // whose, 0 where the client has one
}

func (t lockEvents) tell(mode zklock.Mode, e event.Event) {
	e.Thread = t.thread
	if t.modes {
		e.Mode = string(mode)
	}
	t.client.tell(e)
}

var foundAgain = event.NewCode("found-again", "the reply to the create was lost, the znode was found again by its guid")

func (t lockEvents) enqueued(i zklock.EnqueuedInfo) {
	if i.Err != nil {
		return // a further attempt or gave-up follows
	}
	var why *event.Reason
	if i.Recovered {
		why = foundAgain.With()
	}
	t.tell(i.Mode, event.Event{Kind: event.LockEnqueued, Path: i.Node, Token: int64(i.Token), Reason: why})
}

func (t lockEvents) waiting(i zklock.WaitStartInfo) {
	t.tell(i.Mode, event.Event{Kind: event.LockWaiting, Path: i.Node, Predecessor: i.Predecessor})
}

// woken is a watch that fired. A wait that ends without one is no wake-up: the
// recipe looks again, or gives up.
func (t lockEvents) woken(i zklock.WaitDoneInfo) {
	if i.Err != nil || i.Type == zk.EventNotWatching {
		return
	}
	t.tell(i.Mode, event.Event{Kind: event.LockWoken, Path: i.Node, Predecessor: i.Predecessor, Type: strings.TrimPrefix(i.Type.String(), "Event")})
}

func (t lockEvents) acquired(i zklock.AcquiredInfo) {
	t.tell(i.Mode, event.Event{Kind: event.LockAcquired, Path: i.Node, Token: int64(i.Token)})
}

func (t lockEvents) released(i zklock.ReleaseStartInfo) {
	t.tell(i.Mode, event.Event{Kind: event.LockReleased, Path: i.Node, Token: int64(i.Token)})
}

func (t lockEvents) lost(i zklock.LostInfo) {
	t.tell(i.Mode, event.Event{Kind: event.LockLost, Path: i.Node, Token: int64(i.Token), Reason: Because(i.Cause)})
}

func (t lockEvents) asked(i zklock.RevokeAskedInfo) {
	t.tell(i.Mode, event.Event{Kind: event.LockAsked, Path: i.Node, Token: int64(i.Token)})
}

func (t lockEvents) gaveUp(i zklock.GaveUpInfo) {
	t.tell(i.Mode, event.Event{Kind: event.LockGaveUp, Path: i.Node, Reason: Because(i.Err)})
}

// sessionChanged records what the client believes of its session.
func (c *Process) sessionChanged(s zklock.SessionState) {
	kinds := map[zklock.State]event.Kind{
		zklock.Connected: event.SessionConnected,
		zklock.Suspended: event.SessionSuspended,
		zklock.Lost:      event.SessionLost,
	}
	c.tell(event.Event{Kind: kinds[s.State], Session: wire.SessionHex(s.SessionID), Reason: Because(s.Cause)})
}
