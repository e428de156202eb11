package zklock

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"
)

// A watchRequest is a request for a watch on a znode's data, or a watch that
// is there already.
type watchRequest struct {
	session    *Session
	name       string
	node       string
	connection <-chan struct{} // closed when there is another
	event      <-chan zk.Event // nil until it is there
	sent       *call[<-chan zk.Event]
	readable   bool          // the lock's znode before this one could be read
	awaited    bool          // what is watched for is that the znode is made
	settled    atomic.Bool   // the answer has been taken, or given up
	pause      time.Duration // before it was sent, if again
}

// watch sends those of the requests that are needed, in one packet: the server
// takes up what comes together at less expense.
func (s *Session) watch(requests []*watchRequest) {
	var needed []*watchRequest
	for _, r := range requests {
		if r.event == nil && r.sent == nil {
			needed = append(needed, r)
		}
	}
	if len(needed) == 0 || s.exchange(outgoingOf(needed)) {
		return
	}
	for _, r := range needed {
		r.sent = start(s, r.request().by)
	}
}

// outgoingOf is requests as the connection sends them: as one if that is safe.
func outgoingOf(requests []*watchRequest) (out []outgoing) {
	if len(requests) > 0 && !slices.ContainsFunc(requests, func(r *watchRequest) bool { return !r.readable }) {
		return []outgoing{newWatchSet(requests).outgoing()}
	}
	for _, r := range requests {
		request := r.request()
		r.sent = newCall(request)
		out = append(out, outgoing{frame: request.frame, errand: r.sent})
	}
	return out
}

func (r *watchRequest) request() request[<-chan zk.Event] { return dataWatchRequest(r.node, r.found) }

// found takes note of the watch, and leaves one that nobody waits for any more to the next waiter.
func (r *watchRequest) found(event <-chan zk.Event) {
	if r.settled.Swap(true) {
		r.discard(event)
	}
}

// discard leaves the watch to the next waiter, or takes it back. It may be
// called on the goroutine that reads the connection, which must not write.
func (r *watchRequest) discard(event <-chan zk.Event) {
	if !r.awaited {
		r.session.spares.leave(r.node, event, r.connection)
		return
	}
	start(r.session, func(Client) (none struct{}, err error) {
		r.session.unwatch(r.node, event, r.connection)
		return none, nil
	})
}

// wait returns the channel that will get the event. A request without an
// answer is repeated.
func (r *watchRequest) wait(ctx context.Context) (<-chan zk.Event, error) {
	if r.event != nil {
		return r.event, nil
	}
	event, err := r.sent.wait(ctx)
	switch {
	case err == nil || answered(err):
		return event, err
	case ctx.Err() == nil:
		return r.again(ctx)
	case r.settled.Swap(true):
		<-r.sent.done // at this moment
		return r.sent.value, nil
	default:
		return nil, interrupted(ctx)
	}
}

// again repeats a request, on the next connection if need be.
func (r *watchRequest) again(ctx context.Context) (<-chan zk.Event, error) {
	pause := min(max(minRetry, 2*r.pause), maxRetry)
	if err := sleep(ctx, pause); err != nil {
		return nil, err
	}
	if _, err := r.session.online(ctx); err != nil {
		return nil, err
	}
	next := &watchRequest{session: r.session, name: r.name, node: r.node, connection: r.session.nextConnection(), pause: pause}
	r.session.watch([]*watchRequest{next})
	return next.wait(ctx)
}

// leave gives up a request that has been sent.
func (r *watchRequest) leave() {
	if r.settled.Swap(true) {
		<-r.sent.done // at this moment
		if r.sent.err == nil {
			r.discard(r.sent.value)
		}
	}
}
