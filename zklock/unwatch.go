package zklock

import (
	"bytes"

	"github.com/go-zookeeper/zk"
)

// unwatch takes back the watch on a znode that has not been made and will not
// be, which nobody else could use: it would stay for as long as the connection.
// event is what a watchSet sent on the connection returned.
func (s *Session) unwatch(node string, event <-chan zk.Event, connection <-chan struct{}) {
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		conn := s.direct()
		if conn == nil || connection != s.nextConnection() {
			return // it has gone with its connection
		}
		if conn.unwatch(node, event) || sleep(s.background, pause) != nil {
			return
		}
	}
}

// unwatch takes back a watch, unless it is used up, as the znode has been made
// after all, or others on the connection watch the same znode, whose watch would
// go with it; who waits for that to be made, too, takes the watch back later. It
// returns false when it is to be tried again.
func (c *frameConn) unwatch(node string, event <-chan zk.Event) bool {
	request := outgoing{frame: unwatchFrame(node), errand: unwatching{c.session}}
	c.writing.Lock() // nobody asks for such a watch meanwhile
	defer c.writing.Unlock()
	// This comes before the look at who waits: a request that is answered in
	// between has found the znode, after the news that it was made.
	if c.busy(node, len(request.frame)) {
		return false
	}
	if leftOver := c.watchers.drop(node, event); leftOver {
		c.send([]outgoing{request})
	}
	return true
}

// busy reports whether a request of our own that has not been answered is for
// the znode, or so much is under way that there is no room for another of the
// given size. On a connection that is closed there is no need for any.
func (c *frameConn) busy(node string, size int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.pending {
		if bytes.Contains(p.frame, []byte(node)) {
			return true
		}
	}
	return !c.over && c.unanswered+size > maxUnanswered
}

// watchesOnData are those that reads set, also on a znode that is not there.
const watchesOnData = 2

func unwatchFrame(node string) frame {
	return newFrame(opRemoveWatches, node).int32(watchesOnData).direct(node)
}

// An unwatching is the errand of a watch that is taken back.
type unwatching struct{ session *Session }

// answered finds out whether the server knows the request: those before 3.5 do
// not. That there is no such watch any more is as good.
func (u unwatching) answered(_ *reply, err error) {
	if unimplemented(err) {
		u.session.heirless.Store(true)
	}
}
