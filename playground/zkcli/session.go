package zkcli

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// A State is what a session is doing, in the words of zkCli's prompt.
type State string

// The states of a session. Only the first two are alive: from the others there is
// no way back but a new session.
const (
	Connecting State = "CONNECTING"
	Connected  State = "CONNECTED"
	Closed     State = "CLOSED"
	AuthFailed State = "AUTH_FAILED"
)

// Alive says whether commands can be sent in this state, or once it is connected.
func (s State) Alive() bool { return s == Connecting || s == Connected }

// An Event is what a session tells: a watch that has fired, or, of the type None and
// without a path, a change of the session's own state.
type Event struct {
	State string // SyncConnected, Disconnected, Expired, AuthFailed, Closed
	Type  string // None, NodeCreated, ..., as ZooKeeper calls it
	Path  string
}

// A Session is what the commands need of ZooKeeper. Errors of the server are a
// [wire.Code], also wrapped, and so is the loss of the connection; the methods do not
// look at the paths, which the console has done. A [Client] is one; who confines a
// console may bring another.
type Session interface {
	State() State
	// Close ends the session, with its ephemeral znodes.
	Close(ctx context.Context) error

	Create(ctx context.Context, n wire.NewNode) (string, error)
	Delete(ctx context.Context, path string, version int32) error
	// DeleteNodes deletes all or none.
	DeleteNodes(ctx context.Context, paths []string) error
	Exists(ctx context.Context, path string, watch bool) (wire.Stat, error)
	GetData(ctx context.Context, path string, watch bool) ([]byte, wire.Stat, error)
	SetData(ctx context.Context, path string, data []byte, version int32) (wire.Stat, error)
	Children(ctx context.Context, path string, watch bool) ([]string, wire.Stat, error)
	AllChildrenNumber(ctx context.Context, path string) (int, error)
	Ephemerals(ctx context.Context, prefix string) ([]string, error)
	Sync(ctx context.Context, path string) error

	GetACL(ctx context.Context, path string) ([]wire.ACL, wire.Stat, error)
	SetACL(ctx context.Context, path string, acl []wire.ACL, version int32) (wire.Stat, error)
	AddAuth(ctx context.Context, scheme string, auth []byte) error
	WhoAmI(ctx context.Context) ([]wire.ClientInfo, error)

	AddWatch(ctx context.Context, path string, recursive bool) error
	// RemoveWatches removes the watches of a path, and tells an event of each. Local
	// ones are forgotten even if the server cannot be asked.
	RemoveWatches(ctx context.Context, path string, kind wire.WatcherType, local bool) error

	Reconfig(ctx context.Context, joining, leaving, members string, from int64) ([]byte, wire.Stat, error)
}
