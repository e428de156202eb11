package sim

import (
	"context"
	"sync"
)

// outstanding counts work that was begun elsewhere, and lets somebody wait
// until none is left. The zero value counts none.
type outstanding struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // closed when n is 0 again; nil while nobody waits
}

func (o *outstanding) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n++
}

func (o *outstanding) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n--
	if o.n == 0 && o.none != nil {
		close(o.none)
		o.none = nil
	}
}

// wait returns when nothing is outstanding, or when ctx ends.
func (o *outstanding) wait(ctx context.Context) {
	select {
	case <-o.done():
	case <-ctx.Done():
	}
}

func (o *outstanding) done() <-chan struct{} {
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
