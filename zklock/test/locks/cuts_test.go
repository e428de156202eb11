package locks_test

import (
	"context"
	"flag"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/test/internal/onlyhost"
)

var (
	cutFor    = flag.Duration("cut-for", 2*time.Second, "how long links are cut again and again, at least")
	cutBeside = flag.Bool("cut-beside", false, "see go-zookeeper's own lock beside; its reconnection has a data race, so not with -race")
)

const (
	cutEvery    = 60 * time.Millisecond
	cutPatience = 3 * time.Second  // beyond it, a client counts as timed out
	cutGrace    = 20 * time.Second // how much longer a busy machine may need until all have acquired
)

// A contest is one library's lock, in four sessions with four clients each.
type contest struct {
	acquire            [4]func(context.Context) (release func() error, err error)
	acquired           [4]atomic.Int64
	timedOut, failures atomic.Int64
}

// begin has the clients contend until ctx ends.
func (c *contest) begin(ctx context.Context, clients *sync.WaitGroup) {
	for i := range c.acquire {
		for range 4 {
			clients.Go(func() {
				for ctx.Err() == nil {
					c.turn(ctx, i)
				}
			})
		}
	}
}

func (c *contest) allAcquired() bool {
	for i := range c.acquired {
		if c.acquired[i].Load() == 0 {
			return false
		}
	}
	return true
}

// turn is one acquisition in session i. A release is tried until it has succeeded.
func (c *contest) turn(ctx context.Context, i int) {
	patience, cancel := context.WithTimeout(ctx, cutPatience)
	defer cancel()
	defer context.AfterFunc(patience, func() {
		if ctx.Err() == nil {
			c.timedOut.Add(1)
		}
	})()
	release, err := c.acquire[i](patience)
	switch {
	case err == nil:
		c.acquired[i].Add(1)
		for ctx.Err() == nil && release() != nil {
		}
	case patience.Err() == nil:
		c.failures.Add(1)
	}
}

// Where the links of two sessions are cut every 60 ms, all come to acquire. With -cut-beside
// go-zookeeper's own lock is seen at the same time, whose clients wait for the place that one
// of them has left behind with its connection.
func TestLinksThatAreCutAgainAndAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var ours, theirs contest
	var networks []*network
	var conns []*zk.Conn
	for i := range ours.acquire {
		s, n := w.dialThrough(session)
		mutex := newMutex(s, w.path+"-ours")
		ours.acquire[i] = func(ctx context.Context) (func() error, error) {
			lease, err := mutex.Lock(ctx)
			return func() error { lease.Unlock(ctx); return nil }, err
		}
		if i < 2 {
			networks = append(networks, n)
		}
		if !*cutBeside {
			continue
		}
		m := newNetwork(w)
		conn, _, err := zk.Connect(w.servers(), session, zk.WithHostProvider(new(onlyhost.Provider)),
			zk.WithDialer(unfailing(m.Dial)), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
		theirs.acquire[i] = func(context.Context) (func() error, error) {
			lock := zk.NewLock(conn, w.path+"-theirs", zk.WorldACL(zk.PermAll))
			return lock.Unlock, lock.Lock()
		}
		if i < 2 {
			networks = append(networks, m)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), *cutFor+cutGrace)
	defer cancel()
	var clients sync.WaitGroup
	ours.begin(ctx, &clients)
	if *cutBeside {
		theirs.begin(ctx, &clients)
	}
	began := time.Now()
	for cuts := time.NewTicker(cutEvery); ctx.Err() == nil && (time.Since(began) < *cutFor || !ours.allAcquired()); <-cuts.C {
		for _, n := range networks {
			n.cut()
		}
	}
	cancel()
	for _, conn := range conns {
		conn.Close()
	}
	clients.Wait()
	for name, c := range map[string]*contest{"zklock": &ours, "go-zookeeper": &theirs} {
		var acquired [4]int64
		for i := range acquired {
			acquired[i] = c.acquired[i].Load()
			if acquired[i] == 0 && c == &ours {
				t.Errorf("nobody in session %d has acquired", i)
			}
		}
		t.Logf("%s: acquired in each session %d, timed out %d, failed %d", name, acquired, c.timedOut.Load(), c.failures.Load())
	}
}
