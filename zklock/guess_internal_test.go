package zklock

import (
	"fmt"
	"slices"
	"testing"
)

// aheadOf are the names of those ahead of the number sequence.
func aheadOf(sequence int32) []string {
	guid := func(lock string) string { return guidWith(fmt.Sprintf("%016s", lock), uint32(sequence), 0) }
	return []string{fullName(guid("b"), lockMarker, sequence-1), fullName(guid("a"), lockMarker, sequence-2)}
}

// A number is predicted from the stride that was last the same twice: one
// round that somebody sits out does not change that.
func TestUsualStride(t *testing.T) {
	for _, c := range []struct {
		numbers []int32
		want    int32 // 0 for no prediction
	}{
		{[]int32{10}, 0},
		{[]int32{10, 13}, 0},
		{[]int32{10, 13, 17}, 0},
		{[]int32{10, 13, 16}, 19},
		{[]int32{10, 13, 16, 20}, 23},
		{[]int32{10, 13, 16, 20, 23}, 26},
		{[]int32{10, 13, 16, 20, 24}, 28},
		{[]int32{10, 13, 16, 4}, 7},
	} {
		h := new(habit)
		for _, number := range c.numbers {
			h.learn(aheadOf(number), place{sequence: number}, nil)
		}
		g := h.guess()
		if g == nil || g.sequence != c.want {
			t.Errorf("after %v: %+v, want %d", c.numbers, g, c.want)
		}
	}
}

// What a guess says of names are the next ones of those who were ahead.
func TestGuessedNames(t *testing.T) {
	h := new(habit)
	h.learn(aheadOf(10), place{sequence: 10}, nil)
	g := h.guess()
	var want []string
	for i, name := range aheadOf(10) {
		guid, _ := nextGUID(guidOf(name), 9-int32(i))
		want = append(want, fullName(guid, lockMarker, 12-int32(i)))
	}
	if got := g.names(lockMarker, 13); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := g.names(lockMarker, lookAhead-1); got != nil {
		t.Errorf("%q ahead of the second", got)
	}
	if again := h.guess(); again != nil {
		t.Errorf("%+v, from what was of use once", again)
	}
}

// rests returns for how many acquisitions no guess is made.
func (h *habit) rests() (n int) {
	for h.learn(aheadOf(10), place{sequence: 10}, nil); h.guess() == nil; n++ {
	}
	return n
}

// The first wrong guess costs nothing but itself; more in a row are rested
// from ever longer, up to a bound, until one is right.
func TestRest(t *testing.T) {
	h := new(habit)
	for i, want := range []int{0, 1, 3, 7, 15, 31, 63, 127, 255, 256, 256} {
		h.guesses.judge(false)
		if got := h.rests(); got != want {
			t.Errorf("%d wrong: rests %d, want %d", i+1, got, want)
		}
	}
	h.guesses.judge(true)
	for i, want := range []int{0, 1} {
		h.guesses.judge(false)
		if got := h.rests(); got != want {
			t.Errorf("%d wrong after a right one: rests %d, want %d", i+1, got, want)
		}
	}
}

// However long it goes on, the bound does not overflow.
func TestRestIsBounded(t *testing.T) {
	h := new(habit)
	for i := range 100 {
		h.guesses.judge(false)
		if got := h.rests(); got > maxRest || i > 10 && got < maxRest {
			t.Fatalf("%d wrong: rests %d", i+1, got)
		}
	}
}
