package sim

import (
	"context"
	"net"
)

// dialsAtOnce bounds how many connections are opened at the same time: a
// server's queue of new connections holds 50 (ZooKeeper's clientPortListenBacklog
// is the system's default), and one that overflows costs seconds.
const dialsAtOnce = 32

// A dialLimit opens connections, a few at a time.
type dialLimit struct{ places chan struct{} }

func newDialLimit() *dialLimit { return &dialLimit{make(chan struct{}, dialsAtOnce)} }

func (d *dialLimit) dial(ctx context.Context, network, address string) (net.Conn, error) {
	select {
	case d.places <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-d.places }()
	return new(net.Dialer).DialContext(ctx, network, address)
}
