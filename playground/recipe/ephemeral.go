package recipe

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

var _ = register(Recipe{order: 6, New: func(e Env) Lock { return NewEphemeral(e, true) },
	RecipeKind: scenario.RecipeKind{Name: "ephemeral", Title: "Ephemeral flag", Capabilities: scenario.Capabilities{NoQueue: true},
		Sentence: "The lock is one ephemeral znode: whoever makes it holds. It goes with its session, but nobody has a place in a queue.",
		Code: []scenario.Line{
			Connect, Think, Repeat,
			{Text: "  create dir/holder, ephemeral; if that is done: it holds, leave the loop", At: at{scenario.Idle, scenario.Woken}, Awaits: []string{"create"}},
			{Text: "  read holder and watch it; if it is mine: leave the loop; if it is gone: try again", At: at{scenario.Idle, scenario.Woken}, Awaits: []string{"getData", "notification"}},
			{Text: "  sleep until the watch fires, as all others do who wait", At: at{scenario.Waiting}},
			Work,
			{Text: "delete holder", At: at{scenario.Idle}, Awaits: []string{"delete"}},
			Again,
		}}})

// ephemeral is a lock that is one znode, made by whoever is the quickest.
type ephemeral struct {
	process Process
	node    string
	looks   bool
	trace   *zklock.Trace
}

// NewEphemeral returns that lock. Looks says that a client whose delete was not answered
// looks whose the znode is before it deletes again.
func NewEphemeral(e Env, looks bool) Lock {
	return &ephemeral{process: e.Process, node: path.Join(e.Path, "holder"), looks: looks, trace: e.Trace}
}

// An ephemeralHold is one acquisition, while the session lasts that made the znode.
type ephemeralHold struct {
	lock  *ephemeral
	token zklock.Token
	life  context.Context // of that session
}

func (l *ephemeral) Acquire(ctx context.Context, _ scenario.Turn) (Hold, error) {
	h := &ephemeralHold{lock: l, life: l.process.Session().Context()}
	ctx, stop := h.within(ctx)
	defer stop()
	held, err := false, error(nil)
	for !held && err == nil {
		held, err = h.step(ctx)
	}
	if err != nil {
		h.withdraw()
		l.trace.GaveUp(zklock.GaveUpInfo{Path: path.Dir(l.node), Mode: zklock.ModeWrite, Err: err})
		return nil, err
	}
	l.trace.Acquired(zklock.AcquiredInfo{Node: l.node, Token: h.token, Mode: zklock.ModeWrite})
	return h, nil
}

// within returns ctx as it ends with the session too: another one must not take the
// znode for its own.
func (h *ephemeralHold) within(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(h.life, func() { cancel(context.Cause(h.life)) })
	return ctx, func() { stop(); cancel(nil) }
}

// step tries to make the znode, or waits for that of another to go.
func (h *ephemeralHold) step(ctx context.Context) (held bool, err error) {
	l := h.lock
	_, err = Ask(ctx, l.process, func(conn *zk.Conn) (string, error) {
		return conn.Create(l.node, nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll))
	})
	if err == nil {
		_, zxid := l.process.LastCreated()
		h.token = zklock.Token(zxid)
		return true, nil
	}
	if !errors.Is(err, zk.ErrNodeExists) {
		return false, err
	}
	type found struct {
		stat   *zk.Stat
		mine   bool // the reply to the create was lost
		change <-chan zk.Event
	}
	other, err := Ask(ctx, l.process, func(conn *zk.Conn) (f found, err error) {
		_, f.stat, f.change, err = conn.GetW(l.node)
		f.mine = err == nil && f.stat.EphemeralOwner == conn.SessionID()
		return f, err
	})
	switch {
	case errors.Is(err, zk.ErrNoNode):
		return false, nil
	case err != nil:
		return false, err
	case other.mine:
		h.token = zklock.Token(other.stat.Czxid)
		return true, nil
	}
	return false, h.sleep(ctx, other.change)
}

// sleep waits for the watch event.
func (h *ephemeralHold) sleep(ctx context.Context, change <-chan zk.Event) error {
	l := h.lock
	l.trace.WaitStart(zklock.WaitStartInfo{Mode: zklock.ModeWrite, Predecessor: l.node, Position: -1})
	done := zklock.WaitDoneInfo{Mode: zklock.ModeWrite, Predecessor: l.node}
	select {
	case e := <-change:
		done.Type = e.Type
	case <-ctx.Done():
		done.Err = context.Cause(ctx)
	}
	l.trace.WaitDone(done)
	return done.Err
}

func (h *ephemeralHold) Node() string          { return h.lock.node }
func (h *ephemeralHold) Token() zklock.Token   { return h.token }
func (h *ephemeralHold) Lost() <-chan struct{} { return h.life.Done() }

func (h *ephemeralHold) Unlock(ctx context.Context) error {
	l := h.lock
	if h.life.Err() != nil {
		err := fmt.Errorf("%w: %w", zklock.ErrLost, context.Cause(h.life))
		l.trace.Lost(zklock.LostInfo{Node: l.node, Token: h.token, Mode: zklock.ModeWrite, Cause: err})
		return err
	}
	l.trace.ReleaseStart(zklock.ReleaseStartInfo{Node: l.node, Token: h.token, Mode: zklock.ModeWrite})
	err := h.remove(ctx)
	if err != nil {
		h.withdraw()
	}
	return err
}

// remove deletes the znode, or finds it deleted.
func (h *ephemeralHold) remove(ctx context.Context) error {
	ctx, stop := h.within(ctx)
	defer stop()
	mine := h.token > 0
	_, err := Ask(ctx, h.lock.process, func(conn *zk.Conn) (struct{}, error) {
		if !mine && h.lock.looks { // it may be another's by now
			_, stat, err := conn.Get(h.lock.node)
			if err != nil || stat.EphemeralOwner != conn.SessionID() {
				return struct{}{}, err
			}
		}
		mine = false
		return struct{}{}, conn.Delete(h.lock.node, -1)
	})
	if err == nil || errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	return fmt.Errorf("delete %s: %w", h.lock.node, err)
}

// withdraw deletes the znode in the background, if it is there: its session may live.
func (h *ephemeralHold) withdraw() {
	p := h.lock.process
	if h.life.Err() != nil || p.Ending() {
		return
	}
	p.CleanUp(func() {
		_ = h.remove(p.Grace()) // what is left after that goes with the session
	})
}
