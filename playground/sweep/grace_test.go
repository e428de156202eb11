package sweep

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestGrace(t *testing.T) {
	a, b := subtree{"main", "aaaaaaaa-1"}, subtree{"main", "bbbbbbbb-1"}
	type look struct {
		at      time.Duration
		nobodys []subtree
		due     []subtree
		next    time.Duration // -1: never
	}
	for name, looks := range map[string][]look{
		"not before its time": {
			{0, []subtree{a}, nil, 10},
			{9, []subtree{a}, nil, 10},
			{10, []subtree{a}, []subtree{a}, -1},
		},
		"again, if it could not be removed": {
			{0, []subtree{a}, nil, 10},
			{15, []subtree{a}, []subtree{a}, -1},
			{16, []subtree{a}, []subtree{a}, -1},
		},
		"its owner came back meanwhile": {
			{0, []subtree{a}, nil, 10},
			{5, nil, nil, -1},
			{12, []subtree{a}, nil, 22},
			{22, []subtree{a}, []subtree{a}, -1},
		},
		"each has its own": {
			{0, []subtree{a}, nil, 10},
			{4, []subtree{b, a}, nil, 10},
			{10, []subtree{b, a}, []subtree{a}, 14},
			{14, []subtree{b}, []subtree{b}, -1},
		},
		"nothing to wait for": {
			{0, nil, nil, -1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			g, start := newGrace(10), time.Unix(1e9, 0)
			for _, l := range looks {
				due, next := g.over(start.Add(l.at), l.nobodys)
				if diff := cmp.Diff(l.due, due, cmp.AllowUnexported(subtree{})); diff != "" {
					t.Errorf("at %d, due: %s", l.at, diff)
				}
				if never := l.next < 0; never != next.IsZero() || !never && !next.Equal(start.Add(l.next)) {
					t.Errorf("at %d: next at %v, want %d", l.at, next.Sub(start), l.next)
				}
			}
		})
	}
}
