package broken

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock"
)

// errGone says that the own znode has left the queue while it waited.
var errGone = errors.New("the client's znode is gone")

// A queue is a queue of znodes as people write it themselves. By itself it is
// right; each broken recipe replaces one part by a flawed one.
type queue struct {
	process recipe.Process
	dir     string
	trace   *zklock.Trace
	// enter makes the znode, and notes it in the hold. It is not interrupted, so
	// that no znode is forgotten.
	enter func(context.Context, *hold) error
	// unsure is called when nobody knows whether the znode was made, before the
	// client looks for it; nil where there is nothing to do.
	unsure func(context.Context, *hold) error
	// watch begins to watch the predecessor. Without a channel the znode is
	// gone, and the queue has to be looked at again.
	watch func(ctx context.Context, predecessor string) (<-chan zk.Event, error)
	// ignoresLoss says that the holder does not listen for the loss of its session.
	ignoresLoss bool
}

func newQueue(e recipe.Env) *queue {
	q := &queue{process: e.Process, dir: e.Path, trace: e.Trace}
	q.enter, q.watch = q.enterOnce, q.watchPresent
	return q
}

func (q *queue) Acquire(ctx context.Context, _ scenario.Turn) (recipe.Hold, error) {
	h := &hold{queue: q, life: q.process.Session().Context()}
	err := q.enter(q.process.Grace(), h)
	if err == nil {
		q.trace.Enqueued(zklock.EnqueuedInfo{Path: q.dir, Node: h.node, Token: h.token, Mode: zklock.ModeWrite, Recovered: h.recovered})
		err = h.within(ctx, q.await)
	}
	if err != nil {
		h.withdraw()
		q.trace.GaveUp(zklock.GaveUpInfo{Path: q.dir, Node: h.node, Mode: zklock.ModeWrite, Err: err})
		return nil, err
	}
	q.trace.Acquired(zklock.AcquiredInfo{Node: h.node, Token: h.token, Mode: zklock.ModeWrite})
	return h, nil
}

// await returns when the hold's znode is the first of the queue.
func (q *queue) await(ctx context.Context, h *hold) error {
	for {
		predecessor, err := q.predecessor(ctx, h.node)
		if err != nil || predecessor == "" {
			return err
		}
		change, err := q.watch(ctx, predecessor)
		if err != nil {
			return err
		}
		if change == nil {
			continue
		}
		if err := q.sleep(ctx, h.node, predecessor, change); err != nil {
			return err
		}
	}
}

// sleep waits for the watch event.
func (q *queue) sleep(ctx context.Context, node, predecessor string, change <-chan zk.Event) error {
	q.trace.WaitStart(zklock.WaitStartInfo{Node: node, Mode: zklock.ModeWrite, Predecessor: predecessor})
	done := zklock.WaitDoneInfo{Node: node, Mode: zklock.ModeWrite, Predecessor: predecessor}
	select {
	case e := <-change:
		done.Type = e.Type
	case <-ctx.Done():
		done.Err = context.Cause(ctx)
	}
	q.trace.WaitDone(done)
	return done.Err
}

// predecessor returns the znode just before node, empty when node is the first.
func (q *queue) predecessor(ctx context.Context, node string) (string, error) {
	nodes, err := q.list(ctx)
	if err != nil {
		return "", err
	}
	switch i := slices.Index(nodes, node); i {
	case -1:
		return "", errGone
	case 0:
		return "", nil
	default:
		return nodes[i-1], nil
	}
}

// list returns the queue's znodes in order.
func (q *queue) list(ctx context.Context) ([]string, error) {
	names, err := recipe.Ask(ctx, q.process, func(conn *zk.Conn) ([]string, error) {
		names, _, err := conn.Children(q.dir)
		return names, err
	})
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(wire.Sequence(a), wire.Sequence(b)) })
	for i, name := range names {
		names[i] = path.Join(q.dir, name)
	}
	return names, err
}

// enterOnce makes one znode, even if the reply to the create is lost: it then
// looks for the znode by a part of its name that nobody else has.
func (q *queue) enterOnce(ctx context.Context, h *hold) error {
	mark := "_c_" + strings.ToLower(rand.Text()) + "-"
	for {
		node, err := recipe.Send(ctx, q.process, q.create(mark))
		if err == nil {
			h.entered(node)
			return nil
		}
		if recipe.Answered(err) {
			return err
		}
		if q.unsure != nil {
			if err := q.unsure(ctx, h); err != nil {
				return err
			}
		}
		if found, err := q.find(ctx, mark); found != "" || err != nil {
			h.node, h.recovered = found, true
			return err
		}
	}
}

// create is the request that makes a znode whose name begins with mark.
func (q *queue) create(mark string) func(*zk.Conn) (string, error) {
	return func(conn *zk.Conn) (string, error) {
		return conn.Create(path.Join(q.dir, mark+"lock-"), nil, zk.FlagEphemeral|zk.FlagSequence, zk.WorldACL(zk.PermAll))
	}
}

// find returns the znode whose name begins with mark, if there is one.
func (q *queue) find(ctx context.Context, mark string) (string, error) {
	nodes, err := q.list(ctx)
	for _, node := range nodes {
		if strings.HasPrefix(path.Base(node), mark) {
			return node, err
		}
	}
	return "", err
}

// watchPresent watches a znode that exists.
func (q *queue) watchPresent(ctx context.Context, predecessor string) (<-chan zk.Event, error) {
	change, err := recipe.Ask(ctx, q.process, func(conn *zk.Conn) (<-chan zk.Event, error) {
		_, _, change, err := conn.GetW(predecessor)
		return change, err
	})
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	return change, err
}

// remove deletes a znode, or finds it deleted.
func (q *queue) remove(ctx context.Context, node string) error {
	_, err := recipe.Ask(ctx, q.process, func(conn *zk.Conn) (struct{}, error) { return struct{}{}, conn.Delete(node, -1) })
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("delete %s: %w", node, err)
	}
	return nil
}
