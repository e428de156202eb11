package link

import (
	"sync"
	"time"
)

// SetJitter makes every frame from now on take up to most longer than the delay,
// in both directions: random()*most. Frames still do not overtake each other, so
// one that takes long holds up those behind it. Random returns numbers in
// [0, 1); it is not called concurrently, and must not call the link. A most of 0
// or a random of nil ends the jitter.
func (l *Link) SetJitter(most time.Duration, random func() float64) {
	extra := jitter(most, random)
	l.out.setJitter(extra)
	l.in.setJitter(extra)
}

// jitter returns what draws the microseconds to add, nil for none.
func jitter(most time.Duration, random func() float64) func() int64 {
	if most <= 0 || random == nil {
		return nil
	}
	var mu sync.Mutex // the two directions draw from one source
	return func() int64 {
		mu.Lock()
		defer mu.Unlock()
		return max(int64(random()*float64(most.Microseconds())), 0)
	}
}

func (d *direction) setJitter(extra func() int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.jitter = extra
}

// travel is how long the next frame takes, in microseconds.
func (d *direction) travel() int64 {
	if d.jitter == nil {
		return d.delay
	}
	return d.delay + d.jitter()
}
