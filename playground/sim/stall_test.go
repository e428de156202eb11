package sim_test

import (
	"context"
	"sync"
	"testing"
	"time"
)

const (
	// beat is how often the test's process shows that it runs.
	beat = time.Millisecond
	// stall is how late a beat must be to count: as late as that, whatever else
	// is timed may have been too.
	stall = 10 * time.Millisecond
)

// A stallMeter counts the time for which this process stood still because it
// got no processor: on a busy machine what is measured is late by as much.
type stallMeter struct {
	mu    sync.Mutex
	stood time.Duration
}

// watchStalls measures until the test ends.
func watchStalls(t *testing.T) *stallMeter {
	m := new(stallMeter)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); m.run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	return m
}

func (m *stallMeter) run(ctx context.Context) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for last := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := time.Now()
		m.add(now.Sub(last))
		last = now
	}
}

func (m *stallMeter) add(gap time.Duration) {
	if gap < stall {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stood += gap
}

// total is how long the process has stood still so far.
func (m *stallMeter) total() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stood
}

// slack is by how much what is measured may be late: a machine that stands
// still for us does so for the server, too.
func (m *stallMeter) slack() time.Duration { return slack + 2*m.total() }
