package client

import (
	"fmt"
	"sync"

	"golang.org/x/time/rate"
)

// A guest that is refused again and again is told of so often, and then so often in a
// second.
const (
	refusalsAtOnce    = 20
	refusalsPerSecond = 2
)

// Refusals keep a guest that is refused all that it asks for from filling the log: those
// that are not told are counted.
type Refusals struct {
	mu      sync.Mutex
	limiter *rate.Limiter
	more    int
}

// Tell says whether to tell of one more, and if so what to add about those before it.
func (r *Refusals) Tell() (told bool, more string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.limiter == nil {
		r.limiter = rate.NewLimiter(refusalsPerSecond, refusalsAtOnce)
	}
	if !r.limiter.Allow() {
		r.more++
		return false, ""
	}
	if n := r.take(); n != "" {
		return true, "; " + n
	}
	return true, ""
}

// Untold says how many were not told of; empty if none.
func (r *Refusals) Untold() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.take()
}

// take is Untold; the caller holds the mutex.
func (r *Refusals) take() string {
	n := r.more
	r.more = 0
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d more were refused that are not told one by one", n)
}
