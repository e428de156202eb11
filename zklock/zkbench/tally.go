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
	waiting    atomic.Int64  // contenders that have not had a turn
	lap        chan struct{} // closed when all have
	origin     time.Time     // of releasedAt
	releasedAt atomic.Int64  // when the last release began, in nanoseconds since origin; 0: none yet

	mu        sync.Mutex // guards what follows
	recording bool
	handOvers *hdrhistogram.Histogram
}

func newTally(contenders int) *tally {
	t := &tally{
		counts:    make([]atomic.Int64, contenders),
		lap:       make(chan struct{}),
		origin:    time.Now(),
		handOvers: hdrhistogram.New(shortestHandOver, longestHandOver, handOverDigits),
	}
	t.waiting.Store(int64(contenders))
	return t
}

// acquired notes that a contender has got its turn, just now.
func (t *tally) acquired(contender int) {
	now := int64(time.Since(t.origin))
	if t.counts[contender].Add(1) == 1 && t.waiting.Add(-1) == 0 {
		close(t.lap)
	}
	if since := t.releasedAt.Load(); since != 0 {
		t.record(now - since)
	}
}

func (t *tally) record(nanoseconds int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.recording {
		return
	}
	// Only a value out of range is refused, so bring it into it.
	_ = t.handOvers.RecordValue(min(max(nanoseconds, shortestHandOver), longestHandOver))
}

// releasing notes that a contender is about to give up its turn.
func (t *tally) releasing() { t.releasedAt.Store(int64(time.Since(t.origin))) }

// setRecording says whether hand-overs are measured.
func (t *tally) setRecording(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.recording = on
}

// quantile returns the time that percent of the measured hand-overs took at most.
func (t *tally) quantile(percent float64) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Duration(t.handOvers.ValueAtQuantile(percent))
}

// snapshot returns how often each contender has acquired so far.
func (t *tally) snapshot() []int64 {
	counts := make([]int64, len(t.counts))
	for i := range t.counts {
		counts[i] = t.counts[i].Load()
	}
	return counts
}

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
