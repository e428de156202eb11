package link

import (
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A direction is one way of a link: what all its queues have in common. Its
// lock is held while the Observer is told, so that the log has the order in
// which things happen.
type direction struct {
	way      event.Direction
	clock    func() int64
	observer Observer

	mu       sync.Mutex
	delay    int64           // microseconds that a frame takes
	jitter   func() int64    // draws what it takes more; nil for nothing
	blocks   map[string]bool // by name; while there is one, frames wait
	paused   bool            // the client stands still and reads nothing
	stepping bool            // frames wait to be delivered by hand
	frames   int64           // numbered so far
}

func newDirection(way event.Direction, clock func() int64, observer Observer) *direction {
	return &direction{way: way, clock: clock, observer: observer, blocks: make(map[string]bool)}
}

func (d *direction) setDelay(delay time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.delay = max(delay.Microseconds(), 0)
}

// delays returns what setDelay set.
func (d *direction) delays() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Duration(d.delay) * time.Microsecond
}

func (d *direction) setJitter(extra func() int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.jitter = extra
}

// drawDelay is how long the next frame takes, in microseconds.
func (d *direction) drawDelay() int64 {
	if d.jitter == nil {
		return d.delay
	}
	return d.delay + d.jitter()
}

// block blocks the direction under a name, and says whether that shut it.
func (d *direction) block(name string) (shut bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.blocks[name] {
		return false
	}
	d.blocks[name] = true
	return len(d.blocks) == 1
}

// unblock ends the block of a name, and says whether that opened the direction.
func (d *direction) unblock(name string) (opened bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.blocks[name] {
		return false
	}
	delete(d.blocks, name)
	return len(d.blocks) == 0
}

func (d *direction) isBlocked() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.blocks) > 0
}

// blocked says whether there is a block of another name.
func (d *direction) blocked(besides string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name := range d.blocks {
		if name != besides {
			return true
		}
	}
	return false
}

// tellLeft tells of a frame that leaves its queue for the other end.
func (d *direction) tellLeft(p item) {
	switch {
	case d.way == event.In:
		d.observer.Received(p.frame)
	case p.waited:
		d.observer.Delivered(p.frame)
	}
}

// number gives a frame its number.
func (d *direction) number(f *wire.Frame) {
	d.frames++
	f.Dir, f.Number = d.way, d.frames
}
