package zklock

import (
	"context"
	"errors"

	"github.com/go-zookeeper/zk"
)

// queue reads the queue as far as p, which stands in it.
func (a *acquisition) queue(ctx context.Context, p place) ([]contender, error) {
	queue, _, err := a.look(ctx, p, false)
	return queue, err
}

// look reads the queue as far as p, and watches the directory if asked to.
func (a *acquisition) look(ctx context.Context, p place, watch bool) ([]contender, <-chan zk.Event, error) {
	got, err := ask(ctx, a.session, a.listRequest(p, watch))
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil, errVanished
	}
	if err != nil {
		return nil, nil, err
	}
	a.session.directories.saw(a.path, got.stat)
	queue := queueUpTo(p.sequence, got.children, a.markers)
	position := positionOf(queue, p.node)
	a.traces.listed(ListedInfo{Node: p.node, Mode: a.mode, Children: got.all, Position: position})
	return queue, got.event, nil
}

// listRequest reads the queue as far as p. A watch on the children is set by
// go-zookeeper.
func (a *acquisition) listRequest(p place, watch bool) request[listing] {
	by := func(c Client) (listing, error) { return a.session.listing(c, a.path, watch) }
	if watch {
		return request[listing]{by: by}
	}
	return listRequest(a.path, p.sequence, by)
}

// A listing is the children of a lock directory, or those that matter, its own
// metadata, and the event that a watch on the children will send.
type listing struct {
	children []string
	all      int // how many children there are
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
	l.all = len(l.children)
	if err != nil && !answered(err) && s.tooLarge.Load() != before {
		err = ErrTooManyWaiters
	}
	return l, err
}

// nodeOf returns the full path of a contender.
func (a *acquisition) nodeOf(name string) string { return childOf(a.path, name) }

// childOf returns the full path of a child of dir, which is clean.
func childOf(dir, name string) string {
	if dir == "/" {
		return dir + name
	}
	return dir + "/" + name
}
