package client

import (
	"context"
	"sync"
)

// pending counts work that was begun elsewhere, and lets somebody wait until
// none is left. The zero value counts none.
type pending struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // closed when n is 0 again; nil while nobody waits
}

func (o *pending) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n++
}

func (o *pending) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n--
	if o.n == 0 && o.none != nil {
		close(o.none)
		o.none = nil
	}
}

// wait returns when nothing is pending, or when ctx ends.
func (o *pending) wait(ctx context.Context) {
	select {
	case <-o.done():
	case <-ctx.Done():
	}
}

func (o *pending) done() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	none := o.none
	if none == nil {
		none = make(chan struct{})
	}
	if o.n == 0 {
		close(none)
		return none
	}
	o.none = none
	return none
}
