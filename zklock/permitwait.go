package zklock

import (
	"context"
	"math"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// A permitWaiter waits for a permit of one place. It does what the permit requires,
// one thing after the other.
type permitWaiter struct {
	waiting
	semaphore *Semaphore
	permit    queue.Permit
	ahead     string // full path of the znode just ahead
	watch     *watch // what is waited for
}

// await returns when the place of a holds a permit.
func (s *Semaphore) await(ctx context.Context, a *acquisition) error {
	w := &permitWaiter{waiting: newWaiting(a, a.places[0]), semaphore: s}
	for {
		if w.reconnected() {
			w.permit.Doubt()
		}
		w.permit.Limited(s.agreed.now())
		if w.permit.Next() == queue.Hold {
			w.wakeNext()
			return nil
		}
		if err := w.step(ctx); err != nil {
			return err
		}
	}
}

// step does the next thing.
func (w *permitWaiter) step(ctx context.Context) error {
	if err := w.refused(w.permit.Excess()); err != nil {
		return err
	}
	switch w.permit.Next() {
	case queue.ReadLimit:
		return w.semaphore.agree(ctx)
	case queue.WatchQueue:
		return w.list(ctx, true)
	case queue.WatchAhead:
		return w.watchAhead(ctx)
	case queue.Sleep:
		return w.sleep(ctx)
	default:
		return w.list(ctx, false)
	}
}

// list reads the queue, and watches it if asked to. The listing shows in the
// directory's metadata, too, which limit was stored then.
func (w *permitWaiter) list(ctx context.Context, watching bool) (err error) {
	var got listing
	if watching {
		got, w.watch, err = w.session.listWatching(ctx, w.place.path)
	} else {
		got, err = ask(ctx, w.session, w.session.listRequest(w.place.path, false))
	}
	contenders, err := w.take(got, err, math.MaxInt32)
	if err != nil {
		return err
	}
	if w.position > 0 {
		w.ahead = childOf(w.place.path, contenders[w.position-1].Name)
	}
	w.permit.Listed(queue.Moment{Ahead: w.position, Behind: len(contenders) - w.position - 1, LimitAt: got.stat.Mzxid}, watching)
	return nil
}

// watchAhead reads the znode just ahead, with a watch. A version above 0 says that
// its client has written into it.
func (w *permitWaiter) watchAhead(ctx context.Context) error {
	var armed bool
	w.watch, armed = w.session.watches.on(watched{node: w.ahead})
	ahead, err := w.readAhead(ctx, armed)
	switch {
	case isNoNode(err):
		w.permit.Doubt()
		return nil
	case err != nil:
		return err
	}
	w.permit.BehindWaiter(ahead.Version > 0, ahead.Czxid)
	return nil
}

func (w *permitWaiter) readAhead(ctx context.Context, armed bool) (*zk.Stat, error) {
	if armed {
		return stat(ctx, w.session, w.ahead)
	}
	read, err := do(ctx, w.session, func(c Client) (*zk.Stat, error) {
		_, stat, _, err := c.GetW(w.ahead)
		return stat, err
	})
	w.session.watches.settle(w.watch, err)
	return read, err
}

// sleep waits for the watch, or for a reconnect, which reconnected sees.
func (w *permitWaiter) sleep(ctx context.Context) (err error) {
	w.startWaiting(w.watch.node)
	event := zk.EventNotWatching
	select {
	case <-w.watch.fired:
		event = w.watch.event
	case <-w.resumed:
	case <-ctx.Done():
		err = errInterrupted
	}
	w.stopWaiting(event, err)
	w.permit.Doubt()
	if event == zk.EventNodeDataChanged {
		w.permit.BehindHolder()
	}
	return err
}

// wakeNext has the own znode's data written once more, in the background, which
// wakes the one behind. It is tried until it is done, or the znode or the
// session has gone, both of which wake that one too. A version above 0 says
// that it is done, or that another client has written to ask for the lock back:
// that serves as well.
func (w *permitWaiter) wakeNext() {
	if !w.permit.MustTell() {
		return
	}
	s, node, data, g := w.session, w.place.node, w.place.config.data, w.grant
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.background.Err() != nil {
		return
	}
	s.work.Go(func() {
		do(g.ctx, s, func(c Client) (*zk.Stat, error) { return c.Set(node, data, 0) })
	})
}
