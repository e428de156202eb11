package zklock

import (
	"context"
	"sync/atomic"

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
	settled    atomic.Bool // the answer has been taken, or given up
}

// send sends those of the requests that are needed, in one packet: the server
// takes up what comes together at less expense.
func (s *Session) send(requests []*watchRequest) {
	var needed []*watchRequest
	for _, r := range requests {
		if r.event == nil {
			needed = append(needed, r)
		}
	}
	if len(needed) > 1 {
		s.join(len(needed))
	}
	for _, r := range needed {
		r.sent = start(s, r.ask)
	}
}

// join has the next n requests go out together.
func (s *Session) join(n int) {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil {
		conn.join(n)
	}
}

// ask reads the data: unlike exists, that leaves no watch when the znode has
// gone. A watch that nobody waits for any more is left to the next waiter.
func (r *watchRequest) ask(c Client) (<-chan zk.Event, error) {
	_, _, event, err := c.GetW(r.node)
	if err == nil && r.settled.Swap(true) {
		r.session.spares.leave(r.node, event, r.connection)
	}
	return event, err
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
		return do(ctx, r.session, func(c Client) (<-chan zk.Event, error) {
			_, _, event, err := c.GetW(r.node)
			return event, err
		})
	case r.settled.Swap(true):
		<-r.sent.done // at this moment
		return r.sent.value, nil
	default:
		return nil, context.Cause(ctx)
	}
}
