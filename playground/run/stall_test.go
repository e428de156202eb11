package run_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

const (
	// beat is how often the test's process shows that it runs.
	beat = 5 * time.Millisecond
	// question is how often the server is asked to show the same.
	question = 20 * time.Millisecond
	// stall is how late a beat must be to count: as late as that, whatever else
	// is timed may have been too.
	stall = 10 * time.Millisecond
)

// A stallMeter counts the time for which this process, or the server that the
// tests share, stood still because it got no processor: on a busy machine what
// is measured is late by as much.
type stallMeter struct {
	asking sync.Mutex // had while the server is asked

	mu    sync.Mutex
	stood time.Duration
}

// watchStalls measures until the test ends.
func watchStalls(t *testing.T) *stallMeter {
	m := new(stallMeter)
	conn := zktest.Start(t).Conn(t)
	ctx, stop := context.WithCancel(context.Background())
	var meters sync.WaitGroup
	meters.Go(func() { m.run(ctx) })
	meters.Go(func() { m.ask(ctx, conn) })
	t.Cleanup(func() { stop(); meters.Wait() })
	return m
}

// ask measures how long the server takes for what is nothing to it.
func (m *stallMeter) ask(ctx context.Context, conn *zk.Conn) {
	ticker := time.NewTicker(question)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		m.askOnce(conn)
	}
}

func (m *stallMeter) askOnce(conn *zk.Conn) {
	m.asking.Lock()
	defer m.asking.Unlock()
	asked := time.Now()
	_, _, _ = conn.Exists("/") // an answer that is lost took its time, too
	m.add(time.Since(asked))
}

// look locks the meter once it knows of a stall that has just ended.
func (m *stallMeter) look() {
	m.asking.Lock()
	defer m.asking.Unlock()
	m.mu.Lock()
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
	m.look()
	defer m.mu.Unlock()
	return m.stood
}

// slack is by how much what is measured may be late: a machine that stands
// still for us does so for the server, too.
func (m *stallMeter) slack() time.Duration { return slack + 2*m.total() }
