package client

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/link"
)

// A speed is how long a client's link carries each frame: what the run says, or
// what a fault says if that is more. Its methods are safe for concurrent use.
type speed struct {
	link *link.Link

	mu     sync.Mutex
	delay  time.Duration // of the run
	slowed time.Duration // by a fault

	drawing sync.Mutex
	random  *rand.Rand // of the jitter
}

// newSpeed returns a speed whose jitter depends on the seed and the client's
// number alone.
func newSpeed(l *link.Link, seed int64, client int) *speed {
	return &speed{link: l, random: rand.New(rand.NewPCG(uint64(seed), jitterStream|uint64(client)))}
}

// jitterStream keeps what a client's jitter draws apart from what its plan draws.
const jitterStream = 1 << 32

// set is the run's delay from now on.
func (s *speed) set(delay time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delay = delay
	s.apply()
}

// slow is a fault's delay and jitter from now on; 0 and 0 end it.
func (s *speed) slow(delay, jitter time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slowed = delay
	s.link.SetJitter(jitter, s.draw)
	s.apply()
}

func (s *speed) apply() {
	each := max(s.delay, s.slowed)
	s.link.SetDelay(each, each)
}

// draw is called by both directions of the link.
func (s *speed) draw() float64 {
	s.drawing.Lock()
	defer s.drawing.Unlock()
	return s.random.Float64()
}
