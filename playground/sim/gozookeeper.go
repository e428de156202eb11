package sim

import (
	"context"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock"
)

// goZooKeeper is go-zookeeper's own zk.Lock, which tells neither its znode nor
// what it does meanwhile, and cannot be cancelled. It never looks whether its
// znode is still in the queue: without it, it counts itself first.
type goZooKeeper struct {
	client *client
	conn   *zk.Conn
	dir    string
	lock   *zk.Lock
	trace  *zklock.Trace
}

func newGoZooKeeper(c *client, lane event.Lane) contender {
	conn := c.session.Load().Client().(*zk.Conn) // as after every zklock.Dial
	return &goZooKeeper{c, conn, lane.Path, zk.NewLock(conn, lane.Path, zk.WorldACL(zk.PermAll)), c.trace(lane.Recipe)}
}

func (g *goZooKeeper) acquire(ctx context.Context, _ bool) (grip, error) {
	before, _ := g.client.tap.LastCreated()
	_, err := send(ctx, g.client, func(*zk.Conn) (struct{}, error) { return struct{}{}, g.lock.Lock() })
	if err != nil {
		g.trace.GaveUp(zklock.GaveUpInfo{Path: g.dir, Mode: zklock.ModeWrite, Err: err})
		if ctx.Err() != nil {
			g.withdraw(before)
		}
		return nil, err
	}
	node, zxid := g.client.tap.LastCreated()
	g.trace.Acquired(zklock.AcquiredInfo{Node: node, Token: zklock.Token(zxid), Mode: zklock.ModeWrite})
	return &goZooKeeperGrip{g, node, zklock.Token(zxid)}, nil
}

// withdraw takes the znode of a wait that nobody wants any more out of the
// queue, once it is there: it is the next after the one made before. The wait
// itself ends with the session.
func (g *goZooKeeper) withdraw(before string) {
	g.client.orphans.begin()
	g.client.background.Go(func() {
		defer g.client.orphans.end()
		node := before
		for node == before && !g.client.departed() {
			if !sleep(g.client.grace, askPause) {
				return
			}
			node, _ = g.client.tap.LastCreated()
		}
		_ = g.conn.Delete(node, -1) // it may be gone; if not, it goes with the session
	})
}

// goZooKeeperGrip is a hold of which go-zookeeper does not tell the loss.
type goZooKeeperGrip struct {
	held  *goZooKeeper
	node  string
	token zklock.Token
}

func (g *goZooKeeperGrip) Node() string          { return g.node }
func (g *goZooKeeperGrip) Token() zklock.Token   { return g.token }
func (g *goZooKeeperGrip) Lost() <-chan struct{} { return nil }

func (g *goZooKeeperGrip) Unlock(ctx context.Context) error {
	g.held.trace.ReleaseStart(zklock.ReleaseStartInfo{Node: g.node, Token: g.token, Mode: zklock.ModeWrite})
	_, err := send(ctx, g.held.client, func(*zk.Conn) (struct{}, error) { return struct{}{}, g.held.lock.Unlock() })
	return err
}
