// Package protocol reads and writes what passes between a ZooKeeper client and a
// server, as far as zklock needs it. It decides nothing about locks.
//
// A [Conn] stands between go-zookeeper and the network:
//
//	go-zookeeper ──frames──> Conn ──the same──> server
//	                          │
//	                          └──> Observer: accepted, acknowledged, failed
//
// It passes on what it is given, frame by frame, and reports to its [Observer] what
// the server has acknowledged, from which a session's clock works out until when
// the session may be counted on. A [Message] and a [Reader] are ZooKeeper's
// encoding, jute.
package protocol

import (
	"fmt"

	"github.com/go-zookeeper/zk"
)

// HeaderSize is the length of what every reply begins with: xid, zxid, error.
const HeaderSize = 16

// The numbers of requests that have a meaning of their own.
const (
	XidNotification = -1
	XidPing         = -2
)

// The operations that a request can ask for.
const (
	opError           = -1 // in the reply to a transaction
	OpCreate          = 1
	OpDelete          = 2
	OpExists          = 3
	OpGetData         = 4
	OpSetData         = 5
	opGetChildren     = 8
	OpSync            = 9
	OpGetChildren2    = 12
	opCheck           = 13
	OpMulti           = 14
	OpCreateContainer = 19
	opAuth            = 100
	opSetWatches      = 101
	opSasl            = 102
	opSetWatches2     = 105
	opCloseSession    = -11
)

// ErrorOf returns what go-zookeeper does for an error code of the server, nil for
// 0: a value, or where it has none a text with the number.
func ErrorOf(code int32) error {
	if code == 0 {
		return nil
	}
	if err, ok := errorsOf[code]; ok {
		return err
	}
	return fmt.Errorf("unknown error: %d", code)
}

// errorsOf are the codes that go-zookeeper has values for.
var errorsOf = map[int32]error{
	-8: zk.ErrBadArguments, -100: zk.ErrAPIError, -101: zk.ErrNoNode, -102: zk.ErrNoAuth,
	-103: zk.ErrBadVersion, -108: zk.ErrNoChildrenForEphemerals, -110: zk.ErrNodeExists,
	-111: zk.ErrNotEmpty, -112: zk.ErrSessionExpired, -114: zk.ErrInvalidACL,
	-115: zk.ErrAuthFailed, -116: zk.ErrClosing, -117: zk.ErrNothing, -118: zk.ErrSessionMoved,
}
