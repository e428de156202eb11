package room

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often something coalesced is done: a few times at once, and then some times a second.
const (
	coalescedAtOnce = 4
	coalescedEvery  = 250 * time.Millisecond
)

// A coalesced act is done once for all who request it while it waits for its turn.
type coalesced struct {
	act     func()
	limiter *rate.Limiter

	mu   sync.Mutex
	next chan struct{} // closed when it is done for those who have requested it; nil if nobody has
}

func newCoalesced(act func()) *coalesced {
	return &coalesced{act: act, limiter: rate.NewLimiter(rate.Every(coalescedEvery), coalescedAtOnce)}
}

// request has the act done soon. The channel is closed when that has been.
func (c *coalesced) request() (done <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil {
		c.next = make(chan struct{})
		time.AfterFunc(c.limiter.Reserve().Delay(), c.do)
	}
	return c.next
}

func (c *coalesced) do() {
	c.mu.Lock()
	done := c.next
	c.next = nil
	c.mu.Unlock()
	c.act()
	close(done)
}
