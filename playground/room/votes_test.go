package room_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/room"
)

// TestVotes wants one vote a member, changeable until the reveal, and the counts to be
// the presenter's alone until then.
func TestVotes(t *testing.T) {
	h := open(t)
	r := h.openClass()
	class := r.Class()
	h.join(anna, r)
	h.join(ben, r)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(class.Vote(anna, "herd-1", 0))
	must(class.Vote(ben, "herd-1", 1))
	must(class.Vote(anna, "herd-1", 1))
	hidden := room.VoteState{Question: "herd-1", Voters: 2, Mine: 1}
	if diff := cmp.Diff([]room.VoteState{hidden}, class.Votes(anna, false)); diff != "" {
		t.Errorf("before the reveal, to anna (-want +got):\n%s", diff)
	}
	counts := []int{0, 2, 0, 0, 0, 0, 0, 0, 0, 0}
	if diff := cmp.Diff([]room.VoteState{{Question: "herd-1", Voters: 2, Mine: -1, Counts: counts}}, class.Votes(teacher, true)); diff != "" {
		t.Errorf("before the reveal, to the teacher (-want +got):\n%s", diff)
	}
	must(class.CloseVote("herd-1"))
	if err := class.Vote(ben, "herd-1", 0); !errors.Is(err, room.ErrVoteClosed) {
		t.Errorf("a vote on what is closed: %v, want ErrVoteClosed", err)
	}
	hidden.Closed = true
	if diff := cmp.Diff([]room.VoteState{hidden}, class.Votes(anna, false)); diff != "" {
		t.Errorf("closed and not revealed, to anna (-want +got):\n%s", diff)
	}
	must(class.Reveal("herd-1"))
	if err := class.Vote(ben, "herd-1", 0); !errors.Is(err, room.ErrRevealed) {
		t.Errorf("a vote after the reveal: %v, want ErrRevealed", err)
	}
	shown := hidden
	shown.Revealed, shown.Counts = true, counts
	if diff := cmp.Diff([]room.VoteState{shown}, class.Votes(anna, false)); diff != "" {
		t.Errorf("after the reveal, to anna (-want +got):\n%s", diff)
	}
}

// TestVotesNobodySends wants them to be refused, and no more questions to be kept than a
// course has.
func TestVotesNobodySends(t *testing.T) {
	h := open(t)
	r := h.openClass()
	h.join(anna, r)
	for name, choice := range map[string]int{"": 0, "too-low": -1, "too-high": 10} {
		if err := r.Class().Vote(anna, name, choice); !errors.Is(err, room.ErrVote) {
			t.Errorf("%q, %d: %v, want ErrVote", name, choice, err)
		}
	}
	for i := range 100 {
		if err := r.Class().Vote(anna, fmt.Sprint(i), 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Class().Vote(anna, "one more", 0); !errors.Is(err, room.ErrVote) {
		t.Errorf("one question too many: %v, want ErrVote", err)
	}
}

// TestVotesOutlastTheEnd of the program, also those that are not answered yet.
func TestVotesOutlastTheEnd(t *testing.T) {
	dir := t.TempDir()
	h := reopen(t, keepIn(dir))
	r := h.openClass()
	h.join(anna, r)
	for i := range 6 { // so that what follows waits for its turn
		r.Class().Lock(i%2 == 0)
	}
	var voting sync.WaitGroup
	for i := range 50 {
		voting.Go(func() { _ = r.Class().Vote(anna, fmt.Sprint(i), 0) })
	}
	h.eventually("all votes are there", func() bool { return len(r.Class().Votes(anna, false)) == 50 })
	h.end()
	if votes := reopen(t, keepIn(dir)).room(r.Name()).Class().Votes(anna, false); len(votes) != 50 {
		t.Errorf("%d votes have come back of 50", len(votes))
	}
	voting.Wait()
}
