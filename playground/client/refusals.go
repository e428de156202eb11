package client

import (
	"sync"

	"golang.org/x/time/rate"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/event"
)

// How many refusals of one guest the log tells of at once, and after that in each
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
func (r *Refusals) Tell() (told bool, more *event.Reason) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.limiter == nil {
		r.limiter = rate.NewLimiter(refusalsPerSecond, refusalsAtOnce)
	}
	if !r.limiter.Allow() {
		r.more++
		return false, nil
	}
	return true, r.take()
}

// Untold says how many were not told of; nil if none.
func (r *Refusals) Untold() *event.Reason {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.take()
}

// take is Untold; the caller holds the mutex.
func (r *Refusals) take() *event.Reason {
	n := r.more
	r.more = 0
	if n == 0 {
		return nil
	}
	return notTold.With(n)
}

var notTold = event.NewCode("more-refused", "{count} more were refused that are not told one by one")

// RefusalReason is why a request was refused, and how many more were before it that are not told.
func RefusalReason(r chroot.Refusal, more *event.Reason) *event.Reason {
	why := inCodes(r.Why, nil)
	if more == nil {
		return why
	}
	return event.Several(why, more)
}
