package web

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Wrong codes of classes, and wrong tokens, that one person, and all behind one address,
// may send: a class of fifty that mistypes must get in, and who tries all codes of a
// school's one address would need years.
const (
	personGuesses  = 10
	addressGuesses = 100
	guessesBack    = 10 * time.Second // one more after this time
	mostGuessers   = 10_000
)

// A guesser is who sends codes or tokens.
type guesser struct {
	what            string // is guessed: who guesses links keeps no class from joining
	address, person string
}

// guesses counts what was wrong. Its methods are safe for concurrent use.
type guesses struct {
	mu       sync.Mutex
	limiters map[[3]string]*rate.Limiter
}

// allow says whether somebody may try one.
func (g *guesses) allow(who guesser) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	address, person := g.of(who)
	return address.Tokens() >= 1 && person.Tokens() >= 1
}

// failed counts a wrong one.
func (g *guesses) failed(who guesser) {
	g.mu.Lock()
	defer g.mu.Unlock()
	address, person := g.of(who)
	address.Allow()
	person.Allow()
}

// of returns what somebody has left. The caller holds the mutex.
func (g *guesses) of(who guesser) (address, person *rate.Limiter) {
	return g.limiter([3]string{who.what, "address", who.address}, addressGuesses),
		g.limiter([3]string{who.what, "person", who.person}, personGuesses)
}

// limiter returns somebody's, and forgets all when there are too many: the addresses of
// who sends a new cookie each time come back at once. The caller holds the mutex.
func (g *guesses) limiter(key [3]string, most int) *rate.Limiter {
	if found := g.limiters[key]; found != nil {
		return found
	}
	if len(g.limiters) >= mostGuessers || g.limiters == nil {
		g.limiters = make(map[[3]string]*rate.Limiter)
	}
	made := rate.NewLimiter(rate.Every(guessesBack), most)
	g.limiters[key] = made
	return made
}
