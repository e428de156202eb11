package wire

import (
	"fmt"
	"maps"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// An opcode says in a request's header what is asked.
type opcode int32

const (
	opError                opcode = -1
	opNotification         opcode = 0
	opCreate               opcode = 1
	opDelete               opcode = 2
	opExists               opcode = 3
	opGetData              opcode = 4
	opSetData              opcode = 5
	opGetACL               opcode = 6
	opSetACL               opcode = 7
	opGetChildren          opcode = 8
	opSync                 opcode = 9
	opPing                 opcode = 11
	opGetChildren2         opcode = 12
	opCheck                opcode = 13
	opMulti                opcode = 14
	opCreate2              opcode = 15
	opReconfig             opcode = 16
	opCheckWatches         opcode = 17
	opRemoveWatches        opcode = 18
	opCreateContainer      opcode = 19
	opCreateTTL            opcode = 21
	opMultiRead            opcode = 22
	opAuth                 opcode = 100
	opSetWatches           opcode = 101
	opSASL                 opcode = 102
	opGetEphemerals        opcode = 103
	opGetAllChildrenNumber opcode = 104
	opSetWatches2          opcode = 105
	opAddWatch             opcode = 106
	opWhoAmI               opcode = 107
	opCloseSession         opcode = -11
)

// The xids that are not numbers of requests.
const (
	xidNotification int32 = -1
	xidPing         int32 = -2
	xidAuth         int32 = -4
	xidSetWatches   int32 = -8
)

// opNames are the names used in the log. The variants of one operation share a
// name: what differs is in the flags of a create.
var opNames = map[opcode]string{
	opNotification:         event.OpNotification,
	opCreate:               event.OpCreate,
	opCreate2:              event.OpCreate,
	opCreateContainer:      event.OpCreate,
	opCreateTTL:            event.OpCreate,
	opDelete:               event.OpDelete,
	opExists:               event.OpExists,
	opGetData:              event.OpGetData,
	opSetData:              event.OpSetData,
	opGetACL:               event.OpGetACL,
	opSetACL:               event.OpSetACL,
	opGetChildren:          event.OpGetChildren,
	opGetChildren2:         event.OpGetChildren,
	opSync:                 event.OpSync,
	opPing:                 event.OpPing,
	opCheck:                event.OpCheck,
	opMulti:                event.OpMulti,
	opMultiRead:            event.OpMultiRead,
	opReconfig:             event.OpReconfig,
	opCheckWatches:         event.OpCheckWatches,
	opRemoveWatches:        event.OpRemoveWatches,
	opAuth:                 event.OpAuth,
	opSetWatches:           event.OpSetWatches,
	opSetWatches2:          event.OpSetWatches,
	opSASL:                 event.OpSASL,
	opGetEphemerals:        event.OpGetEphemerals,
	opGetAllChildrenNumber: event.OpGetAllChildrenNumber,
	opAddWatch:             event.OpAddWatch,
	opWhoAmI:               event.OpWhoAmI,
	opCloseSession:         event.OpCloseSession,
}

func (o opcode) String() string {
	if name, known := opNames[o]; known {
		return name
	}
	return fmt.Sprintf("op %d", int32(o))
}

// createModes are the flags of a create in words, by ZooKeeper's number.
var createModes = map[int32]string{
	0: "",
	1: "ephemeral",
	2: "sequential",
	3: "ephemeral+sequential",
	4: "container",
	5: "ttl",
	6: "sequential+ttl",
}

// sequential says whether the server adds a number to the path of a create.
func sequential(flags int32) bool { return flags == 2 || flags == 3 || flags == 6 }

func createMode(flags int32) string {
	if mode, known := createModes[flags]; known {
		return mode
	}
	return fmt.Sprintf("mode %d", flags)
}

// eventTypes are the types of a watch event, by ZooKeeper's number.
var eventTypes = map[int32]string{
	-1: "None",
	1:  NodeCreated,
	2:  NodeDeleted,
	3:  NodeDataChanged,
	4:  NodeChildrenChanged,
	5:  "DataWatchRemoved",
	6:  "ChildWatchRemoved",
	7:  "PersistentWatchRemoved",
}

func eventType(number int32) string {
	if name, known := eventTypes[number]; known {
		return name
	}
	return fmt.Sprintf("type %d", number)
}

// OpNames returns the names that requests, their replies and notifications have
// in the log, sorted. A handshake, "connect", is not among them.
func OpNames() []string {
	return slices.Compact(slices.Sorted(maps.Values(opNames)))
}
