package zklock

import (
	"context"
	"errors"
	"path"

	"github.com/go-zookeeper/zk"
)

// A view is a listing as the owner of one place in the queue sees it.
type view struct {
	queue    []contender
	position int
	blocker  int // index of the contender to wait for, or -1
	event    <-chan zk.Event
}

// list reads the queue. A herd's waiter sets its watch by the same request.
func (a *acquisition) list(ctx context.Context, p place) (view, error) {
	got, err := do(ctx, a.session, func(c Client) (listing, error) {
		return a.session.listing(c, a.path, a.herd && !a.try)
	})
	if errors.Is(err, zk.ErrNoNode) {
		return view{}, errVanished
	}
	if err != nil {
		return view{}, err
	}
	v := view{queue: queueOf(got.children, a.markers), event: got.event}
	v.position = positionOf(v.queue, p.node)
	a.traces.listed(ListedInfo{Node: p.node, Mode: a.mode, Children: len(got.children), Position: v.position})
	if v.position < 0 {
		return view{}, errVanished
	}
	v.blocker = a.blocker(v.queue, v.position)
	return v, nil
}

// A listing is the children of a lock directory, and the event that a watch on
// them will send.
type listing struct {
	children []string
	event    <-chan zk.Event
}

// listing reads the children of dir, and watches them if asked to.
func (s *Session) listing(c Client, dir string, watch bool) (l listing, err error) {
	before := s.tooLarge.Load()
	if watch {
		l.children, _, l.event, err = c.ChildrenW(dir)
	} else {
		l.children, _, err = c.Children(dir)
	}
	if err != nil && !answered(err) && s.tooLarge.Load() != before {
		err = ErrTooManyWaiters
	}
	return l, err
}

// A watched znode is what a waiter waits for.
type watched struct {
	node     string
	position int // of the waiter
	event    <-chan zk.Event
}

// watch sets a watch on the blocker, unless the listing has set one already.
// It reads the data: unlike exists, that leaves no watch when the znode has
// gone.
func (a *acquisition) watch(ctx context.Context, v view) (watched, error) {
	if a.herd {
		return watched{a.path, v.position, v.event}, nil
	}
	node := path.Join(a.path, v.queue[v.blocker].name)
	event, err := do(ctx, a.session, func(c Client) (<-chan zk.Event, error) {
		_, _, event, err := c.GetW(node)
		return event, err
	})
	return watched{node, v.position, event}, err
}
