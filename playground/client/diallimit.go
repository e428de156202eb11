package client

import (
	"context"
	"net"
	"time"
)

// dialsAtOnce bounds how many connections are opened at the same time: a
// server's queue of new connections holds 50 (ZooKeeper's clientPortListenBacklog
// is the system's default), and one that overflows costs seconds.
const dialsAtOnce = 32

// watchTimeout bounds the wait for the observer before a connection is opened:
// a quarter of the session timeout, and at least minWatchTimeout.
func watchTimeout(session time.Duration) time.Duration { return max(minWatchTimeout, session/4) }

const minWatchTimeout = 500 * time.Millisecond

// A DialLimit opens connections, a few at a time.
type DialLimit struct {
	places  chan struct{}
	first   func(context.Context) // is waited for before each
	timeout time.Duration         // of that wait
}

// NewDialLimit returns one that waits for first before each connection, but not
// too long for a session of that timeout.
func NewDialLimit(first func(context.Context), session time.Duration) *DialLimit {
	return &DialLimit{places: make(chan struct{}, dialsAtOnce), first: first, timeout: watchTimeout(session)}
}

// DialContext is that of a net.Dialer.
func (d *DialLimit) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	d.waitFirst(ctx)
	select {
	case d.places <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-d.places }()
	return new(net.Dialer).DialContext(ctx, network, address)
}

func (d *DialLimit) waitFirst(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	d.first(ctx)
}
