package store

import (
	"context"
	"net"
	"path"

	"github.com/zkplayground/zkplayground/playground/event"
)

// The kinds of stores, as in event.Lane.Store. The empty one is ZooKeeper.
const (
	KindRedis  = "redis"
	KindSQLite = "sqlite"
)

// A Recorder takes the events of a store.
type Recorder interface {
	Record(event.Event)
	// Now is the run's clock, in microseconds.
	Now() int64
}

// A Store has the lock of one lane. Its methods are safe for concurrent use.
type Store interface {
	// DialContext connects a client; the arguments say nothing that is needed.
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
	// Run records each change of the lock until ctx ends. It is called once.
	Run(ctx context.Context)
	// Await returns when Run sees every change, or when ctx ends.
	Await(ctx context.Context) error
	// Sync returns when the log has every change made before the call, or when ctx ends.
	Sync(ctx context.Context) error
	// Delete frees the lock as an operator would, and reports whether it was held.
	Delete(ctx context.Context) (bool, error)
	// Close removes what the lane has in the store. It is called when Run has returned.
	Close(ctx context.Context) error
}

// Key is by what name the lock of a lane is in its store: as in ZooKeeper, the path of a
// znode in the lane's lock directory.
func Key(lane event.Lane) string { return KeyIn(lane.Path) }

// KeyIn is [Key] by the lock directory.
func KeyIn(directory string) string { return path.Join(directory, "holder") }
