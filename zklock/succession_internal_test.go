package zklock

import (
	"math"
	"testing"
)

// A directory made anew has taken a transaction for each number in it, since
// the last place in the former one.
func TestSameDirectory(t *testing.T) {
	const epoch = 1 << 32
	for _, c := range []struct {
		since, token Token
		sequence     int32
		want         bool
	}{
		{100, 116, 24, true},
		{100, 123, 24, true},
		{100, 124, 24, false},
		{100, 101, 1, false},
		{100, 102, 1, false},
		{100, epoch + 1, math.MaxInt32, false},
		{0, 7 * epoch, math.MaxInt32, false},
		{100, 100, 24, false},
		{100, 99, 24, false}, // the servers have been set back
	} {
		if got := (place{sequence: c.sequence, token: c.token}).sameDirectory(c.since); got != c.want {
			t.Errorf("number %d, transactions %d to %d: %v", c.sequence, c.since, c.token, got)
		}
	}
}

// Only the number just after that of a place which has held the lock, in the
// same directory, shows that nobody has come in between.
func TestSucceeds(t *testing.T) {
	before := former{known: true, sequence: 20, token: 100}
	for name, c := range map[string]struct {
		place
		want bool
	}{
		"the next":                  {place{before: before, sequence: 21, token: 102}, true},
		"one between":               {place{before: before, sequence: 22, token: 102}, false},
		"the same":                  {place{before: before, sequence: 20, token: 102}, false},
		"one before":                {place{before: before, sequence: 19, token: 102}, false},
		"a directory made anew":     {place{before: before, sequence: 21, token: 124}, false},
		"not known to be gone":      {place{before: former{sequence: 20, token: 100}, sequence: 21, token: 102}, false},
		"the first of all":          {place{sequence: 1, token: 102}, false},
		"as many transactions":      {place{before: before, sequence: 21, token: 121}, false},
		"one transaction less":      {place{before: before, sequence: 21, token: 120}, true},
		"the counter at its bottom": {place{before: former{known: true, sequence: math.MaxInt32}, sequence: math.MinInt32, token: 1}, false},
	} {
		if got := c.succeeds(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
