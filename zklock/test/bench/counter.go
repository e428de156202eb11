package main

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The range of hand-over times that are kept apart, in nanoseconds, and to how
// many decimal digits.
const (
	shortestHandOver = int64(time.Microsecond)
	longestHandOver  = int64(time.Minute)
	handOverDigits   = 3
)

// A counter counts acquisitions, by contender, and measures hand-overs.
type counter struct {
	counts     []atomic.Int64
	origin     time.Time    // of releasedAt
	releasedAt atomic.Int64 // when the last release began, in nanoseconds since origin; 0: none yet

	mu        sync.Mutex // guards what follows
	cycle     *cycle     // the present one, or the last
	handOvers *hdrhistogram.Histogram
}

func newCounter(contenders int) *counter {
	return &counter{
		counts:    make([]atomic.Int64, contenders),
		origin:    time.Now(),
		cycle:     newCycle(contenders, false),
		handOvers: hdrhistogram.New(shortestHandOver, longestHandOver, handOverDigits),
	}
}

// acquired notes that a contender has got its turn, just now.
func (t *counter) acquired(contender int) {
	now := time.Now()
	t.counts[contender].Add(1)
	released := t.releasedAt.Load()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cycle.measured && t.cycle.counts != nil && released != 0 {
		t.record(int64(now.Sub(t.origin)) - released)
	}
	t.cycle.acquired(contender, now, t.counts)
}

// record takes in a hand-over. The caller holds t.mu.
func (t *counter) record(nanoseconds int64) {
	// Only a value out of range is refused, so bring it into it.
	_ = t.handOvers.RecordValue(min(max(nanoseconds, shortestHandOver), longestHandOver))
}

// releasing notes that a contender is about to give up its turn.
func (t *counter) releasing() { t.releasedAt.Store(int64(time.Since(t.origin))) }

// begin begins a cycle, after which hand-overs are measured or not.
func (t *counter) begin(measured bool) *cycle {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cycle = newCycle(len(t.counts), measured)
	return t.cycle
}

// current returns the present cycle, or the last.
func (t *counter) current() *cycle {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cycle
}

// cut has a cycle end at the next turn, at the latest.
func (t *counter) cut(l *cycle) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l.cut()
}

// quantile returns the time that percent of the measured hand-overs took at most.
func (t *counter) quantile(percent float64) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Duration(t.handOvers.ValueAtQuantile(percent))
}

// snapshot returns how often each contender has acquired so far.
func (t *counter) snapshot() []int64 { return values(t.counts) }

func sum(counts []int64) (total int64) {
	for _, n := range counts {
		total += n
	}
	return total
}

// spread returns the least and the greatest of counts.
func spread(counts []int64) (least, most int64) {
	return slices.Min(counts), slices.Max(counts)
}
