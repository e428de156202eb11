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
	delay    int64        // microseconds that a frame takes
	jitter   func() int64 // draws what it takes more; nil for nothing
	held     bool         // frames wait for a release
	frozen   bool         // the client stands still and reads nothing
	stepping bool         // frames wait to be delivered by hand
	frames   int64        // numbered so far
}

func newDirection(way event.Direction, clock func() int64, observer Observer) *direction {
	return &direction{way: way, clock: clock, observer: observer}
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

func (d *direction) setHeld(held bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held = held
}

func (d *direction) isHeld() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held
}

// left tells of a frame that leaves its queue for the other end.
func (d *direction) left(p parcel) {
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
