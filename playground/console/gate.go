package console

import (
	"context"
	"net"
	"sync"
)

// A gate is open or shut. While it is shut, whoever waits at it stands still.
type gate struct {
	mu     sync.Mutex
	opened chan struct{} // closed while the gate is open
}

func newGate() *gate {
	g := &gate{opened: make(chan struct{})}
	close(g.opened)
	return g
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.opened:
		g.opened = make(chan struct{})
	default: // it is shut already
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.opened:
	default:
		close(g.opened)
	}
}

// wait returns when the gate is open, or with ctx's error.
func (g *gate) wait(ctx context.Context) error {
	g.mu.Lock()
	opened := g.opened
	g.mu.Unlock()
	select {
	case <-opened:
		return ctx.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A gatedConn is a connection of a program that can be paused: then it neither reads nor
// writes, not even heartbeats.
type gatedConn struct {
	net.Conn
	gate *gate
	life context.Context
}

func (c *gatedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if paused := c.gate.wait(c.life); paused != nil {
		return 0, paused
	}
	return n, err
}

func (c *gatedConn) Write(b []byte) (int, error) {
	if err := c.gate.wait(c.life); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}
