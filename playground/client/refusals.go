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

// refusals keep a guest that is refused all that it asks for from filling the log: those
// that are not told are counted.
type refusals struct {
	mu      sync.Mutex
	limiter *rate.Limiter
	more    int
}

// tell says whether to tell of one more, and if so what to add about those before it.
func (r *refusals) tell() (told bool, more string) {
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

// untold says how many were not told of; empty if none.
func (r *refusals) untold() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.take()
}

// take is untold; the caller holds the mutex.
func (r *refusals) take() string {
	n := r.more
	r.more = 0
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d more were refused that are not told one by one", n)
}
