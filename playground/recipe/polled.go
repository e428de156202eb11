package recipe

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store"
	"github.com/zkplayground/zkplayground/zklock"
)

// polled is a lock that is one entry of a store: whoever is the quickest to make it
// holds. The store tells nobody when it is free, so who waits tries again and again.
type polled struct {
	store   *store.Conn
	process Process
	key     string
	trace   *zklock.Trace
	entry
}

// An entry is what a polled lock asks its store for. The holder is what stands in it:
// whose it is, and of which attempt.
type entry interface {
	// take makes the entry, if there is none.
	take(holder string) []any
	// look asks whose it is; isMine reads the reply.
	look(holder string) []any
	isMine(reply any, holder string) bool
	// free deletes it if it is the holder's, and returns how many it has deleted.
	free(holder string) []any
}

// pollEvery is the pause between two attempts.
const pollEvery = 250 * time.Millisecond

func newPolled(e Env, requests func(key string) entry) Lock {
	key := store.KeyIn(e.Path)
	return &polled{store: e.Store, process: e.Process, key: key, trace: e.Trace, entry: requests(key)}
}

// A polledHold is one acquisition.
type polledHold struct {
	lock   *polled
	holder string
	token  zklock.Token
	unsure bool // a reply was lost: what it asked for may have been done
}

func (l *polled) Acquire(ctx context.Context, _ scenario.Turn) (Hold, error) {
	h := &polledHold{lock: l, holder: store.HolderOf(l.process.Label(), rand.Text())}
	for waits := false; ; {
		if h.attempt(ctx) {
			l.trace.Acquired(zklock.AcquiredInfo{Node: l.key, Token: h.token, Mode: zklock.ModeWrite})
			return h, nil
		}
		if !waits && !h.unsure && ctx.Err() == nil {
			waits = true
			l.trace.WaitStart(zklock.WaitStartInfo{Mode: zklock.ModeWrite, Predecessor: l.key, Position: -1})
		}
		if !clock.Sleep(ctx, pollEvery) {
			err := context.Cause(ctx)
			h.withdraw()
			l.trace.GaveUp(zklock.GaveUpInfo{Path: l.key, Mode: zklock.ModeWrite, Err: err})
			return nil, err
		}
	}
}

// attempt tries to make the entry, and says whether it is there and mine. After a lost
// reply that may be so although it was refused.
func (h *polledHold) attempt(ctx context.Context) bool {
	l := h.lock
	reply, err := l.store.Do(ctx, l.take(h.holder)...)
	if store.Refused(err) && h.unsure {
		reply, err = l.store.Do(ctx, l.look(h.holder)...)
		if err == nil && !l.isMine(reply, h.holder) || store.Refused(err) {
			h.unsure = false
			return false
		}
	}
	if err != nil {
		h.unsure = h.unsure || !store.Refused(err)
		return false
	}
	h.unsure = false
	if version, ok := reply.(int64); ok {
		h.token = zklock.Token(version)
	}
	return true
}

func (h *polledHold) Node() string        { return h.lock.key }
func (h *polledHold) Token() zklock.Token { return h.token }

// Lost is nil: no store tells a holder that it does not hold any more.
func (h *polledHold) Lost() <-chan struct{} { return nil }

func (h *polledHold) Unlock(ctx context.Context) error {
	l := h.lock
	l.trace.ReleaseStart(zklock.ReleaseStartInfo{Node: l.key, Token: h.token, Mode: zklock.ModeWrite})
	deleted, err := h.remove(ctx)
	switch {
	case err != nil:
		h.unsure = true
		h.withdraw()
		return fmt.Errorf("delete %s: %w", l.key, err)
	case !deleted:
		err := fmt.Errorf("%w: %w", zklock.ErrLost, notMine(l.key))
		l.trace.Lost(zklock.LostInfo{Node: l.key, Token: h.token, Mode: zklock.ModeWrite, Cause: err})
		return err
	}
	return nil
}

// notMine is why a lock is lost that another client has, or nobody.
type notMine string

var wasNotMine = event.NewCode("was-not-mine", "{znode} was not mine any more")

// Reason is that for the log.
func (key notMine) Reason() *event.Reason { return wasNotMine.With(string(key)) }

func (key notMine) Error() string { return key.Reason().English() }

// remove deletes the entry, and says whether it was still there. It asks until it is
// answered.
func (h *polledHold) remove(ctx context.Context) (deleted bool, err error) {
	for {
		reply, err := h.lock.store.Do(ctx, h.lock.free(h.holder)...)
		if err == nil {
			return reply != int64(0) || h.unsure, nil
		}
		h.unsure = h.unsure || !store.Refused(err)
		if h.lock.process.Ending() || !clock.Sleep(ctx, AskPause) {
			return false, err
		}
	}
}

// withdraw deletes in the background what may have been made.
func (h *polledHold) withdraw() {
	p := h.lock.process
	if h.unsure && !p.Ending() {
		p.CleanUp(func() { _, _ = h.remove(p.Grace()) })
	}
}
