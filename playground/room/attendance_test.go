package room_test

import (
	"testing"
	"time"
)

// TestLagging wants members to be counted, not their streams, at most once a second, and
// for some moments more.
func TestLagging(t *testing.T) {
	h := open(t)
	r := h.openClass()
	class := r.Class()
	h.join(anna, r)
	h.join(ben, r)
	behind, upToDate := func(time.Time) bool { return true }, func(time.Time) bool { return false }
	left := class.Attend(anna, behind)
	class.Attend(ben, upToDate)
	class.Attend(teacher, behind)
	now := time.Unix(1, 0)
	want := func(what string, after time.Duration, want int) {
		t.Helper()
		now = now.Add(after)
		if got := class.Lagging(now); got != want {
			t.Errorf("%s: %d lag, want %d", what, got, want)
		}
	}
	want("anna's only stream", 0, 1)
	again := class.Attend(anna, upToDate)
	want("anna has come back a moment ago", 4*time.Second, 1)
	want("anna has long come back, though her first stream is still open", 4*time.Second, 0)
	again()
	want("it was counted just now", 500*time.Millisecond, 0)
	want("her first stream alone", time.Second, 1)
	left()
	want("she is not here any more", time.Second, 0)
	if here := class.State().Here; here != 1 {
		t.Errorf("%d are here, want ben", here)
	}
}
