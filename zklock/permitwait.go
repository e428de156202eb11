package zklock

import (
	"context"
	"errors"

	"github.com/go-zookeeper/zk"
)

// A permitWait is the wait of one place for a permit. It does what the permit
// asks for, one thing after the other.
type permitWait struct {
	*acquisition
	semaphore *Semaphore
	place     place
	permit    permit
	ahead     string          // full path of the znode just ahead
	watched   string          // full path of what is watched
	event     <-chan zk.Event // of that watch
	resumed   <-chan struct{} // closed by a reconnect, which makes all doubtful
}

// reconnected reports whether the connection has changed since it was asked
// last. go-zookeeper sets its watches again then, but does not tell when that
// fails.
func (w *permitWait) reconnected() bool {
	select {
	case <-w.resumed:
		w.resumed = w.session.nextConnection()
		return true
	default:
		return false
	}
}

// step does the next thing.
func (w *permitWait) step(ctx context.Context) error {
	if err := w.refused(); err != nil {
		return err
	}
	switch w.permit.next() {
	case readLimit:
		return w.semaphore.agree(ctx)
	case watchQueue:
		return w.list(ctx, true)
	case watchAhead:
		return w.watchAhead(ctx)
	case sleepOn:
		return w.sleep(ctx)
	default:
		return w.list(ctx, false)
	}
}

// refused returns why the caller does not want to wait.
func (w *permitWait) refused() error {
	switch excess := w.permit.excess(); {
	case w.try && excess > 0:
		return ErrHeld
	case w.config.maxWaiters > 0 && excess > w.config.maxWaiters:
		return ErrTooManyWaiters
	default:
		return nil
	}
}

// list reads the queue, and watches it if asked to.
func (w *permitWait) list(ctx context.Context, watch bool) error {
	got, err := do(ctx, w.session, func(c Client) (listing, error) {
		return w.session.listing(c, w.path, watch)
	})
	if errors.Is(err, zk.ErrNoNode) {
		return errVanished
	}
	if err != nil {
		return err
	}
	w.event, w.watched = got.event, w.path
	return w.listed(got, watch)
}

// listed takes in a listing, which shows the queue and, in the directory's
// metadata, which limit was stored then.
func (w *permitWait) listed(got listing, watch bool) error {
	w.session.directories.saw(w.path, got.stat, w.config.long)
	queue := queueOf(got.children, w.markers)
	position := positionOf(queue, w.place.node)
	w.traces.listed(ListedInfo{Node: w.place.node, Mode: w.mode, Children: len(got.children), Position: position})
	if position < 0 {
		return errVanished
	}
	if position > 0 {
		w.ahead = w.nodeOf(queue[position-1].name)
	}
	w.permit.listed(moment{position, len(queue) - position - 1, got.stat.Mzxid}, watch)
	return nil
}

// watchAhead reads the znode just ahead, with a watch that a former waiter of
// the session has left there, or else with a new one. It reads the data: unlike
// exists, that leaves no watch when the znode has gone.
func (w *permitWait) watchAhead(ctx context.Context) error {
	w.watched = w.ahead
	w.event = w.session.spares.take(w.ahead, w.resumed)
	stat, err := w.readAhead(ctx)
	switch {
	case errors.Is(err, zk.ErrNoNode):
		w.permit.doubt()
		return nil
	case err != nil:
		return err
	}
	w.permit.behindWaiter(stat.Version > 0, stat.Czxid)
	if w.permit.next() != sleepOn {
		w.leave()
	}
	return nil
}

// readAhead returns the metadata of the znode just ahead. A version above 0 is
// the mark.
func (w *permitWait) readAhead(ctx context.Context) (*zk.Stat, error) {
	if w.event != nil {
		return stat(ctx, w.session, w.ahead)
	}
	type reading struct {
		stat  *zk.Stat
		event <-chan zk.Event
	}
	got, err := do(ctx, w.session, func(c Client) (r reading, err error) {
		_, r.stat, r.event, err = c.GetW(w.ahead)
		return r, err
	})
	w.event = got.event
	return got.stat, err
}

// leave leaves a watch that is not waited for to later waiters: go-zookeeper
// cannot remove it. One on the directory goes with the next change there.
func (w *permitWait) leave() {
	if w.watched != w.path && w.event != nil {
		w.session.spares.leave(w.watched, w.event, w.resumed)
	}
}

// sleep waits for the watch, or for a reconnect.
func (w *permitWait) sleep(ctx context.Context) error {
	w.traces.waitStart(WaitStartInfo{Node: w.place.node, Mode: w.mode, Predecessor: w.watched, Position: w.permit.seen.position})
	done := WaitDoneInfo{Node: w.place.node, Mode: w.mode, Predecessor: w.watched, Type: zk.EventNotWatching}
	select {
	case event := <-w.event:
		done.Type = event.Type
	case <-w.resumed: // seen by reconnected
	case <-ctx.Done():
		done.Err = interrupted(ctx)
		w.leave()
	}
	w.traces.waitDone(done)
	w.permit.doubt()
	if done.Type == zk.EventNodeDataChanged {
		w.permit.behindHolder()
	}
	return done.Err
}

// mark has the own znode's data written once more, in the background, which
// wakes the one behind. It is tried until it is done, or the znode or the
// session has gone, both of which wake that one too. A version above 0 says
// that it is done, or that somebody asks for the lock back and has written:
// that serves as well.
func (w *permitWait) mark() {
	if !w.permit.crowded() {
		return
	}
	s, node, data, g := w.session, w.place.node, w.config.data, w.grant
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.background.Err() != nil {
		return
	}
	s.work.Go(func() {
		do(g.ctx, s, func(c Client) (*zk.Stat, error) { return c.Set(node, data, 0) })
	})
}
