package zklock_test

import (
	"sync/atomic"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A watchingClient counts the watches on data.
type watchingClient struct {
	*zk.Conn
	watches atomic.Int64
}

func (c *watchingClient) GetW(path string) ([]byte, *zk.Stat, <-chan zk.Event, error) {
	c.watches.Add(1)
	return c.Conn.GetW(path)
}

// Those who wait for a flag in vain leave one watch behind, and not one each:
// go-zookeeper keeps all until the flag changes.
func TestFlagWatchesOfTimeouts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := new(watchingClient)
	f := zklock.NewFlagLock(w.bring(func(c *zk.Conn) zklock.Client { client.Conn = c; return client }), w.path)
	holder := w.setFlag(zklock.NewFlagLock(w.dial(session), w.path))
	for range 20 {
		call := w.waitForFlag(f)
		call.cancel()
		<-call.done
	}
	if n := client.watches.Load(); n != 1 {
		t.Errorf("%d watches for one waiter at a time, want 1", n)
	}
	next := w.waitForFlag(f) // behind a watch that is left over
	w.emptyFlag(holder)
	w.emptyFlag(w.anyFlag([]*flagCall{next}))
	if n := client.watches.Load(); n > 3 {
		t.Errorf("%d watches after a change, want 3 at most", n)
	}
}
