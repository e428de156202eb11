package ratelimit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Wrong codes of classes, and wrong tokens, that one person, and all behind one address,
// may send: a class of fifty that mistypes must get in, and who tries all codes from a
// school's one address would need years.
const (
	personGuesses  = 10
	addressGuesses = 100
	guessesBack    = 10 * time.Second // one more after this time
	mostGuessers   = 10_000
)

// A Guesser is who sends codes or tokens.
type Guesser struct {
	// What is guessed: who guesses links keeps no class from joining.
	What            string
	Address, Person string
}

// Guesses counts what was wrong. The zero value has counted nothing; its methods are safe for concurrent use.
type Guesses struct {
	mu       sync.Mutex
	limiters map[[3]string]*rate.Limiter
}

// Allow says whether somebody may try one.
func (g *Guesses) Allow(who Guesser) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	address, person := g.of(who)
	return address.Tokens() >= 1 && person.Tokens() >= 1
}

// Failed counts a wrong one.
func (g *Guesses) Failed(who Guesser) {
	g.mu.Lock()
	defer g.mu.Unlock()
	address, person := g.of(who)
	address.Allow()
	person.Allow()
}

// of returns what somebody has left. The caller holds the mutex.
func (g *Guesses) of(who Guesser) (address, person *rate.Limiter) {
	return g.limiter([3]string{who.What, "address", who.Address}, addressGuesses),
		g.limiter([3]string{who.What, "person", who.Person}, personGuesses)
}

// limiter returns somebody's, and forgets all when there are too many: the addresses of
// who sends a new cookie each time come back at once. The caller holds the mutex.
func (g *Guesses) limiter(key [3]string, most int) *rate.Limiter {
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
