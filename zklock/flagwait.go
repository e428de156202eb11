package zklock

import (
	"context"
	"errors"

	"github.com/go-zookeeper/zk"
)

// run returns when the flag is set for h.
func (h *FlagHold) run(ctx context.Context, try bool) error {
	s := h.flag.session
	if err := h.flag.enter(); err != nil {
		return err
	}
	defer s.leave()
	grant, err := s.connected(ctx)
	if err != nil {
		return err
	}
	waiting := grant.within(ctx)
	defer waiting.end()
	held := false
	defer func() {
		if !held && h.doubtful {
			h.settle()
		}
	}()
	for !held && err == nil {
		held, err = h.step(waiting, try)
	}
	return err
}

// step reads the flag, and sets it or waits for a change.
func (h *FlagHold) step(ctx context.Context, try bool) (held bool, err error) {
	// Asked for before the read, so that no reconnect goes unseen between it
	// and the end of the wait.
	resumed := h.flag.session.nextConnection()
	view, err := h.flag.read(ctx, !try, resumed)
	if err != nil {
		return false, err
	}
	flag := string(view.data)
	if flag != "" && flag != h.guid && !try {
		return false, h.sleep(ctx, view.event, resumed)
	}
	h.flag.spare(view.event, resumed)
	switch flag {
	case h.guid:
		h.holds(view.stat)
		return true, nil
	case "":
		return h.set(ctx, view.stat.Version)
	default:
		return false, ErrHeld
	}
}

// read reads the flag, and watches it if asked to. It makes a missing znode.
func (f *FlagLock) read(ctx context.Context, watch bool, connection <-chan struct{}) (flagView, error) {
	for missing := 0; ; missing++ {
		view, err := f.readOnce(ctx, watch, connection)
		if !errors.Is(err, zk.ErrNoNode) || missing == maxAttempts {
			return view, err
		}
		if err := f.makeDirectory(ctx, f.path); err != nil && !errors.Is(err, zk.ErrNoNode) {
			return flagView{}, err
		}
	}
}

// set sets the flag if it is still as it was read. A refusal may be due to an
// earlier request of ours whose reply was lost: the next look tells.
func (h *FlagHold) set(ctx context.Context, version int32) (held bool, err error) {
	tries := 0
	stat, err := do(ctx, h.flag.session, func(c Client) (*zk.Stat, error) {
		tries++
		return c.Set(h.flag.path, []byte(h.guid), version)
	})
	if err == nil {
		h.holds(stat)
		return true, nil
	}
	h.doubtful = h.doubtful || !answered(err) || tries > 1
	if errors.Is(err, zk.ErrBadVersion) || errors.Is(err, zk.ErrNoNode) {
		err = nil
	}
	return false, err
}

func (h *FlagHold) holds(stat *zk.Stat) { h.token, h.version = Token(stat.Mzxid), stat.Version }

// sleep waits for a change of the flag. It also ends after a reconnect, because
// the client sets its watches again then, and does not tell when that fails.
func (h *FlagHold) sleep(ctx context.Context, change <-chan zk.Event, resumed <-chan struct{}) error {
	h.traces.waitStart(WaitStartInfo{Mode: ModeWrite, Predecessor: h.flag.path, Position: -1})
	done := WaitDoneInfo{Mode: ModeWrite, Predecessor: h.flag.path, Type: zk.EventNotWatching}
	select {
	case event := <-change:
		done.Type = event.Type
	case <-resumed:
	case <-ctx.Done():
		done.Err = interrupted(ctx)
		h.flag.spare(change, resumed)
	}
	h.traces.waitDone(done)
	return done.Err
}

// settle empties the flag in the background if it is set for h, or may yet
// be. A session that is closed first leaves it as a crash does.
func (h *FlagHold) settle() {
	s := h.flag.session
	if !s.enterOrphan() {
		return
	}
	info := OrphanInfo{Path: h.flag.path, Node: h.flag.path, GUID: h.guid}
	told := make(chan struct{})
	defer close(told)
	start(s, func(Client) (struct{}, error) {
		defer s.bury()
		done := info
		done.Err = h.flag.takeBack(s.background, h.guid)
		if !errors.Is(done.Err, ErrClosed) {
			<-told
			h.traces.orphanDone(done)
		}
		return struct{}{}, done.Err
	})
	h.traces.orphanQueued(info)
}

// takeBack empties the flag unless it is another's. An empty flag is written
// too: a request to set it that is still under way has then the wrong version.
func (f *FlagLock) takeBack(ctx context.Context, guid string) error {
	for {
		view, err := do(ctx, f.session, f.get)
		if err != nil || len(view.data) > 0 && string(view.data) != guid {
			return err
		}
		_, err = do(ctx, f.session, func(c Client) (*zk.Stat, error) {
			return c.Set(f.path, nil, view.stat.Version)
		})
		if !errors.Is(err, zk.ErrBadVersion) {
			return err
		}
	}
}
