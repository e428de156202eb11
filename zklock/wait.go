package zklock

import (
	"context"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
	"path"
	"time"

	"github.com/go-zookeeper/zk"
)

// A vigil is the wait of one place for its turn.
type vigil struct {
	*acquisition
	place    place
	turn     *turn
	resumed  <-chan struct{} // closed by a reconnect, which makes all doubtful
	watched  []watch         // of those ahead
	own      <-chan zk.Event // of a watch on the own znode, nil without one
	seenOwn  time.Time       // the own znode is newer than that, or was there
	listed   time.Time       // when the queue was listed last, or an heir told
	lists    int             // how often it was listed
	guessed  bool            // those ahead were guessed at first
	guessing bool            // their names are known from a guess only
	settled  bool            // the guess was right
	// foreseen are requests that were sent with the create.
	foreseen []*watchRequest
	// guessedNames are of those just ahead, the nearest first.
	guessedNames []string
	heir         *watchRequest   // nil when none is waited for
	heirMade     <-chan zk.Event // its news
	inherited    bool            // an heir has told
	learned      bool            // those ahead are remembered
	looksAhead   bool            // the second ahead has gone
	trip         time.Duration   // how long it took to make the own znode, at most
	behind       string          // whom the trace has been told of, "" for nobody
}

// awaitTurn returns when nobody is ahead of p any more. It does what the turn
// asks for, one thing after the other.
func (a *acquisition) awaitTurn(ctx context.Context, p place) error {
	if p.alone {
		return nil
	}
	v := &vigil{acquisition: a, place: p, turn: newTurn(a.kind, path.Base(p.node), a.config.textbook, a.config.without.Has(mechanism.LookAhead)), trip: time.Since(a.began), seenOwn: a.began}
	v.resumed = a.session.nextConnection()
	defer v.leave()
	done, err := false, v.guess(ctx)
	for !done && err == nil {
		done, err = v.step(ctx)
	}
	v.stopWaiting(zk.EventNotWatching, err)
	return err
}

// step does the next thing, and reports whether the place holds the lock.
func (v *vigil) step(ctx context.Context) (holds bool, err error) {
	if v.reconnected() {
		v.begin()
	}
	switch v.turn.wishes() {
	case wishListing:
		return false, v.list(ctx)
	case wishNews:
		return false, v.watchAndSleep(ctx)
	}
	if v.vanished() {
		return false, errVanished
	}
	if v.unseen() {
		v.turn.doubt()
		return false, nil
	}
	v.habit.brisk.Store(time.Since(v.began) < v.config.heirTime/2)
	return true, nil
}

// reconnected reports whether the connection has changed. go-zookeeper sets
// its watches again then, but does not tell when that fails, and the server
// tells what was missed in no order.
func (v *vigil) reconnected() bool {
	select {
	case <-v.resumed:
		return true
	default:
		return false
	}
}

// begin starts over on a new connection.
func (v *vigil) begin() {
	v.stopWaiting(zk.EventNotWatching, nil)
	v.resumed = v.session.nextConnection()
	v.watched, v.own = nil, nil
	v.heir, v.heirMade = nil, nil
	v.turn.doubt()
}

// list reads the queue, or what says as much.
func (v *vigil) list(ctx context.Context) error {
	if v.heir != nil {
		if told, err := v.heirOrListing(ctx); told || err != nil {
			return err
		}
	}
	if err := v.letPass(ctx); err != nil {
		return err
	}
	if enough, err := v.readMark(ctx); enough || err != nil {
		return err
	}
	queue, err := v.queue(ctx, v.place, v.brief())
	if err != nil {
		return err
	}
	return v.tookQueue(queue)
}

// tookQueue takes in a listing.
func (v *vigil) tookQueue(queue []contender) error {
	if !v.turn.listed(queue) {
		return errVanished
	}
	v.noteListed()
	switch ahead := len(v.turn.ahead); {
	case v.try && ahead > 0:
		return ErrHeld
	case v.config.maxWaiters > 0 && ahead > v.config.maxWaiters:
		return ErrTooManyWaiters
	}
	return nil
}

// brief reports whether a listing may do without the directory's metadata: they
// tell nothing where the queue goes on as before, unless it has come to be long.
func (v *vigil) brief() bool {
	known, _ := v.session.directories.known(v.path)
	return !v.config.without.Has(mechanism.Brief) && v.settled && !known.long
}

func (v *vigil) noteListed() {
	v.lists++
	v.listed = time.Now()
	v.seenOwn = v.listed
}

// vanished reports whether a watch says that the own znode has gone. The
// server tells of changes in their order, so before that of the one ahead.
func (v *vigil) vanished() bool {
	select {
	case event := <-v.own:
		v.own = nil
		return event.Type == zk.EventNodeDeleted
	default:
		return false
	}
}

// watchAndSleep waits for news of those ahead.
func (v *vigil) watchAndSleep(ctx context.Context) error {
	complete, err := v.watch(ctx)
	if err != nil || !complete {
		return err
	}
	v.startWaiting()
	return v.sleep(ctx)
}

// sleep waits for one event, or until it is time to watch the own znode.
func (v *vigil) sleep(ctx context.Context) error {
	var ahead, before <-chan zk.Event
	ahead = v.watched[0].event
	if len(v.watched) > 1 {
		before = v.watched[1].event
	}
	patience, stop := v.patience()
	defer stop()
	select {
	case event := <-ahead:
		v.stopWaiting(event.Type, nil)
		v.happened(0, event)
	case event := <-before:
		v.traces.lookedAhead(LookedAheadInfo{Node: v.place.node, Mode: v.mode, Passed: v.watched[1].node, Type: event.Type})
		v.happened(1, event)
		v.looksAhead = event.Type == zk.EventNodeDeleted
	case event := <-v.heirMade:
		v.tookHeir(event)
	case event := <-v.own:
		v.own = nil
		if event.Type == zk.EventNodeDeleted {
			return errVanished
		}
		v.turn.doubt() // unwatched from here to the next watch
	case <-patience:
	case <-v.resumed:
	case <-ctx.Done():
		return interrupted(ctx)
	}
	return nil
}

// happened takes in the event of the watch at index i.
func (v *vigil) happened(i int, event zk.Event) {
	name := v.watched[i].name
	v.watched = append(v.watched[:i:i], v.watched[i+1:]...)
	v.turn.heard(name, event.Type)
}

// patience returns a channel that tells when the own znode is to be watched,
// nil when it is not.
func (v *vigil) patience() (<-chan struct{}, func()) {
	if v.config.without.Has(mechanism.OwnWatch) || v.config.textbook || v.own != nil || !v.turn.next() {
		return nil, func() {}
	}
	over := make(chan struct{})
	m := v.session.reminders.add(time.Until(v.listed.Add(v.config.delay)), func() { close(over) })
	return over, m.takeBack
}

// startWaiting tells the trace for whom the wait is, when that is news.
func (v *vigil) startWaiting() {
	node := v.watched[0].node
	if node == v.behind {
		return
	}
	v.stopWaiting(zk.EventNotWatching, nil)
	v.behind = node
	v.traces.waitStart(WaitStartInfo{Node: v.place.node, Mode: v.mode, Predecessor: node, Position: v.turn.position})
}

// stopWaiting tells the trace that the wait is over.
func (v *vigil) stopWaiting(event zk.EventType, err error) {
	if v.behind == "" {
		return
	}
	v.traces.waitDone(WaitDoneInfo{Node: v.place.node, Mode: v.mode, Predecessor: v.behind, Type: event, Err: err})
	v.behind = ""
}
