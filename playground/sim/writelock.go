package sim

import (
	"context"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
)

// newWriteLock is a faithful copy of the flaw in WriteLock, a recipe that comes
// with ZooKeeper: it lists, asks with a watch whether the predecessor exists,
// and then waits whether or not it does. If the predecessor went in between,
// the watch is on a znode that will never be made again.
func newWriteLock(c *client, lane event.Lane) contender {
	q := newNaiveQueue(c, lane)
	q.watch = func(ctx context.Context, predecessor string) (<-chan zk.Event, error) {
		return ask(ctx, c, func(conn *zk.Conn) (<-chan zk.Event, error) {
			_, _, change, err := conn.ExistsW(predecessor)
			return change, err
		})
	}
	return q
}
