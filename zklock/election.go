package zklock

import (
	"context"
	"iter"
	"math"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// An Election is a [Mutex] whose holder leads, and at which others may look. Who
// campaigns stands in its queue, and leads while the lease lasts; Unlock resigns. So
// it promises of a leader what a lock promises of a holder: the lease's token is the
// leader's term, and what only a leader may do needs the token, or the guard.
//
// Any number of goroutines may use it, and it keeps nothing of a campaign. A Mutex on
// its path is a candidate, too. So are Curator's LeaderSelector and kazoo's Election,
// which are locks of those libraries.
type Election struct{ lock }

// NewElection returns the election whose candidates are the children of path. The
// options are those of a mutex. [WithData] tells who a candidate is, as by its address.
func NewElection(s *Session, path string, opts ...Option) *Election {
	return &Election{newLock(s, path, opts)}
}

// Campaign waits until it is elected. The errors are those of [Locker]. With [Do], in a
// loop, a process leads whenever it can.
func (e *Election) Campaign(ctx context.Context) (*Lease, error) {
	return e.acquire(ctx, queue.Mutex, ModeWrite, false)
}

// Leader returns the present leader, which is what [Election.Observe] begins with.
func (e *Election) Leader(ctx context.Context) (leader Contender, err error) {
	for leader, err = range e.Observe(ctx) {
		break
	}
	return leader, err
}

// Observe tells of the present leader, and then of each that follows. While there is
// none, the [Contender] has no Node. The session's loss does not end it. A missing
// directory is made.
//
// It tells the past: a client that has lost its session leads until the server has
// ended that, and one that leads for a moment may be left out. All observers wake at
// each change.
//
// It ends with an [*Error], which wraps the context's error, [ErrClosed] or another one
// of those of [Contenders].
func (e *Election) Observe(ctx context.Context) iter.Seq2[Contender, error] {
	return func(yield func(Contender, error) bool) {
		told, last := false, ""
		err := e.invalid
		for err == nil {
			resumed := e.session.nextConnection()
			var leader Contender
			var change *watch
			if leader, change, err = e.look(ctx); err != nil {
				break
			}
			if !told || leader.Node != last {
				if !yield(leader, nil) {
					return
				}
				told, last = true, leader.Node
			}
			select {
			case <-change.fired:
			case <-resumed:
			case <-ctx.Done():
				err = errInterrupted
			case <-e.session.background.Done():
				err = ErrClosed
			}
		}
		yield(Contender{}, failure("observe", e.path, "", e.session.reason(ctx, nil, err)))
	}
}

// look returns the leader, and a watch on its znode. While there is none, the watch is
// on the directory.
func (e *Election) look(ctx context.Context) (leader Contender, change *watch, err error) {
	for {
		leader, change, err = e.tryToLook(ctx)
		if !isNoNode(err) {
			return leader, change, err
		}
	}
}

// tryToLook returns zk.ErrNoNode when what it has found is gone before it can be read.
func (e *Election) tryToLook(ctx context.Context) (leader Contender, change *watch, err error) {
	found, err := e.candidates(ask(ctx, e.session, e.session.listRequest(e.path, false)))
	if isNoNode(err) {
		err = e.makeDirectory(ctx, e.path)
	}
	if err == nil && len(found) == 0 {
		// Where there is a leader, a watch on arrivals would wake all for nothing.
		var got listing
		got, change, err = e.session.listWatching(ctx, e.path)
		found, err = e.candidates(got, err)
	}
	if err != nil || len(found) == 0 {
		return leader, change, err
	}
	first, change, err := e.session.readWatching(ctx, childOf(e.path, found[0].Name))
	if err != nil {
		return leader, change, err
	}
	return describe(e.path, found[:1], []content{first}, 1)[0], change, nil
}

// candidates reads the queue in a listing.
func (e *Election) candidates(got listing, err error) ([]queue.Contender, error) {
	found, _ := queue.Read(got.children, queue.Mutex.With(e.config.markers).Markers, math.MaxInt32)
	return found, err
}
