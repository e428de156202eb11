package zklock

import (
	"context"
	"sync/atomic"

	"github.com/go-zookeeper/zk"
)

// A flagView is the flag as it was read; event is that of a watch on it.
type flagView struct {
	data  []byte
	stat  *zk.Stat
	event <-chan zk.Event
}

// readOnce reads the flag, and watches it if asked to. A watch that is left over
// from before does as well as a new one: the server tells of a change before it
// shows it, so one that has not fired when the flag is read will at the next.
func (f *FlagLock) readOnce(ctx context.Context, watch bool, connection <-chan struct{}) (flagView, error) {
	if !watch {
		return do(ctx, f.session, f.get)
	}
	left := f.session.spares.take(f.path, connection)
	if left == nil {
		return f.readWatching(ctx, connection)
	}
	view, err := do(ctx, f.session, f.get)
	if err != nil {
		f.spare(left, connection)
		return flagView{}, err
	}
	view.event = left
	return view, nil
}

func (f *FlagLock) get(c Client) (v flagView, err error) {
	v.data, v.stat, err = c.Get(f.path)
	return v, err
}

// readWatching reads the flag and sets a watch. If the read is given up, the
// watch is left to the next, whether the reply has come already or will.
func (f *FlagLock) readWatching(ctx context.Context, connection <-chan struct{}) (flagView, error) {
	var set <-chan zk.Event
	var settled atomic.Bool // the watch is there, or nobody waits for it
	view, err := do(ctx, f.session, func(c Client) (v flagView, err error) {
		v.data, v.stat, v.event, err = c.GetW(f.path)
		if err != nil {
			return v, err
		}
		if set = v.event; settled.Swap(true) {
			f.spare(set, connection)
		}
		return v, nil
	})
	if err != nil && settled.Swap(true) {
		f.spare(set, connection)
	}
	return view, err
}

// spare leaves a watch that nobody waits for to the next who does: it stays set
// until the flag changes, and each new one would be kept beside it.
func (f *FlagLock) spare(event <-chan zk.Event, connection <-chan struct{}) {
	if event != nil {
		f.session.spares.leave(f.path, event, connection)
	}
}
