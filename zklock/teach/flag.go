package teach

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A FlagLock is a lock as one would make it of a database row: a flag in the
// data of one persistent znode. It has two faults that a queue of ephemeral znodes
// is free of.
//
// The flag outlives its holder. A client that crashes while it holds the lock
// leaves it locked forever, until somebody empties the znode by hand. Nothing
// can tell such a flag from that of a client who works on.
//
// And there is no queue. All waiters watch the one znode, each change wakes
// all of them, and whoever is quickest is next: a client may wait forever.
//
// The lock is taken by a compare-and-set of the data's version, from empty to a text
// that is new for each acquisition; so of two clients that find it empty one is
// refused, and the one whose reply is lost finds its text in the znode. Any data
// that is not empty is somebody's flag. All methods may be called from any goroutine.
type FlagLock struct {
	session    *zklock.Session
	path       string
	trace      zklock.Trace
	background sync.WaitGroup // goroutines that empty flags, see Wait

	mu sync.Mutex
	// watch is on the flag, nil when there is none. All who wait share it: a watch
	// cannot be taken back, and each wait that is given up would leave one.
	watch <-chan zk.Event
}

// NewFlagLock returns the lock whose flag is the data of the znode at path. It
// sends nothing; a missing znode, and its parents, are made when they are
// needed, and are persistent and open to everybody. Of trace, which may be nil,
// WaitStart, WaitDone, Acquired, GaveUp, ReleaseStart, Released, OrphanQueued and
// OrphanDone are called.
func NewFlagLock(s *zklock.Session, path string, trace *zklock.Trace) *FlagLock {
	f := &FlagLock{session: s, path: path}
	if trace != nil {
		f.trace = *trace
	}
	return f
}

// A FlagHold is one acquisition of a [FlagLock]. Nothing ends it but Unlock:
// it is not lost with the session. So it has no Context and no Lost, as a
// [zklock.Lease] has, and without a znode of its own, no Guard.
type FlagHold struct {
	lock *FlagLock
	text string // of the flag

	// doubtful says that a request to set the flag got no reply, so that it may
	// be set although nobody says so.
	doubtful  bool
	token     zklock.Token
	version   int32 // of the data with the text
	unlocking atomic.Bool
	done      chan struct{} // closed when the first Unlock has its outcome
	err       error         // that outcome
}

// Lock waits until the flag is set for the caller. After an error it is not set, or
// is being emptied in the background.
func (f *FlagLock) Lock(ctx context.Context) (*FlagHold, error) { return f.acquire(ctx, false) }

// TryLock is like Lock, but returns [zklock.ErrHeld] instead of waiting for another
// holder.
func (f *FlagLock) TryLock(ctx context.Context) (*FlagHold, error) { return f.acquire(ctx, true) }

// Wait returns when no flag is being emptied in the background any more. That ends
// with the session.
func (f *FlagLock) Wait() { f.background.Wait() }

func (f *FlagLock) acquire(ctx context.Context, try bool) (*FlagHold, error) {
	began := time.Now()
	h := &FlagHold{lock: f, text: rand.Text(), done: make(chan struct{})}
	held, err := false, error(nil)
	for !held && err == nil {
		held, err = h.step(ctx, try)
	}
	if err != nil {
		if h.doubtful {
			h.emptyLater()
		}
		callHook(f.trace.GaveUp, zklock.GaveUpInfo{Path: f.path, Mode: zklock.ModeWrite, Err: err})
		op := "lock"
		if try {
			op = "try"
		}
		return nil, &zklock.Error{Op: op, Path: f.path, Err: err}
	}
	callHook(f.trace.Acquired, zklock.AcquiredInfo{Node: f.path, Token: h.token, Mode: zklock.ModeWrite, Waited: time.Since(began)})
	return h, nil
}

// callHook calls a hook of a trace, if there is one.
func callHook[Info any](hook func(Info), info Info) {
	if hook != nil {
		hook(info)
	}
}

// A flag is the znode as it was read; change is that of a watch on it.
type flag struct {
	text   string
	stat   *zk.Stat
	change <-chan zk.Event // has one event, and is closed then
}

// step reads the flag, and sets it or waits for a change.
func (h *FlagHold) step(ctx context.Context, try bool) (held bool, err error) {
	found, err := h.lock.read(ctx, !try)
	switch {
	case errors.Is(err, zk.ErrNoNode):
		return false, h.lock.make(ctx, h.lock.path)
	case err != nil:
		return false, err
	case found.text == h.text:
		h.token, h.version = zklock.Token(found.stat.Mzxid), found.stat.Version
		return true, nil
	case found.text == "":
		return h.set(ctx, found.stat.Version)
	case try:
		return false, zklock.ErrHeld
	default:
		h.sleep(ctx, found.change)
		return false, nil // if ctx has ended, the next read says so
	}
}

// read reads the flag, and watches it if asked to.
func (f *FlagLock) read(ctx context.Context, watch bool) (flag, error) {
	var found flag
	err := f.session.Do(ctx, func(c zklock.Client) (err error) {
		found, err = f.get(c, watch)
		return err
	})
	if err != nil {
		return flag{}, err // the request may be under way still
	}
	return found, nil
}

// get reads the flag. A watch that is there already does as well as a new one: the
// client is told of a change before it is shown it.
func (f *FlagLock) get(c zklock.Client, watch bool) (found flag, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.watch:
		f.watch = nil
	default:
	}
	var data []byte
	if watch && f.watch == nil {
		data, found.stat, f.watch, err = c.GetW(f.path)
	} else {
		data, found.stat, err = c.Get(f.path)
	}
	found.text, found.change = string(data), f.watch
	return found, err
}

// make creates the znode at node, and its parents, where missing.
func (f *FlagLock) make(ctx context.Context, node string) error {
	err := f.session.Do(ctx, func(c zklock.Client) error {
		_, err := c.Create(node, nil, zk.FlagPersistent, zk.WorldACL(zk.PermAll))
		return err
	})
	if errors.Is(err, zk.ErrNoNode) {
		if err := f.make(ctx, path.Dir(node)); err != nil {
			return err
		}
		return f.make(ctx, node)
	}
	if errors.Is(err, zk.ErrNodeExists) {
		return nil
	}
	return err
}

// set sets the flag if it is still as it was read. A refusal may be due to an
// earlier request of ours whose reply was lost: the next look tells.
func (h *FlagHold) set(ctx context.Context, version int32) (held bool, err error) {
	sent := 0
	var stat *zk.Stat
	err = h.lock.session.Do(ctx, func(c zklock.Client) (err error) {
		sent++
		stat, err = c.Set(h.lock.path, []byte(h.text), version)
		return err
	})
	switch {
	case err == nil:
		h.token, h.version = zklock.Token(stat.Mzxid), stat.Version
		return true, nil
	case errors.Is(err, zk.ErrBadVersion) || errors.Is(err, zk.ErrNoNode):
		h.doubtful = h.doubtful || sent > 1
		return false, nil
	default:
		h.doubtful = true
		return false, err
	}
}

// sleep waits for a change of the flag. It also ends with the session, which a watch
// need not survive.
func (h *FlagHold) sleep(ctx context.Context, change <-chan zk.Event) {
	f := h.lock
	callHook(f.trace.WaitStart, zklock.WaitStartInfo{Mode: zklock.ModeWrite, Predecessor: f.path, Position: -1})
	info := zklock.WaitDoneInfo{Mode: zklock.ModeWrite, Predecessor: f.path, Type: zk.EventNotWatching}
	select {
	case event, first := <-change:
		if first { // of those who share the watch
			info.Type = event.Type
		}
	case <-f.session.Context().Done():
	case <-ctx.Done():
		info.Err = context.Cause(ctx)
	}
	callHook(f.trace.WaitDone, info)
}

// Token returns the fence of this acquisition: the number of the transaction
// that set the flag, greater than that of every earlier holder.
func (h *FlagHold) Token() zklock.Token { return h.token }

// Unlock empties the flag. The error wraps [zklock.ErrLost] when the flag was not the
// holder's any more: somebody has written to the znode, or deleted it. Any
// other error says that the release is not confirmed; it is then repeated in
// the background while the session is open. Further calls return what the first
// one did, as soon as it has returned.
func (h *FlagHold) Unlock(ctx context.Context) error {
	if h.unlocking.Swap(true) {
		select {
		case <-h.done:
			return h.err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	defer close(h.done)
	f := h.lock
	callHook(f.trace.ReleaseStart, zklock.ReleaseStartInfo{Node: f.path, Token: h.token, Mode: zklock.ModeWrite})
	if err := h.empty(ctx); err != nil {
		h.err = &zklock.Error{Op: "unlock", Path: f.path, Node: f.path, Err: err}
	}
	callHook(f.trace.Released, zklock.ReleasedInfo{Node: f.path, Token: h.token, Mode: zklock.ModeWrite, Err: h.err})
	return h.err
}

// empty empties the flag at the version at which it was set.
func (h *FlagHold) empty(ctx context.Context) error {
	sent := 0
	err := h.lock.session.Do(ctx, func(c zklock.Client) error {
		sent++
		_, err := c.Set(h.lock.path, nil, h.version)
		return err
	})
	changed := errors.Is(err, zk.ErrBadVersion) || errors.Is(err, zk.ErrNoNode)
	switch {
	case changed && sent > 1:
		return nil // an earlier request of ours has done it, or somebody else
	case changed:
		return fmt.Errorf("%w: the flag was another's: %w", zklock.ErrLost, err)
	case err != nil:
		h.emptyLater()
	}
	return err
}

// emptyLater empties the flag in the background if it is set for h, or may yet
// be. A session that is closed first leaves it as a crash does.
func (h *FlagHold) emptyLater() {
	f, info := h.lock, zklock.OrphanInfo{Path: h.lock.path, Node: h.lock.path, GUID: h.text}
	callHook(f.trace.OrphanQueued, info)
	f.background.Go(func() {
		info.Err = f.emptyIf(context.Background(), h.text)
		if !errors.Is(info.Err, zklock.ErrClosed) {
			callHook(f.trace.OrphanDone, info)
		}
	})
}

// emptyIf empties the flag unless it is another's. An empty flag is written
// too: a request to set it that is still under way has then the wrong version.
func (f *FlagLock) emptyIf(ctx context.Context, text string) error {
	for {
		found, err := f.read(ctx, false)
		if err != nil || found.text != "" && found.text != text {
			return err
		}
		err = f.session.Do(ctx, func(c zklock.Client) error {
			_, err := c.Set(f.path, nil, found.stat.Version)
			return err
		})
		if !errors.Is(err, zk.ErrBadVersion) {
			return err
		}
	}
}
