package sim

import (
	"context"
	"net"
	"time"
)

// dialsAtOnce bounds how many connections are opened at the same time: a
// server's queue of new connections holds 50 (ZooKeeper's clientPortListenBacklog
// is the system's default), and one that overflows costs seconds.
const dialsAtOnce = 32

// watchPatience bounds the wait for the observer before a connection is opened.
const watchPatience = 500 * time.Millisecond

// A dialLimit opens connections, a few at a time.
type dialLimit struct {
	places chan struct{}
	first  func(context.Context) // is waited for before each
}

func newDialLimit() *dialLimit {
	return &dialLimit{places: make(chan struct{}, dialsAtOnce), first: func(context.Context) {}}
}

// after has every connection wait for first, no longer than watchPatience. It
// is called before the first connection.
func (d *dialLimit) after(first func(context.Context)) *dialLimit {
	d.first = first
	return d
}

func (d *dialLimit) dial(ctx context.Context, network, address string) (net.Conn, error) {
	d.waitFirst(ctx)
	select {
	case d.places <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-d.places }()
	return new(net.Dialer).DialContext(ctx, network, address)
}

func (d *dialLimit) waitFirst(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, watchPatience)
	defer cancel()
	d.first(ctx)
}
