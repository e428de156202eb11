package broken

import (
	"context"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

// goZooKeeper is go-zookeeper's own zk.Lock, which tells neither its znode nor
// what it does meanwhile, and cannot be cancelled. It never looks whether its
// znode is still in the queue: without it, it counts itself first.
type goZooKeeper struct {
	process recipe.Process
	conn    *zk.Conn
	dir     string
	lock    *zk.Lock
	trace   *zklock.Trace
}

var goZooKeeperCode = []scenario.Line{
	recipe.Connect, recipe.Think, recipe.Create, {Text: recipe.Find.Text},
	recipe.Repeat, recipe.List,
	{Text: "  if no znode is lower than me: it holds, leave the loop",
		Wrong: "it does not look whether me is there: it may be gone"},
	recipe.Ahead, recipe.Watch, recipe.Sleep,
	{Text: "work, until all is done", At: at{scenario.Holds},
		Wrong: "it never tells that the lock is lost"},
	recipe.Delete, recipe.Anew,
}

func newGoZooKeeper(e recipe.Env) recipe.Lock {
	conn := e.Session.Client().(*zk.Conn) // as after every zklock.Dial
	return &goZooKeeper{e.Process, conn, e.Path, zk.NewLock(conn, e.Path, zk.WorldACL(zk.PermAll)), e.Trace}
}

func (g *goZooKeeper) Acquire(ctx context.Context, _ scenario.Turn) (recipe.Hold, error) {
	before, _ := g.process.LastCreated()
	_, err := recipe.Send(ctx, g.process, func(*zk.Conn) (struct{}, error) { return struct{}{}, g.lock.Lock() })
	if err != nil {
		g.trace.GaveUp(zklock.GaveUpInfo{Path: g.dir, Mode: zklock.ModeWrite, Err: err})
		if ctx.Err() != nil {
			g.withdraw(before)
		}
		return nil, err
	}
	node, zxid := g.process.LastCreated()
	if node == before { // the reply to its create was lost: it has found another one, and tells nobody which
		node, zxid = "", 0
	}
	g.trace.Acquired(zklock.AcquiredInfo{Node: node, Token: zklock.Token(zxid), Mode: zklock.ModeWrite})
	return &goZooKeeperHold{g, node, zklock.Token(zxid)}, nil
}

// withdraw takes the znode of a wait that nobody wants any more out of the
// queue, once it is there: it is the next after the one made before. The wait
// itself ends with the session.
func (g *goZooKeeper) withdraw(before string) {
	g.process.CleanUp(func() {
		node := before
		for node == before && !g.process.Ending() {
			if !clock.Sleep(g.process.Grace(), recipe.AskPause) {
				return
			}
			node, _ = g.process.LastCreated()
		}
		_ = g.conn.Delete(node, -1) // it may be gone; if not, it goes with the session
	})
}

// goZooKeeperHold is a hold of which go-zookeeper does not tell the loss.
type goZooKeeperHold struct {
	held  *goZooKeeper
	node  string
	token zklock.Token
}

func (g *goZooKeeperHold) Node() string          { return g.node }
func (g *goZooKeeperHold) Token() zklock.Token   { return g.token }
func (g *goZooKeeperHold) Lost() <-chan struct{} { return nil }

func (g *goZooKeeperHold) Unlock(ctx context.Context) error {
	g.held.trace.ReleaseStart(zklock.ReleaseStartInfo{Node: g.node, Token: g.token, Mode: zklock.ModeWrite})
	_, err := recipe.Send(ctx, g.held.process, func(*zk.Conn) (struct{}, error) { return struct{}{}, g.held.lock.Unlock() })
	return err
}
