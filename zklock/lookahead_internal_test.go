package zklock

import (
	"testing"
	"testing/synctest"
	"time"
)

// A look-ahead waits where the turns of those who have gone were long enough
// for it, and not where that is not known.
func TestHasTime(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		listedAt int           // position, with the first listing; 0 for a guess
		before   int32         // number of the lock's place before, 0 for none
		waited   time.Duration // since then, by a place numbered 100
		trip     time.Duration
		want     bool
	}{
		"long turns":                     {listedAt: 5, waited: 8 * ms, want: true},
		"long turns, but few":            {listedAt: 2, waited: 2 * ms, want: true},
		"short turns":                    {listedAt: 5, waited: 6 * ms},
		"many short turns":               {listedAt: 101, waited: 100 * ms},
		"far away":                       {listedAt: 5, waited: 8 * ms, trip: ms},
		"far away, very long turns":      {listedAt: 5, waited: 40 * ms, trip: ms, want: true},
		"nobody has gone":                {listedAt: 1, waited: time.Hour},
		"guessed, long turns":            {before: 92, waited: 12 * ms, want: true},
		"guessed, short turns":           {before: 92, waited: 9 * ms},
		"guessed, right behind the last": {before: 98, waited: time.Hour},
		"guessed, but when from":         {waited: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				now := time.Now()
				v := &vigil{acquisition: &acquisition{began: now}, turn: &turn{position: c.listedAt}, listed: now, trip: c.trip}
				v.place = place{sequence: 100, before: former{known: c.before > 0, sequence: c.before}}
				if c.listedAt > 0 {
					v.lists, v.began = 1, now.Add(-time.Hour)
				}
				time.Sleep(c.waited) // of the bubble's clock
				if got := v.hasTime(); got != c.want {
					t.Errorf("has time: %v", got)
				}
			})
		})
	}
}
