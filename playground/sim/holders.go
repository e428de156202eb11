package sim

import "github.com/zkplayground/zkplayground/playground/event"

// holders follows who believes to hold each lane's lock, so that a fault on
// schedule can hit "the holder". The recorder guards it.
type holders struct {
	byLane map[string]map[int]bool
	// changed is closed and replaced whenever somebody acquires.
	changed chan struct{}
}

func newHolders() *holders {
	return &holders{byLane: make(map[string]map[int]bool), changed: make(chan struct{})}
}

func (h *holders) apply(e event.Event) {
	switch e.Kind {
	case event.LockAcquired:
		if h.byLane[e.Lane] == nil {
			h.byLane[e.Lane] = make(map[int]bool)
		}
		h.byLane[e.Lane][e.Client] = true
		close(h.changed)
		h.changed = make(chan struct{})
	case event.LockReleased, event.LockLost, event.SessionClosed:
		delete(h.byLane[e.Lane], e.Client)
	case event.FaultInjected:
		if e.Fault == Crash {
			delete(h.byLane[e.Lane], e.Client)
		}
	}
}

// holder returns a holder of the lane, the lowest-numbered when readers share
// it, or 0 and a channel that is closed when somebody acquires.
func (r *recorder) holder(lane string) (int, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := 0
	for client := range r.holders.byLane[lane] {
		if first == 0 || client < first {
			first = client
		}
	}
	return first, r.holders.changed
}
