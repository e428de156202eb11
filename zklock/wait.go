package zklock

import (
	"context"
	"path"
	"slices"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// awaitTurns returns when nobody is ahead of any place any more. The queues are
// listed together, and then waited for one after the other: a place that is first in a queue
// stays so while its znode exists. Whether the znodes exist that were first while
// the others were waited for is seen to at the end.
func awaitTurns(ctx context.Context, a *acquisition) error {
	var waiters []*waiter
	for _, p := range a.places {
		if !p.alone {
			waiters = append(waiters, newWaiter(a, p))
		}
	}
	waited := false
	for _, w := range waiters {
		if err := w.wait(ctx); err != nil {
			return a.blame(w.place, err)
		}
		waited = waited || w.waited
	}
	if waited && len(a.places) > 1 {
		return a.confirm(ctx)
	}
	return nil
}

// confirm returns errVanished when one of the znodes does not exist.
func (a *acquisition) confirm(ctx context.Context) error {
	err := a.session.existAll(ctx, nodesOf(a.places))
	if isNoNode(err) {
		return errVanished
	}
	return err
}

// A waiting is what a place does to know its turn, of whatever kind the lock is.
type waiting struct {
	*acquisition
	place    *place
	resumed  <-chan struct{} // closed by a reconnect, which makes all doubtful
	position int             // in the last listing
	behind   string          // the contender that the trace has reported, "" for none
}

func newWaiting(a *acquisition, p *place) waiting {
	return waiting{acquisition: a, place: p, resumed: a.session.nextConnection()}
}

// reconnected reports whether the connection has changed since it was asked last.
// go-zookeeper sets its watches again then, but does not report a failure, and
// the server reports what was missed in no order.
func (w *waiting) reconnected() bool {
	select {
	case <-w.resumed:
		w.resumed = w.session.nextConnection()
		return true
	default:
		return false
	}
}

// take takes in a listing, and returns the contenders up to the number last. The
// own one is among them.
func (w *waiting) take(got listing, failed error, last int32) ([]queue.Contender, error) {
	p := w.place
	switch {
	case isNoNode(failed):
		return nil, errVanished
	case failed != nil:
		return nil, failed
	}
	w.session.directories.saw(p.path, got.stat)
	contenders, err := p.contenders(got, last)
	if err != nil {
		return nil, err
	}
	w.position = queue.Position(contenders, path.Base(p.node))
	w.traces.listed(ListedInfo{Node: p.node, Mode: w.mode, Children: len(got.children), Position: w.position})
	if w.position < 0 {
		return nil, errVanished
	}
	return contenders, nil
}

// refused returns why the caller does not want to wait for so many contenders.
func (w *waiting) refused(ahead int) error {
	switch most := w.place.config.maxWaiters; {
	case w.try && ahead > 0:
		return ErrHeld
	case most > 0 && ahead > most:
		return ErrTooManyWaiters
	default:
		return nil
	}
}

// startWaiting calls the trace with the contender that is waited for, when that has changed.
func (w *waiting) startWaiting(node string) {
	if node == w.behind {
		return
	}
	w.stopWaiting(zk.EventNotWatching, nil)
	w.behind = node
	w.traces.waitStart(WaitStartInfo{Node: w.place.node, Mode: w.mode, Predecessor: node, Position: w.position})
}

// stopWaiting calls the trace at the end of the wait.
func (w *waiting) stopWaiting(event zk.EventType, err error) {
	if w.behind == "" {
		return
	}
	info := WaitDoneInfo{Node: w.place.node, Mode: w.mode, Predecessor: w.behind, Type: event}
	w.behind = ""
	info.Err = w.session.reason(w.caller, w.grant, err)
	w.traces.waitDone(info)
}

// A waiter waits for the turn of one place. It does what the turn requires, one
// thing after the other.
type waiter struct {
	waiting
	turn    *queue.Turn
	listing *call[listing] // that was sent before the wait, nil once it is used
	watches []*watch       // of those ahead, the nearest first, and of the directory in a herd
	own     *watch         // on the own znode, nil without one
	listed  time.Time      // when the queue was listed last
	lists   int            // how often it was
	waited  bool
}

// newWaiter returns a waiter, whose first listing it sends.
func newWaiter(a *acquisition, p *place) *waiter {
	w := &waiter{waiting: newWaiting(a, p), turn: queue.NewTurn(p.kind, path.Base(p.node), p.config.recipe)}
	if !p.config.recipe.Herd {
		w.listing = send(a.session, a.session.listRequest(p.path, false))
	}
	return w
}

// wait returns when the place holds the lock.
func (w *waiter) wait(ctx context.Context) error {
	err := w.steps(ctx)
	w.stopWaiting(zk.EventNotWatching, err)
	return err
}

func (w *waiter) steps(ctx context.Context) (err error) {
	for err == nil {
		if w.reconnected() {
			w.stopWaiting(zk.EventNotWatching, nil)
			w.watches, w.own = nil, nil
			w.turn.Doubt()
		}
		switch {
		case w.turn.MustList():
			err = w.list(ctx)
		case !w.turn.Holds():
			err = w.watchAndSleep(ctx)
		case w.deleted():
			return errVanished
		default:
			return nil
		}
	}
	return err
}

// list lists the queue, and in a herd watches it by the same request.
func (w *waiter) list(ctx context.Context) (err error) {
	var got listing
	switch {
	case w.place.config.recipe.Herd && !w.try:
		w.watches = make([]*watch, 1)
		got, w.watches[0], err = w.session.listWatching(ctx, w.place.path)
	case w.listing != nil:
		got, err = w.listing.wait(ctx)
		w.listing = nil
		if err != nil && ctx.Err() == nil && !answered(err) {
			return nil // to be asked again
		}
	default:
		got, err = ask(ctx, w.session, w.session.listRequest(w.place.path, false))
	}
	contenders, err := w.take(got, err, w.place.sequence)
	if err != nil {
		return err
	}
	w.turn.Listed(contenders)
	w.listed = time.Now()
	w.lists++
	return w.refused(w.turn.Ahead())
}

// deleted reports whether a watch says that the own znode has gone. The
// server reports changes in their order, so before that of the one ahead.
func (w *waiter) deleted() bool {
	if w.own == nil {
		return false
	}
	select {
	case <-w.own.fired:
		deleted := w.own.event == zk.EventNodeDeleted
		w.own = nil
		return deleted
	default:
		return false
	}
}

// watchAndSleep waits for news of those ahead.
func (w *waiter) watchAndSleep(ctx context.Context) error {
	if !w.place.config.recipe.Herd {
		if complete, err := w.watch(ctx); err != nil || !complete {
			return err
		}
	}
	w.startWaiting(w.watches[0].node)
	return w.sleep(ctx)
}

// ownWatchDelay is how long a place may be unwatched by its owner after a listing
// has shown it, or after the lock was acquired. Most are released before, and
// save the request and the event.
const ownWatchDelay = 10 * time.Millisecond

// untilOwnWatch returns how long it is until the own znode is to be watched, so
// that nobody's deleting it goes unnoticed: that of a place which is next. ok is
// false when it is not to be. A place that was further back has just been seen in
// a listing, and may be gone before the watch is of use.
func (w *waiter) untilOwnWatch() (delay time.Duration, ok bool) {
	if !w.place.config.ownWatch || w.own != nil || !w.turn.IsNext() {
		return 0, false
	}
	if w.lists == 1 {
		return 0, true
	}
	return max(0, time.Until(w.listed.Add(w.place.config.delay))), true
}

// watch sets what is missing of the watches that the turn requires, and of that on
// the own znode when it is time, all at once. It is not complete when one of those
// ahead has gone already, or when the connection was lost meanwhile.
func (w *waiter) watch(ctx context.Context) (complete bool, err error) {
	names := w.turn.Watches()
	if delay, ok := w.untilOwnWatch(); ok && delay == 0 {
		names = append(names, path.Base(w.place.node))
	}
	watches, missing := make([]*watch, len(names)), []*watch(nil)
	for i, name := range names {
		watch, armed := w.session.watches.on(watched{node: childOf(w.place.path, name)})
		if watches[i] = watch; !armed {
			missing = append(missing, watch)
		}
	}
	gone, err := w.session.set(ctx, missing)
	complete = err == nil && len(gone) == 0
	for _, missed := range gone {
		if missed.node == w.place.node {
			return false, errVanished
		}
		w.turn.Gone(path.Base(missed.node))
	}
	w.watches = watches
	if last := len(watches) - 1; last >= 0 && watches[last].node == w.place.node {
		w.watches = watches[:last]
		if err == nil {
			w.own = watches[last]
		}
	}
	if err != nil && ctx.Err() == nil && !answered(err) {
		w.turn.Doubt()
		err = sleep(ctx, minRetry)
	}
	return complete, err
}

// sleep waits for one event, or until it is time to watch the own znode.
func (w *waiter) sleep(ctx context.Context) error {
	w.waited = true
	var own, before <-chan struct{}
	if w.own != nil {
		own = w.own.fired
	}
	if len(w.watches) > 1 {
		before = w.watches[1].fired
	}
	var due <-chan time.Time
	if delay, ok := w.untilOwnWatch(); ok {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-w.watches[0].fired:
		w.stopWaiting(w.watches[0].event, nil)
		w.happened(0)
	case <-before:
		w.traces.lookedAhead(LookedAheadInfo{Node: w.place.node, Mode: w.mode, Passed: w.watches[1].node, Type: w.watches[1].event})
		w.happened(1)
	case <-own:
		if w.deleted() {
			return errVanished
		}
		w.turn.Doubt() // unwatched from here to the next watch
	case <-due:
	case <-w.resumed:
	case <-ctx.Done():
		return errInterrupted
	}
	return nil
}

// happened takes in the event of the watch at index i. Of a change of a znode, the
// next watch shows whether it is still there.
func (w *waiter) happened(i int) {
	fired := w.watches[i]
	w.watches = slices.Delete(slices.Clone(w.watches), i, i+1)
	switch {
	case fired.children:
		w.turn.Doubt()
	case fired.event == zk.EventNodeDeleted:
		w.turn.Gone(path.Base(fired.node))
	}
}
