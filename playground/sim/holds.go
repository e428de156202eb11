package sim

import (
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
)

// holds are the faults that hold back the two directions of a link: one is free
// again when the last has let go of it. Its methods are safe for concurrent use.
type holds struct {
	link *link.Link

	mu     sync.Mutex
	faults map[event.Direction]map[string]bool
}

func newHolds(l *link.Link) *holds {
	return &holds{link: l, faults: map[event.Direction]map[string]bool{event.Out: {}, event.In: {}}}
}

// hold is idempotent, as release is.
func (h *holds) hold(fault string, ways ...event.Direction) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, way := range ways {
		if len(h.faults[way]) == 0 {
			h.link.Hold(way)
		}
		h.faults[way][fault] = true
	}
}

func (h *holds) release(fault string, ways ...event.Direction) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, way := range ways {
		if delete(h.faults[way], fault); len(h.faults[way]) == 0 {
			h.link.Release(way)
		}
	}
}

// shared says whether there is a direction that more than one fault holds back.
func (h *holds) shared() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.faults[event.Out]) > 1 || len(h.faults[event.In]) > 1
}
