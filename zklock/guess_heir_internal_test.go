package zklock

import (
	"testing"
)

// regular is the habit of a lock that has come every stride numbers, and did
// not wait for long.
func regular(stride int32) *habit {
	h := new(habit)
	for i := int32(1); i <= 3; i++ {
		h.learn(aheadOf(100+i*stride), place{sequence: 100 + i*stride, token: Token(1000 * i)}, nil)
	}
	h.brisk.Store(true)
	return h
}

// An heir is waited for where clients come back in turn and at once, and where
// that has not failed lately. Its place is behind the own one.
func TestHeirIsExpected(t *testing.T) {
	for name, c := range map[string]struct {
		stride int32
		change func(*habit)
		want   int32
	}{
		"in turn":               {8, func(*habit) {}, 8},
		"two who take turns":    {lookAhead, func(*habit) {}, 0},
		"not known":             {8, func(h *habit) { h.usual = 0 }, 0},
		"after a long wait":     {8, func(h *habit) { h.brisk.Store(false) }, 0},
		"after one failure":     {8, func(h *habit) { h.heirs.judge(false) }, 8},
		"after two":             {8, func(h *habit) { h.heirs.judge(false); h.heirs.judge(false) }, 0},
		"after one and success": {8, func(h *habit) { h.heirs.judge(false); h.heirs.judge(true); h.heirs.judge(false) }, 8},
	} {
		h := regular(c.stride)
		c.change(h)
		if g := h.guess(); g == nil || g.stride != c.want {
			t.Errorf("%s: %+v, want a stride of %d", name, g, c.want)
		}
	}
}

// The heir's name follows from that of the second ahead and its number.
func TestHeirName(t *testing.T) {
	g := regular(8).guess()
	passed := g.sequence - 2
	guid, _ := nextGUID(g.guids[1], passed)
	if got, want := g.heir(lockMarker), fullName(guid, lockMarker, passed+8); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
