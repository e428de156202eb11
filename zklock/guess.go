package zklock

import "sync"

// A habit guesses who is ahead of a lock's next place. Where the same clients
// take a lock in turn, they stand in the same order each time: the two ahead
// are those of the last time, with their next guids and the two numbers before
// the own one, and that is as far from the last as that was from the one
// before. A watch that finds such a znode has found the contender just ahead,
// whatever the guess rests on, and the listing can wait until the look-ahead.
// A wrong guess costs the two requests.
type habit struct {
	mu     sync.Mutex
	ahead  []string // the guids to expect, the one just ahead first
	last   int32    // the number of the place that taught them
	stride int32    // its distance from the one before
	even   bool     // the stride was the same twice
	wrong  int      // guesses that failed in a row
	rest   int      // acquisitions to go by before the next guess
}

// lookAhead is how many of those ahead are watched.
const lookAhead = 2

// maxRest bounds the acquisitions between two wrong guesses.
const maxRest = 1 << 8

// A guess is what is expected of one place.
type guess struct {
	guids    []string // of those just ahead, the nearest first
	sequence int32    // the own number, 0 where it cannot be told
}

// guess returns what to expect of the next place, nil for nothing.
func (h *habit) guess() *guess {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rest > 0 {
		h.rest--
		return nil
	}
	if len(h.ahead) < lookAhead {
		return nil
	}
	g := &guess{guids: h.ahead}
	h.ahead = nil // for one place; what it finds out is for the next
	if h.even {
		g.sequence = h.last + h.stride
	}
	return g
}

// names returns the names of those just ahead of the number sequence, the
// nearest first, nil where so many cannot be ahead.
func (g *guess) names(marker string, sequence int32) (names []string) {
	if sequence < lookAhead {
		return nil
	}
	for i, guid := range g.guids {
		names = append(names, fullName(guid, marker, sequence-1-int32(i)))
	}
	return names
}

// learn takes in who was just ahead of the number sequence, the nearest first.
func (h *habit) learn(names []string, sequence int32) {
	ahead := make([]string, 0, lookAhead)
	for _, name := range names {
		if guid, ok := nextGUID(guidOf(name)); ok {
			ahead = append(ahead, guid)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ahead = ahead
	stride := sequence - h.last
	h.even = stride == h.stride
	h.last, h.stride = sequence, stride
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
