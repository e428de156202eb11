package zklock

import (
	"fmt"
	"sync"
)

// A habit guesses who is ahead of a lock's next place. Where the same clients
// take a lock in turn, they stand in the same order each time: the two ahead
// are those of the last time, with their next guids and the two numbers before
// the own one. A watch that finds such a znode has found the contender just
// ahead, whatever the guess rests on, and the listing can wait until the
// look-ahead. A wrong guess costs the two requests.
type habit struct {
	mu    sync.Mutex
	ahead []string // the guids to expect, the one just ahead first
	wrong int      // guesses that failed in a row
	rest  int      // acquisitions to go by before the next guess
}

// lookAhead is how many of those ahead are watched.
const lookAhead = 2

// maxRest bounds the acquisitions between two wrong guesses.
const maxRest = 1 << 8

// guess returns the names of those just ahead of the number sequence, the
// nearest first, or nil.
func (h *habit) guess(marker string, sequence int32) (names []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rest > 0 {
		h.rest--
		return nil
	}
	if len(h.ahead) < lookAhead || sequence < lookAhead {
		return nil
	}
	for i, guid := range h.ahead {
		names = append(names, fmt.Sprintf("%s%010d", protectedName(guid, marker), sequence-1-int32(i)))
	}
	h.ahead = nil // for one place; what it finds out is for the next
	return names
}

// learn takes in who was just ahead, the nearest first.
func (h *habit) learn(names []string) {
	ahead := make([]string, 0, lookAhead)
	for _, name := range names {
		if guid, ok := nextGUID(guidOf(name)); ok {
			ahead = append(ahead, guid)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ahead = ahead
}

// judge takes in whether a guess was right.
func (h *habit) judge(right bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if right {
		h.wrong = 0
		return
	}
	h.rest = min(1<<h.wrong, maxRest)
	h.wrong = min(h.wrong+1, 30)
}
