package web

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Wrong codes of classes, and wrong tokens, that one person, and all behind one address, may send: a class of fifty
// that mistypes must get in, and who tries all codes of a school's one address would
// need years.
const (
	personGuesses  = 10
	addressGuesses = 100
	guessesBack    = 10 * time.Second // one more after this time
	mostGuessers   = 10_000
)

// guesses counts what was wrong. Its methods are safe for concurrent use.
type guesses struct {
	mu       sync.Mutex
	limiters map[string]*rate.Limiter
}

// allow says whether somebody may try one.
func (g *guesses) allow(address, person string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.limiter(address, addressGuesses).Tokens() >= 1 && g.limiter(person, personGuesses).Tokens() >= 1
}

// failed counts a wrong one.
func (g *guesses) failed(address, person string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limiter(address, addressGuesses).Allow()
	g.limiter(person, personGuesses).Allow()
}

// limiter returns somebody's, and forgets all when there are too many: the addresses of
// who sends a new cookie each time come back at once. The caller holds the mutex.
func (g *guesses) limiter(who string, most int) *rate.Limiter {
	if found := g.limiters[who]; found != nil {
		return found
	}
	if len(g.limiters) >= mostGuessers || g.limiters == nil {
		g.limiters = make(map[string]*rate.Limiter)
	}
	made := rate.NewLimiter(rate.Every(guessesBack), most)
	g.limiters[who] = made
	return made
}
