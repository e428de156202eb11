package link

import (
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A direction is one way of a link: what all its queues have in common. Its
// lock is held while the Observer is called, so that the log has the order in
// which things happen.
type direction struct {
	way      event.Direction
	clock    func() int64
	observer Observer
	random   func() float64

	mu       sync.Mutex
	delay    int64           // microseconds that a frame takes
	slowness int64           // microseconds that it takes at least
	jitter   int64           // microseconds that it may take more
	blocks   map[string]bool // by name; while there is one, frames wait
	paused   bool            // the client stands still and reads nothing
	stepping bool            // frames wait to be delivered by hand
	frames   int64           // numbered so far
}

func newDirection(way event.Direction, c Config) *direction {
	return &direction{way: way, clock: c.Clock, observer: c.Observer, random: c.Random, blocks: make(map[string]bool)}
}

func (d *direction) setDelay(delay time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.delay = max(delay.Microseconds(), 0)
}

func (d *direction) slow(delay, jitter time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.slowness, d.jitter = delay.Microseconds(), jitter.Microseconds()
}

// drawDelay is how long the next frame takes, in microseconds.
func (d *direction) drawDelay() int64 {
	delay := max(d.delay, d.slowness)
	if d.jitter > 0 {
		delay += int64(d.random() * float64(d.jitter))
	}
	return delay
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

// reportLeft reports a frame that leaves its queue for the other end.
func (d *direction) reportLeft(p item) {
	switch {
	case d.way == event.In:
		d.observer.Received(p.frame)
	case p.waited:
		d.observer.Delivered(p.frame)
	}
}

// numbered is how many frames have a number.
func (d *direction) numbered() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.frames
}

// number gives a frame its number.
func (d *direction) number(f *wire.Frame) {
	d.frames++
	f.Dir, f.Number = d.way, d.frames
}
