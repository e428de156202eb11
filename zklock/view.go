package zklock

import (
	"context"
	"errors"
	"path"

	"github.com/go-zookeeper/zk"
)

// queue reads the queue as far as p, which stands in it.
func (a *acquisition) queue(ctx context.Context, p place) ([]contender, error) {
	queue, _, err := a.look(ctx, p, false)
	return queue, err
}

// look reads the queue as far as p, and watches the directory if asked to.
func (a *acquisition) look(ctx context.Context, p place, watch bool) ([]contender, <-chan zk.Event, error) {
	got, err := do(ctx, a.session, func(c Client) (listing, error) {
		return a.session.listing(c, a.path, watch)
	})
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil, errVanished
	}
	if err != nil {
		return nil, nil, err
	}
	a.session.directories.saw(a.path, got.stat)
	queue := queueUpTo(p.sequence, got.children, a.markers)
	position := positionOf(queue, p.node)
	a.traces.listed(ListedInfo{Node: p.node, Mode: a.mode, Children: len(got.children), Position: position})
	return queue, got.event, nil
}

// A listing is the children of a lock directory, its own metadata, and the
// event that a watch on the children will send.
type listing struct {
	children []string
	stat     *zk.Stat
	event    <-chan zk.Event
}

// listing reads the children of dir, and watches them if asked to.
func (s *Session) listing(c Client, dir string, watch bool) (l listing, err error) {
	before := s.tooLarge.Load()
	if watch {
		l.children, l.stat, l.event, err = c.ChildrenW(dir)
	} else {
		l.children, l.stat, err = c.Children(dir)
	}
	if err != nil && !answered(err) && s.tooLarge.Load() != before {
		err = ErrTooManyWaiters
	}
	return l, err
}

// nodeOf returns the full path of a contender.
func (a *acquisition) nodeOf(name string) string { return path.Join(a.path, name) }
