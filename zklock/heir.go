package zklock

import (
	"context"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
	"runtime"
	"time"

	"github.com/go-zookeeper/zk"
)

// The heir of a place is the next znode of the same lock. Its name counts on
// from that of the place, which is a statement, see names: the place has held
// the lock, and is gone. And so is everybody that was ahead of it, for good.
//
// Where the same clients take a lock in turn, and at once again, the heir of
// the second ahead is made while the one just ahead holds. Its waiter watches
// for that, by its full name, and knows at the news that only the one just
// ahead is left: the look-ahead without a listing. When the one just ahead goes
// first, the queue is listed, and whichever tells first, tells enough.

// awaitsHeir reports whether the foreseen place is to wait for an heir. Its watch
// goes in one request with that on the one just ahead, and must be taken back if
// it is not made: without harm to others, whose watches on paths of more than
// maxHead the connection does not see. Those ahead may not know of the foreign
// contenders that this lock waits for, and pass them.
func (a *acquisition) awaitsHeir() bool {
	f := a.foresight
	foreseen := f.guess.stride > 0 && f.guess.sequence >= lookAhead && f.guess.readable == f.connection
	takenBack := !a.session.heirless.Load() && len(a.path) < maxHead/2
	return !a.config.without.Has(mechanism.Heir) && foreseen && takenBack && len(a.config.markers) == 0
}

// heirRequest is a request for a watch on the znode that the heir will be.
func (a *acquisition) heirRequest() *watchRequest {
	r := a.watchOf(a.foresight.guess.heir(a.marker), a.foresight.connection)
	r.readable, r.awaited = true, true
	return r
}

// expectHeir has the vigil wait for the heir that was foreseen.
func (v *vigil) expectHeir(f *foresight) {
	if f.heir != nil {
		v.heir, f.heir = f.heir, nil
		v.turn.heir = true
	}
}

// beginHeir is called when the watch for the heir is set. It is of use only
// where the one just ahead was guessed right: else that is somebody unknown.
func (v *vigil) beginHeir(ctx context.Context, right bool) {
	if v.heir == nil {
		return
	}
	if !right || !v.place.sameDirectory(v.foresight.guess.since) {
		v.leaveHeir()
		return
	}
	event, err := v.heir.sent.wait(ctx)
	if err != nil {
		v.leaveHeir()
		return
	}
	v.heirMade = event
}

// tookHeir takes in the news that the heir was made.
func (v *vigil) tookHeir(event zk.Event) {
	passed := v.place.sequence - lookAhead
	v.heir, v.heirMade = nil, nil
	if !v.turn.released(passed, v.place.sequence) {
		v.turn.doubt()
		return
	}
	v.inherited, v.listed = true, time.Now()
	v.habit.heirs.judge(true)
	v.learnNames(v.guessedNames)
	if v.behind != "" { // the wait goes on
		v.traces.lookedAhead(LookedAheadInfo{Node: v.place.node, Mode: v.mode, Passed: v.nodeOf(v.guessedNames[lookAhead-1]), Type: event.Type})
	}
}

// heirYields is how often other goroutines go first before the queue is listed:
// the news of the heir comes with that of the one just ahead, or right after.
const heirYields = 2

// heirIsMade lets other goroutines go first, and reports whether there was news.
func (v *vigil) heirIsMade() bool {
	for range heirYields {
		select {
		case event := <-v.heirMade:
			v.tookHeir(event)
			return true
		default:
			runtime.Gosched()
		}
	}
	return false
}

// heirOrListing lists the queue, unless the heir is made before that is
// answered. It reports whether either has told.
func (v *vigil) heirOrListing(ctx context.Context) (told bool, err error) {
	if v.heirIsMade() {
		return true, nil
	}
	listing := send(v.session, listRequest(v.path, v.place.sequence, v.brief(), v.listBy(false)))
	select {
	case event := <-v.heirMade:
		v.tookHeir(event)
		return true, nil
	case <-ctx.Done():
		return false, interrupted(ctx)
	case <-listing.done:
	}
	v.habit.heirs.judge(false)
	v.leaveHeir()
	if listing.err != nil {
		return false, nil // to be asked again
	}
	return true, v.tookQueue(v.looked(v.place, listing.value))
}

// leaveHeir is for who waits for no heir any more.
func (v *vigil) leaveHeir() {
	if v.heir != nil {
		v.heir.leave()
	}
	v.heir, v.heirMade, v.turn.heir = nil, nil, false
}

// heirTime bounds how long a place that goes by an heir may not have seen its own
// znode, which a listing would have shown. A server that lags behind its leader
// may show in a listing what was true as long ago.
const heirTime = 100 * time.Millisecond

// unseen reports whether the own znode has not been seen for too long.
func (v *vigil) unseen() bool {
	return v.inherited && v.own == nil && time.Since(v.seenOwn) >= v.config.heirTime
}
