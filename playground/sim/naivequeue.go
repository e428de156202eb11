package sim

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

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock"
)

// errGone says that the own znode has left the queue while it waited.
var errGone = errors.New("the client's znode is gone")

// A naiveQueue is a queue of znodes as people write it themselves. By itself it
// is right; each of the museum's recipes replaces one part by a flawed one.
type naiveQueue struct {
	client *client
	dir    string
	trace  *zklock.Trace
	// enter makes the znode, and notes it in the hold. It is not interrupted, so
	// that no znode is forgotten.
	enter func(context.Context, *naiveHold) error
	// unsure is called when nobody knows whether the znode was made, before the
	// client looks for it; nil where there is nothing to do.
	unsure func(context.Context, *naiveHold) error
	// watch begins to watch the predecessor. Without a channel the znode is
	// gone, and the queue has to be looked at again.
	watch func(ctx context.Context, predecessor string) (<-chan zk.Event, error)
	// deaf says that the holder does not listen for the loss of its session.
	deaf bool
}

func newNaiveQueue(c *client, lane event.Lane) *naiveQueue {
	q := &naiveQueue{client: c, dir: lane.Path, trace: c.trace(lane.Recipe)}
	q.enter, q.watch = q.enterOnce, q.watchPresent
	return q
}

func (q *naiveQueue) acquire(ctx context.Context, _ bool) (grip, error) {
	h := &naiveHold{queue: q, life: q.client.session.Load().Context()}
	err := q.enter(q.client.grace, h)
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
func (q *naiveQueue) await(ctx context.Context, h *naiveHold) error {
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
func (q *naiveQueue) sleep(ctx context.Context, node, predecessor string, change <-chan zk.Event) error {
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
func (q *naiveQueue) predecessor(ctx context.Context, node string) (string, error) {
	queue, err := q.list(ctx)
	if err != nil {
		return "", err
	}
	switch i := slices.Index(queue, node); i {
	case -1:
		return "", errGone
	case 0:
		return "", nil
	default:
		return queue[i-1], nil
	}
}

// list returns the queue's znodes in order.
func (q *naiveQueue) list(ctx context.Context) ([]string, error) {
	names, err := ask(ctx, q.client, func(conn *zk.Conn) ([]string, error) {
		names, _, err := conn.Children(q.dir)
		return names, err
	})
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(sequence(a), sequence(b)) })
	for i, name := range names {
		names[i] = path.Join(q.dir, name)
	}
	return names, err
}

// sequence returns the digits that the server added to a name.
func sequence(name string) string { return name[max(0, len(name)-sequenceDigits):] }

// enterOnce makes one znode, even if the reply to the create is lost: it then
// looks for the znode by a part of its name that nobody else has.
func (q *naiveQueue) enterOnce(ctx context.Context, h *naiveHold) error {
	mark := "_c_" + strings.ToLower(rand.Text()) + "-"
	for {
		node, err := send(ctx, q.client, q.create(mark))
		if err == nil {
			h.entered(node)
			return nil
		}
		if answered(err) {
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
func (q *naiveQueue) create(mark string) func(*zk.Conn) (string, error) {
	return func(conn *zk.Conn) (string, error) {
		return conn.Create(path.Join(q.dir, mark+"lock-"), nil, zk.FlagEphemeral|zk.FlagSequence, zk.WorldACL(zk.PermAll))
	}
}

// find returns the znode whose name begins with mark, if there is one.
func (q *naiveQueue) find(ctx context.Context, mark string) (string, error) {
	queue, err := q.list(ctx)
	for _, node := range queue {
		if strings.HasPrefix(path.Base(node), mark) {
			return node, err
		}
	}
	return "", err
}

// watchPresent watches a znode that exists.
func (q *naiveQueue) watchPresent(ctx context.Context, predecessor string) (<-chan zk.Event, error) {
	change, err := ask(ctx, q.client, func(conn *zk.Conn) (<-chan zk.Event, error) {
		_, _, change, err := conn.GetW(predecessor)
		return change, err
	})
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	return change, err
}

// remove deletes a znode, or finds it deleted.
func (q *naiveQueue) remove(ctx context.Context, node string) error {
	_, err := ask(ctx, q.client, func(conn *zk.Conn) (struct{}, error) { return struct{}{}, conn.Delete(node, -1) })
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("delete %s: %w", node, err)
	}
	return nil
}
