package event

// The names of ZooKeeper's operations in the log, see [Event.Op]: the variants of one
// share a name. OpConnect is the handshake of a connection, OpNotification a watch event.
const (
	OpConnect              = "connect"
	OpNotification         = "notification"
	OpCreate               = "create"
	OpDelete               = "delete"
	OpExists               = "exists"
	OpGetData              = "getData"
	OpSetData              = "setData"
	OpGetACL               = "getACL"
	OpSetACL               = "setACL"
	OpGetChildren          = "getChildren"
	OpSync                 = "sync"
	OpPing                 = "ping"
	OpCheck                = "check"
	OpMulti                = "multi"
	OpMultiRead            = "multiRead"
	OpReconfig             = "reconfig"
	OpCheckWatches         = "checkWatches"
	OpRemoveWatches        = "removeWatches"
	OpAuth                 = "auth"
	OpSetWatches           = "setWatches"
	OpSASL                 = "sasl"
	OpGetEphemerals        = "getEphemerals"
	OpGetAllChildrenNumber = "getAllChildrenNumber"
	OpAddWatch             = "addWatch"
	OpWhoAmI               = "whoAmI"
	OpCloseSession         = "closeSession"
)
