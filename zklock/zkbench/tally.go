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

// A tally counts acquisitions, by contender, and measures hand-overs.
type tally struct {
	counts     []atomic.Int64
	origin     time.Time    // of releasedAt
	releasedAt atomic.Int64 // when the last release began, in nanoseconds since origin; 0: none yet

	mu        sync.Mutex // guards what follows
	lap       *lap       // the present one, or the last
	handOvers *hdrhistogram.Histogram
}

func newTally(contenders int) *tally {
	return &tally{
		counts:    make([]atomic.Int64, contenders),
		origin:    time.Now(),
		lap:       newLap(contenders, false),
		handOvers: hdrhistogram.New(shortestHandOver, longestHandOver, handOverDigits),
	}
}

// acquired notes that a contender has got its turn, just now.
func (t *tally) acquired(contender int) {
	now := time.Now()
	t.counts[contender].Add(1)
	released := t.releasedAt.Load()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lap.measured && t.lap.counts != nil && released != 0 {
		t.record(int64(now.Sub(t.origin)) - released)
	}
	t.lap.acquired(contender, now, t.counts)
}

// record takes in a hand-over. The caller holds t.mu.
func (t *tally) record(nanoseconds int64) {
	// Only a value out of range is refused, so bring it into it.
	_ = t.handOvers.RecordValue(min(max(nanoseconds, shortestHandOver), longestHandOver))
}

// releasing notes that a contender is about to give up its turn.
func (t *tally) releasing() { t.releasedAt.Store(int64(time.Since(t.origin))) }

// begin begins a lap, after which hand-overs are measured or not.
func (t *tally) begin(measured bool) *lap {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lap = newLap(len(t.counts), measured)
	return t.lap
}

// current returns the present lap, or the last.
func (t *tally) current() *lap {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lap
}

// cut has a lap end at the next turn, at the latest.
func (t *tally) cut(l *lap) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l.cut()
}

// quantile returns the time that percent of the measured hand-overs took at most.
func (t *tally) quantile(percent float64) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Duration(t.handOvers.ValueAtQuantile(percent))
}

// snapshot returns how often each contender has acquired so far.
func (t *tally) snapshot() []int64 { return values(t.counts) }

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
