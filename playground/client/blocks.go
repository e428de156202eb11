package client

import (
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
)

// blocks are the faults that block the two directions of a link: one is free again
// when the last of them has ended. Its methods are safe for concurrent use.
type blocks struct {
	link *link.Link

	mu     sync.Mutex
	faults map[event.Direction]map[string]bool
}

func newBlocks(l *link.Link) *blocks {
	return &blocks{link: l, faults: map[event.Direction]map[string]bool{event.Out: {}, event.In: {}}}
}

// block is idempotent, as unblock is.
func (b *blocks) block(fault string, ways ...event.Direction) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, way := range ways {
		if len(b.faults[way]) == 0 {
			b.link.Hold(way)
		}
		b.faults[way][fault] = true
	}
}

func (b *blocks) unblock(fault string, ways ...event.Direction) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, way := range ways {
		if delete(b.faults[way], fault); len(b.faults[way]) == 0 {
			b.link.Release(way)
		}
	}
}

// shared says whether there is a direction that more than one fault blocks.
func (b *blocks) shared() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.faults[event.Out]) > 1 || len(b.faults[event.In]) > 1
}
