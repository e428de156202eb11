package zklock

import (
	"context"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
	"time"
)

// The news for which a place looks ahead is, for the one just ahead, that the
// lock is its own. That is urgent, and the look-ahead is not: it only has to end
// while the one just ahead holds. So where it holds for long enough, the listing
// waits for a moment, and the server and the network are free for the hand-over.

// breath is that moment: about as long as a hand-over takes on one machine.
const breath = 400 * time.Microsecond

// letPass lets the hand-over go first, if a look-ahead is due and has the time.
// It waits no longer than for the next news.
func (v *vigil) letPass(ctx context.Context) error {
	due := v.looksAhead && len(v.watched) > 0
	v.looksAhead = false
	if !due || v.config.without.Has(mechanism.Breath) || !v.hasTime() {
		return nil
	}
	timer := time.NewTimer(v.config.breath)
	defer timer.Stop()
	select {
	case <-timer.C:
	case event := <-v.watched[0].event:
		v.stopWaiting(event.Type, nil)
		v.happened(0, event)
	case <-v.resumed:
	case <-ctx.Done():
		return interrupted(ctx)
	}
	return nil
}

// hasTime reports whether the one just ahead will hold for long enough, going by
// those before it. A turn is a hold and a hand-over, which takes about as long as
// a request; and the listing is another, after the breath.
func (v *vigil) hasTime() bool {
	gone, since := v.turn.position-1, v.listed
	if v.lists == 0 { // guessed: those who came after the lock's place before
		gone, since = int(v.place.sequence-v.place.before.sequence)-lookAhead, v.began
		if !v.place.before.known {
			return false
		}
	}
	if gone < 1 {
		return false
	}
	turn := time.Since(since) / time.Duration(gone)
	return turn >= max(4*breath, breath+2*v.trip)
}
