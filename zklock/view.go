package zklock

import (
	"context"
	"errors"

	"github.com/go-zookeeper/zk"
)

// queue reads the queue as far as p, which stands in it. When brief it does
// without the directory's metadata.
func (a *acquisition) queue(ctx context.Context, p place, brief bool) ([]contender, error) {
	queue, _, err := a.look(ctx, p, listRequest(a.path, p.sequence, brief, a.listBy(false)))
	return queue, err
}

// look reads the queue as far as p, by a request that lists it.
func (a *acquisition) look(ctx context.Context, p place, r request[listing]) ([]contender, <-chan zk.Event, error) {
	got, err := ask(ctx, a.session, r)
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil, errVanished
	}
	if err != nil {
		return nil, nil, err
	}
	return a.looked(p, got), got.event, nil
}

// looked takes in a listing as of the place p.
func (a *acquisition) looked(p place, got listing) []contender {
	queue := queueUpTo(p.sequence, got.children, a.markers)
	position := positionOf(queue, p.node)
	if got.stat == nil {
		a.session.directories.counted(a.path, got.all, a.config.long)
	} else {
		a.session.directories.saw(a.path, got.stat, a.config.long)
		if p.outrun() {
			a.session.directories.busy(a.path)
		}
		a.seen = sightingOf(got.stat, position, a.config.long).after(a.seen)
	}
	a.traces.listed(ListedInfo{Node: p.node, Mode: a.mode, Children: got.all, Position: position})
	return queue
}

// listBy lists the lock directory by go-zookeeper, and watches it if asked to.
func (a *acquisition) listBy(watch bool) func(Client) (listing, error) {
	return func(c Client) (listing, error) { return a.session.listing(c, a.path, watch) }
}

// A listing is the children of a lock directory, or those that matter, its own
// metadata if that was asked for, and the event that a watch on the children
// will send.
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
