package check_test

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// violations are what has been told of a check, by what: the reason of each.
func (s *story) violations(name string) (first, anew []string) {
	for _, e := range s.changes {
		switch {
		case e.Check != name:
		case e.Kind == event.CheckViolation:
			anew = append(anew, e.Why)
		case e.Verdict == event.Violated:
			first = append(first, e.Why)
		}
	}
	return first, anew
}

// TestEachNewViolationIsTold: the first by the verdict that it changes, each later one by
// an event of its own, and none twice.
func TestEachNewViolationIsTold(t *testing.T) {
	overlap := func(s *story, first, second int) *story {
		return s.acquired(first, first).acquired(second, second).lock(event.LockReleased, first).lock(event.LockReleased, second)
	}
	for _, test := range []struct {
		name, check string
		story       *story
		anew        []string // a part of each reason
	}{
		{"one overlap", "belief", overlap(tell(), 1, 2), nil},
		{"another overlap", "belief", overlap(overlap(tell(), 1, 2), 3, 4), []string{"client 3 (since event 5) and client 4 (event 6)"}},
		{"one who goes on believing is told once, whoever comes", "belief",
			tell().acquired(1, 1).acquired(2, 2).lock(event.LockReleased, 2).acquired(3, 3).lock(event.LockReleased, 3).acquired(4, 4), nil},
		{"one who believes by another znode is told again", "belief",
			tell().acquired(1, 1).acquired(2, 2).lock(event.LockReleased, 2).lock(event.LockReleased, 1).acquired(1, 3).acquired(2, 4),
			[]string{"client 1 (since event 5) and client 2 (event 6)"}},
		{"one more than there are permits, twice", "belief",
			tellOfPermits().acquired(1, 1).acquired(2, 2).acquired(3, 3).lock(event.LockReleased, 1).lock(event.LockReleased, 2).lock(event.LockReleased, 3).
				acquired(1, 4).acquired(2, 5).acquired(3, 6), []string{"client 1 (since event 7), client 2 (since event 8) and client 3 (event 9) all"}},
		{"another lost write", "fenced-account", tell().read(100, 1, 2).wrote(1, 100).wrote(2, 100).read(110, 3, 4).wrote(3, 110).wrote(4, 110),
			[]string{"client 4 wrote"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			first, anew := test.story.violations(test.check)
			if len(first) != 1 || len(anew) != len(test.anew) {
				t.Fatalf("first %q, anew %q, want %d anew", first, anew, len(test.anew))
			}
			for i, part := range test.anew {
				if !strings.Contains(anew[i], part) {
					t.Errorf("anew %q, want %q in it", anew[i], part)
				}
			}
		})
	}
}

// TestViolationsAreBounded: a check that is violated all the time adds at most one event
// for each acquisition.
func TestViolationsAreBounded(t *testing.T) {
	s := tell()
	const acquisitions = 1000
	for i := range acquisitions {
		s.acquired(1+i%3, i)
	}
	if _, anew := s.violations("belief"); len(anew) == 0 || len(anew) > acquisitions {
		t.Errorf("%d acquisitions, %d violations told", acquisitions, len(anew))
	}
}
