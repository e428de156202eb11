package zklock

import (
	"context"

	"github.com/go-zookeeper/zk"
)

// A watchRequest is a request for a watch on a znode's data, under way, or
// answered before it was sent.
type watchRequest struct {
	session *Session
	name    string
	node    string
	event   <-chan zk.Event
	sent    *call[<-chan zk.Event]
}

// requestWatch sends a request for a watch on node. It reads the data: unlike
// exists, that leaves no watch when the znode has gone.
func (s *Session) requestWatch(name, node string) *watchRequest {
	r := &watchRequest{session: s, name: name, node: node}
	r.sent = start(s, r.ask)
	return r
}

func (r *watchRequest) ask(c Client) (<-chan zk.Event, error) {
	_, _, event, err := c.GetW(r.node)
	return event, err
}

// wait returns the channel that will get the event. A request without an
// answer is repeated.
func (r *watchRequest) wait(ctx context.Context) (<-chan zk.Event, error) {
	if r.event != nil {
		return r.event, nil
	}
	event, err := r.sent.wait(ctx)
	if err == nil || answered(err) || ctx.Err() != nil {
		return event, err
	}
	return do(ctx, r.session, r.ask)
}
