package main

import (
	"context"
	"sync"
	"time"
)

// A gate stands in the way of every holder of a trial's lock. While it is
// closed the holder stands before it and everybody else queues behind: the
// trial is still.
type gate struct {
	// stood receives when the holder came to the closed gate.
	stood chan time.Time

	mu  sync.Mutex
	way chan struct{} // closed while the gate is open
}

// newGate is an open gate.
func newGate() *gate {
	g := &gate{stood: make(chan time.Time, 1), way: make(chan struct{})}
	close(g.way)
	return g
}

// pass returns when the gate is open, or with the cause of ctx's end.
func (g *gate) pass(ctx context.Context) error {
	way := g.current()
	select {
	case <-way:
		return nil
	default:
	}
	select {
	case g.stood <- time.Now():
	default:
	}
	select {
	case <-way:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (g *gate) current() chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.way
}

// open lets the holder go on, and everybody after it. The gate may be open already.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.way:
	default:
		close(g.way)
	}
}

// close has the next holder stand. The gate is open. Where a lock let two hold
// at once, both stood, and the second is forgotten: it does not stand now.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.stood:
	default:
	}
	g.way = make(chan struct{})
}
