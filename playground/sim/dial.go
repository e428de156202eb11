package sim

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// dialsAtOnce bounds how many connections are opened at the same time: a
// server's queue of new connections holds 50 (ZooKeeper's clientPortListenBacklog
// is the system's default), and one that overflows costs seconds.
const dialsAtOnce = 32

// watchPatience bounds the wait for the observer before a connection is opened:
// a quarter of the session timeout, and at least minWatchPatience.
func watchPatience(session time.Duration) time.Duration { return max(minWatchPatience, session/4) }

const minWatchPatience = 500 * time.Millisecond

// handshakePatience bounds a connection to one of several servers: one that
// boots takes connections and says nothing, while the others answer.
const handshakePatience = 500 * time.Millisecond

// handshakeContext is ctx for the handshake with the first of so many servers
// that are left to try; the last one may take all the time that there is.
func handshakeContext(ctx context.Context, servers int) (context.Context, context.CancelFunc) {
	if servers > 1 {
		return context.WithTimeout(ctx, handshakePatience)
	}
	return context.WithCancel(ctx)
}

// connect opens a session with the first of the servers that takes it.
func connect(ctx context.Context, servers []string, o wire.Options) (*wire.Client, error) {
	var errs []error
	for i, server := range servers {
		client, err := dialOne(ctx, server, len(servers)-i, o)
		if err == nil {
			return client, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// dialOne opens a session with the first of so many servers that are left.
func dialOne(ctx context.Context, server string, left int, o wire.Options) (*wire.Client, error) {
	ctx, cancel := handshakeContext(ctx, left)
	defer cancel()
	return wire.Dial(ctx, server, o)
}

// A dialLimit opens connections, a few at a time.
type dialLimit struct {
	places   chan struct{}
	first    func(context.Context) // is waited for before each
	patience time.Duration         // of that wait
}

func newDialLimit() *dialLimit {
	return &dialLimit{places: make(chan struct{}, dialsAtOnce), first: func(context.Context) {}}
}

// after has every connection wait for first, no longer than patience. It is
// called before the first connection.
func (d *dialLimit) after(first func(context.Context), patience time.Duration) *dialLimit {
	d.first, d.patience = first, patience
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
	ctx, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	d.first(ctx)
}
