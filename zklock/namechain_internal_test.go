package zklock

import (
	"strings"
	"testing"
)

func (n *names) nextOnly() string {
	guid, _ := n.next()
	return guid
}

// A name that follows another says that the place of that one has held the
// lock, with which number, and that it is gone.
func TestNamesThatFollow(t *testing.T) {
	n := newNames(randomGUID)
	first, before := n.next()
	if before.known {
		t.Errorf("before the first there was %+v", before)
	}
	n.release(place{guid: first, sequence: 7, token: 70})
	second, before := n.next()
	if want, ok := nextGUID(first, 7); !ok || second != want {
		t.Errorf("after a release: %s, want %s", second, want)
	}
	if want := (former{true, 7, 70}); before != want {
		t.Errorf("before the second there was %+v, want %+v", before, want)
	}
	for name, do := range map[string]func(last string){
		"no release":         func(string) {},
		"another's release":  func(string) { n.release(place{guid: hexGUID, sequence: 8}) },
		"an earlier release": func(string) { n.release(place{guid: second, sequence: 8}) },
	} {
		last := n.nextOnly()
		do(last)
		next, before := n.next()
		if strings.HasPrefix(next, last[:baseDigits]) || before.known {
			t.Errorf("after %s: %s follows %s, and %+v", name, next, last, before)
		}
	}
}

// Of two places at a time, the later one alone can be followed.
func TestNamesOfTwoAtATime(t *testing.T) {
	n := newNames(randomGUID)
	older, younger := n.nextOnly(), n.nextOnly()
	n.release(place{guid: older, sequence: 3})
	n.release(place{guid: younger, sequence: 4})
	n.release(place{guid: older, sequence: 3})
	if next, _ := nextGUID(younger, 4); n.nextOnly() != next {
		t.Error("the younger is not followed")
	}
}

// Numbers that come back, in a directory made anew, make no name come back.
func TestNamesDoNotComeBack(t *testing.T) {
	n := newNames(randomGUID)
	used := make(map[string]bool)
	for range 100 {
		guid := n.nextOnly()
		if used[guid] {
			t.Fatalf("%s twice", guid)
		}
		used[guid] = true
		n.release(place{guid: guid, sequence: int32(len(used) % 3)})
	}
}
