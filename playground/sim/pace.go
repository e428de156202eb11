package sim

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/link"
)

// A pace is how long a client's link carries each frame: what the run says, or
// what a fault says if that is more. Its methods are safe for concurrent use.
type pace struct {
	link *link.Link

	mu     sync.Mutex
	delay  time.Duration // of the run
	slowed time.Duration // by a fault

	drawing sync.Mutex
	random  *rand.Rand // of the jitter
}

// newPace returns a pace whose jitter depends on the seed and the client's
// number alone.
func newPace(l *link.Link, seed int64, client int) *pace {
	return &pace{link: l, random: rand.New(rand.NewPCG(uint64(seed), jitterStream|uint64(client)))}
}

// jitterStream keeps what a client's jitter draws apart from what its plan draws.
const jitterStream = 1 << 32

// set is the run's delay from now on.
func (p *pace) set(delay time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = delay
	p.apply()
}

// slow is a fault's delay and jitter from now on; 0 and 0 end it.
func (p *pace) slow(delay, jitter time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slowed = delay
	p.link.SetJitter(jitter, p.draw)
	p.apply()
}

func (p *pace) apply() {
	each := max(p.delay, p.slowed)
	p.link.SetDelay(each, each)
}

// draw is called by both directions of the link.
func (p *pace) draw() float64 {
	p.drawing.Lock()
	defer p.drawing.Unlock()
	return p.random.Float64()
}
