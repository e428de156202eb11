package zklock

import (
	"sync"
	"sync/atomic"
)

// A habit guesses who is ahead of a lock's next place. Where the same clients
// take a lock in turn, they stand in the same order each time: the two ahead
// are those of the last time, with their next guids and the two numbers before
// the own one, and that is as far from the last as that was from the one
// before. A watch that finds such a znode has found the contender just ahead,
// whatever the guess rests on, and the listing can wait until the look-ahead.
// A wrong guess costs a request or two.
type habit struct {
	mu     sync.Mutex
	ahead  []string // the guids to expect, the one just ahead first
	last   int32    // the number of the place that taught them
	token  Token    // of that place
	stride int32    // its distance from the one before
	usual  int32    // the stride that was last the same twice, 0 for none
	// connection is closed when there is another than that on which those
	// ahead were watched.
	connection  <-chan struct{}
	misnumbered int // how often in a row the own number was another

	// What follows needs no mu.
	brisk   atomic.Bool // the last wait was a short one
	guesses trial
	marks   trial // reading a mark instead of a listing
	heirs   trial // waiting for an heir instead of looking ahead
	// successions are of going by the number alone.
	successions trial
}

// lookAhead is how many of those ahead are watched.
const lookAhead = 2

// A guess is what is expected of one place.
type guess struct {
	guids    []string // of those just ahead, the nearest first
	sequence int32    // the own number, 0 where it cannot be told
	// stride is how far the next number of each will be from this one, where an
	// heir is to be waited for, and 0 where not.
	stride int32
	since  Token // of the place that taught those ahead
	// readable is the connection on which the znodes before them could be read.
	readable <-chan struct{}
}

// guess returns what to expect of the next place, nil for nothing.
func (h *habit) guess() *guess {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.guesses.due() || len(h.ahead) < lookAhead {
		return nil
	}
	g := &guess{guids: h.ahead, since: h.token, readable: h.connection}
	h.ahead = nil // for one place; what it finds out is for the next
	if h.usual != 0 {
		g.sequence = h.last + h.usual
		if h.brisk.Load() && h.usual > lookAhead && h.heirs.due() {
			g.stride = h.usual
		}
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

// heir returns the name of the next place of the second ahead.
func (g *guess) heir(marker string) string {
	passed := g.sequence - lookAhead
	guid, _ := nextGUID(g.guids[lookAhead-1], passed)
	return fullName(guid, marker, passed+g.stride)
}

// learn takes in who was just ahead of the place p, the nearest first, and on
// which connection they were watched.
func (h *habit) learn(names []string, p place, connection <-chan struct{}) {
	ahead := make([]string, 0, lookAhead)
	for _, name := range names {
		_, number, _ := parseName(name, contenderMarkers)
		if guid, ok := nextGUID(guidOf(name), number); ok {
			ahead = append(ahead, guid)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ahead = ahead
	stride := p.sequence - h.last
	if stride == h.stride {
		h.usual = stride
	}
	h.last, h.token, h.stride, h.connection = p.sequence, p.token, stride, connection
}

// judgeNumber takes in whether the own number was told. One that was not makes
// the guess wrong; after two in a row there are no more until the stride is the
// same again.
func (h *habit) judgeNumber(right bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if right {
		h.misnumbered = 0
		return
	}
	h.guesses.judge(false)
	if h.misnumbered++; h.misnumbered > 1 {
		h.usual, h.stride, h.misnumbered = 0, 0, 0
	}
}
