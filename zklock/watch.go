package zklock

import (
	"context"
	"errors"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
	"path"
	"slices"
	"time"

	"github.com/go-zookeeper/zk"
)

// A watch is one on the znode of a contender ahead.
type watch struct {
	name  string
	node  string
	event <-chan zk.Event
}

// ownDelay is how long a place may be unwatched by its owner after a listing
// has shown it, or after the lock was acquired. Most are released before, and
// save the request and the event.
const ownDelay = 10 * time.Millisecond

// watch sets what is missing of the watches that the turn asks for, all at
// once. It is not complete when one of those ahead has gone already.
func (v *vigil) watch(ctx context.Context) (complete bool, err error) {
	names, own := v.turn.watches(), v.watchingOwn()
	if len(own) == 0 && slices.EqualFunc(v.watched, names, func(w watch, name string) bool { return w.name == name }) {
		return true, nil
	}
	var requests []*watchRequest
	for _, name := range names {
		requests = append(requests, v.watching(name))
	}
	v.session.watch(append(requests, own...))
	complete, err = v.collect(ctx, requests)
	if err == nil && len(own) > 0 {
		if v.own, err = own[0].wait(ctx); errors.Is(err, zk.ErrNoNode) {
			err = errVanished
		}
	}
	return complete, err
}

// collect takes in the answers of those ahead.
func (v *vigil) collect(ctx context.Context, requests []*watchRequest) (complete bool, err error) {
	v.watched = nil
	complete = true
	for _, r := range requests {
		event, failed := r.wait(ctx)
		switch {
		case errors.Is(failed, zk.ErrNoNode):
			v.turn.gone(r.name)
			complete = false
		case failed != nil:
			err = failed
		default:
			v.watched = append(v.watched, watch{r.name, r.node, event})
		}
	}
	if err == nil {
		v.learn()
	}
	return complete, err
}

// watching returns the watch on the contender name, or a request for one.
func (v *vigil) watching(name string) *watchRequest {
	if i := slices.IndexFunc(v.foreseen, func(r *watchRequest) bool { return r.name == name }); i >= 0 {
		return v.foreseen[i]
	}
	r := v.watchOf(name, v.resumed)
	r.readable = v.guessing && v.foresight.guess.readable == v.resumed
	i := slices.IndexFunc(v.watched, func(w watch) bool { return w.name == name })
	if i >= 0 {
		r.event = v.watched[i].event
	} else {
		r.event = v.session.spares.take(r.node, v.resumed)
	}
	return r
}

// watchingOwn returns a request for a watch on the own znode when the turn is
// the next, so that nobody's deleting it goes unnoticed; else nothing. A place
// that was far back has just been seen in a listing, and may be gone before
// the watch is of use.
func (v *vigil) watchingOwn() []*watchRequest {
	if v.config.without.Has(mechanism.OwnWatch) || v.config.textbook || v.own != nil || !v.turn.next() {
		return nil
	}
	if (v.lists > 1 || v.guessed) && time.Since(v.listed) < v.config.delay {
		return nil
	}
	return []*watchRequest{v.watchOf(path.Base(v.place.node), v.resumed)}
}

// watchOf is a request for a watch on a contender, on the connection after
// which connection is closed.
func (a *acquisition) watchOf(name string, connection <-chan struct{}) *watchRequest {
	return &watchRequest{session: a.session, name: name, node: a.nodeOf(name), connection: connection}
}

// leave leaves the watches to later waiters of the session: they
// stay until they fire, and there would be more for each wait that is given up.
func (v *vigil) leave() {
	v.leaveHeir()
	for _, w := range v.watched {
		if len(w.event) == 0 {
			v.session.spares.leave(w.node, w.event, v.resumed)
		}
	}
}

// guess watches those who are likely to be just ahead, before any listing. Its
// outcome is as good as a listing's, but for the rest of the queue.
func (v *vigil) guess(ctx context.Context) error {
	f := v.foresight
	if f == nil {
		return nil
	}
	names := f.guess.names(v.marker, v.place.sequence)
	if names == nil {
		return nil
	}
	if f.watches != nil {
		right := f.guess.sequence == v.place.sequence
		v.habit.judgeNumber(right)
		if !right {
			return nil
		}
		v.resumed, v.foreseen, f.watches = f.connection, f.watches, nil
		v.expectHeir(f)
	}
	v.guessed, v.guessedNames = true, slices.Clone(names)
	slices.Reverse(names)
	v.turn.guessed(queueOf(names, v.markers))
	v.guessing = true
	complete, err := v.watch(ctx)
	v.guessing, v.foreseen = false, nil
	v.habit.guesses.judge(complete)
	v.settled = complete
	if err == nil {
		v.beginHeir(ctx, complete)
	}
	return err
}

// learn remembers the first two that were found ahead, for the next place.
func (v *vigil) learn() {
	if v.learned || len(v.watched) < lookAhead || !v.steady {
		return
	}
	v.learnNames([]string{v.watched[0].name, v.watched[1].name})
}

// learnNames remembers who was ahead, the nearest first.
func (v *vigil) learnNames(names []string) {
	v.learned = true
	v.habit.learn(names, v.place, v.resumed)
}
