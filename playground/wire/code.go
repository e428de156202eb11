package wire

import "fmt"

// A Code is ZooKeeper's error code as it stands in a reply. As an error it
// compares with errors.Is, through any wrapping.
type Code int32

// The codes that a client meets. Zero is success and never an error.
const (
	OK                      Code = 0
	SystemError             Code = -1
	RuntimeInconsistency    Code = -2
	DataInconsistency       Code = -3
	ConnectionLoss          Code = -4
	MarshallingError        Code = -5
	Unimplemented           Code = -6
	OperationTimeout        Code = -7
	BadArguments            Code = -8
	UnknownSession          Code = -12
	NewConfigNoQuorum       Code = -13
	ReconfigInProgress      Code = -14
	APIError                Code = -100
	NoNode                  Code = -101
	NoAuth                  Code = -102
	BadVersion              Code = -103
	NoChildrenForEphemerals Code = -108
	NodeExists              Code = -110
	NotEmpty                Code = -111
	SessionExpired          Code = -112
	InvalidCallback         Code = -113
	InvalidACL              Code = -114
	AuthFailed              Code = -115
	SessionMoved            Code = -118
	NotReadOnly             Code = -119
	EphemeralOnLocalSession Code = -120
	NoWatcher               Code = -121
	RequestTimeout          Code = -122
	ReconfigDisabled        Code = -123
	SessionClosedNoSASL     Code = -124
	QuotaExceeded           Code = -125
	ThrottledOp             Code = -127
)

// codeNames is ZooKeeper's own spelling of each code.
var codeNames = map[Code]string{
	SystemError:             "SystemError",
	RuntimeInconsistency:    "RuntimeInconsistency",
	DataInconsistency:       "DataInconsistency",
	ConnectionLoss:          "ConnectionLoss",
	MarshallingError:        "MarshallingError",
	Unimplemented:           "Unimplemented",
	OperationTimeout:        "OperationTimeout",
	BadArguments:            "BadArguments",
	UnknownSession:          "UnknownSession",
	NewConfigNoQuorum:       "NewConfigNoQuorum",
	ReconfigInProgress:      "ReconfigInProgress",
	APIError:                "APIError",
	NoNode:                  "NoNode",
	NoAuth:                  "NoAuth",
	BadVersion:              "BadVersion",
	NoChildrenForEphemerals: "NoChildrenForEphemerals",
	NodeExists:              "NodeExists",
	NotEmpty:                "NotEmpty",
	SessionExpired:          "SessionExpired",
	InvalidCallback:         "InvalidCallback",
	InvalidACL:              "InvalidACL",
	AuthFailed:              "AuthFailed",
	SessionMoved:            "SessionMoved",
	NotReadOnly:             "NotReadOnly",
	EphemeralOnLocalSession: "EphemeralOnLocalSession",
	NoWatcher:               "NoWatcher",
	RequestTimeout:          "RequestTimeout",
	ReconfigDisabled:        "ReconfigDisabled",
	SessionClosedNoSASL:     "SessionClosedRequireSaslAuth",
	QuotaExceeded:           "QuotaExceeded",
	ThrottledOp:             "ThrottledOp",
}

// Error returns the code's name after "zookeeper: ".
func (c Code) Error() string { return "zookeeper: " + c.String() }

// String returns ZooKeeper's name of the code, "code N" for one that is not
// known, and the empty string for success.
func (c Code) String() string {
	if c == OK {
		return ""
	}
	if name, known := codeNames[c]; known {
		return name
	}
	return fmt.Sprintf("code %d", int32(c))
}

// err returns the code as an error, nil for success.
func (c Code) err() error {
	if c == OK {
		return nil
	}
	return c
}
