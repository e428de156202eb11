package zklock

import (
	"strings"
	"testing"
)

// A name that follows another says that the place of that one has held the
// lock, with which number, and that it is gone.
func TestNamesThatFollow(t *testing.T) {
	n := newNames(randomGUID)
	first := n.next()
	n.release(first, 7)
	second := n.next()
	if want, ok := nextGUID(first, 7); !ok || second != want {
		t.Errorf("after a release: %s, want %s", second, want)
	}
	for name, do := range map[string]func(last string){
		"no release":         func(string) {},
		"another's release":  func(string) { n.release(hexGUID, 8) },
		"an earlier release": func(string) { n.release(second, 8) },
	} {
		last := n.next()
		do(last)
		if next := n.next(); strings.HasPrefix(next, last[:baseDigits]) {
			t.Errorf("after %s: %s follows %s", name, next, last)
		}
	}
}

// Of two places at a time, the later one alone can be followed.
func TestNamesOfTwoAtATime(t *testing.T) {
	n := newNames(randomGUID)
	older, younger := n.next(), n.next()
	n.release(older, 3)
	n.release(younger, 4)
	n.release(older, 3)
	if next, _ := nextGUID(younger, 4); n.next() != next {
		t.Error("the younger is not followed")
	}
}

// Numbers that come back, in a directory made anew, make no name come back.
func TestNamesDoNotComeBack(t *testing.T) {
	n := newNames(randomGUID)
	used := make(map[string]bool)
	for range 100 {
		guid := n.next()
		if used[guid] {
			t.Fatalf("%s twice", guid)
		}
		used[guid] = true
		n.release(guid, int32(len(used)%3))
	}
}
