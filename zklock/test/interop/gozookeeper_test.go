package interop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/go-zookeeper/zk"
)

// goZooKeeper is a client of go-zookeeper's own Lock. That does not say by
// which znode it holds, but no other of the lock directory is of its session.
type goZooKeeper struct {
	conn  *zk.Conn
	path  string
	mutex *zk.Lock
	node  string
}

// addGoZooKeeper has clients of go-zookeeper's Lock take part.
func (c *contest) addGoZooKeeper() {
	c.Helper()
	c.add("go-zookeeper", func() locker {
		conn := c.server.Session(c.T, sessionTimeout)
		return &goZooKeeper{conn: conn, path: c.path, mutex: zk.NewLock(conn, c.path, zk.WorldACL(zk.PermAll))}
	}, write)
}

// lock cannot be cancelled, but for the end of its session.
func (g *goZooKeeper) lock(ctx context.Context, _ mode) (string, error) {
	defer context.AfterFunc(ctx, g.conn.Close)()
	if err := g.mutex.Lock(); err != nil {
		return "", err
	}
	var err error
	g.node, err = g.find()
	return g.node, err
}

func (g *goZooKeeper) unlock(context.Context) error { return g.mutex.Unlock() }

func (g *goZooKeeper) check(context.Context) error {
	owned, err := g.owns(g.node)
	if err == nil && !owned {
		err = fmt.Errorf("holds by %s, which is not its own", g.node)
	}
	return err
}

// find returns the own znode, which a holder should find in its first place.
func (g *goZooKeeper) find() (string, error) {
	children, _, err := g.conn.Children(g.path)
	if err != nil {
		return "", err
	}
	slices.SortFunc(children, func(a, b string) int { return cmp.Compare(tail(a), tail(b)) })
	for _, child := range children {
		node := path.Join(g.path, child)
		if owned, err := g.owns(node); owned || err != nil {
			return node, err
		}
	}
	return "", errors.New("holds and has no znode")
}

// tail returns the digits by which a queue is sorted.
func tail(name string) string { return name[max(0, len(name)-sequenceDigits):] }

func (g *goZooKeeper) owns(node string) (bool, error) {
	found, stat, err := g.conn.Exists(node)
	return found && stat.EphemeralOwner == g.conn.SessionID(), err
}
