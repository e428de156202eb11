package zklock_test

import (
	"slices"
	"strings"
	"testing"
)

// A trace is told of an heir during the wait only, though the heir may tell
// when the one just ahead has gone, too.
func TestHeirAfterTheWait(t *testing.T) {
	t.Parallel()
	w := newHighWorld(t)
	s, n := w.dialThrough(session)
	r := newRoundabout(w, foreseeingRounds, w.careful(), w.careful(), w.awaiting(s))
	told := 0 // by an heir, and not by a listing
	for range 20 {
		r.goes()
		n.holdReplies()
		last := r.queue[1]
		r.unlock(r.queue[0].held(r))
		r.comes() // the heir
		n.heal()
		last.held(r)
		lines := last.all()
		ahead := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "looked-ahead") })
		done := slices.Index(lines, "wait-done EventNodeDeleted")
		if ahead > done {
			t.Errorf("%q", lines)
		}
		if last.count("listed") == 0 {
			told++
		}
		r.queue = r.queue[1:]
		r.comes()
		r.turns()
	}
	if told == 0 {
		t.Error("no heir told")
	}
	r.endsUnwatched()
}
