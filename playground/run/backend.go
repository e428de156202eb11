package run

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Backend is what runs work on.
type Backend struct {
	// Servers are the addresses of ZooKeeper, host:port; at least one.
	Servers []string
	// ZooKeeper describes the server that answers now, for readers of logs; nil if nobody
	// knows.
	ZooKeeper func() event.Server
	// Gate blocks until ZooKeeper can be dialled; nil means always.
	Gate func(context.Context) error
	// SuperPassword is that of wire.Options, for what a run does itself; empty for
	// none. Without it no guest may make a znode that others cannot delete.
	SuperPassword string
	// Cluster breaks and heals the servers; nil if they are somebody else's.
	Cluster Cluster
	// Redis is what lanes have whose lock is a key of Redis; nil if there is none.
	Redis Redis
}

// Describe describes the server that answers now, as far as it is known.
func (b Backend) Describe() event.Server {
	if b.ZooKeeper == nil {
		return event.Server{}
	}
	return b.ZooKeeper()
}
