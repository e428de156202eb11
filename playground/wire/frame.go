package wire

import (
	"strconv"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// The types of a watch event that concern a znode, as in [Frame.Type].
const (
	NodeCreated         = "NodeCreated"
	NodeDeleted         = "NodeDeleted"
	NodeDataChanged     = "NodeDataChanged"
	NodeChildrenChanged = "NodeChildrenChanged"
)

// A FrameKind says what sort of message a frame is.
type FrameKind int

// The kinds of frames.
const (
	Undecoded       FrameKind = iota // Why says for what reason
	ConnectRequest                   // the first frame of a client
	ConnectResponse                  // the first frame of a server
	Request
	Reply
	Notification
)

// A Frame is one message of the protocol, decoded. Its fields are those that an
// event needs; data, ACLs and names of children are not kept.
type Frame struct {
	Kind FrameKind
	// Op is the operation's name in the log; a reply has its request's.
	Op string
	// Path is the znode concerned. A create's reply has the path that was made;
	// every other reply has its request's.
	Path string
	// Flags are a create's mode in words; see event.Event.
	Flags string
	// Watch says that a request asks for a watch, or that a reply left one.
	Watch bool
	// Type is a notification's.
	Type string
	Xid  int32
	// Zxid is a reply's; 0 where the server does not say.
	Zxid int64
	// Code is a reply's error. A failed multi, which the server marks as
	// successful, has the code of the part that failed.
	Code Code
	// Err is the refusal of a server that is not ZooKeeper, in its words.
	Err string
	// Children is the length of a listing.
	Children int
	// Stat is the znode's, where the reply has it, else nil.
	Stat *Stat
	// Ops are the parts of a multi, or their results. A setWatches has its
	// paths here, each with the operation that would set such a watch.
	Ops []event.SubOp
	// Session, Password and Timeout belong to the connect frames. The request's
	// are what the client asks for, the response's what it got: session 0 means
	// that the session asked for has expired.
	Session  int64
	Password []byte
	Timeout  time.Duration
	// Request is what a Reply or ConnectResponse answers.
	Request *Frame
	// Mode is the mode of an addWatch, and a removeWatches' type of watcher, as
	// ZooKeeper numbers them; a reply has its request's.
	Mode int32
	// ClosedACL says that a request sets an ACL, by itself or in a part, that does not let
	// everybody read the znode and delete what is below it.
	ClosedACL bool
	// Fields are where the frame has its paths and its password, in their order, if
	// the decoder was asked to locate them.
	Fields []Field
	// Why is for humans: what is wrong with an Undecoded frame.
	Why string

	// Dir, Number, Due and Bytes are set by the carrier of the frame. Number counts a
	// client's frames of one direction from 1. Due is when the frame will reach
	// the other end, in microseconds on the log's clock; 0 is at once, or not
	// known. Bytes is its size, with its length in front.
	Dir    event.Direction
	Number int64
	Due    int64
	Bytes  int

	opcode opcode
	sentAt int64 // when a request was sent, for the latency of its reply
	told   bool  // an Undecoded frame has been reported
	// tellsReadOnly: a connect frame has the byte that says whether a read-only
	// server will do. Who does not send it gets none.
	tellsReadOnly bool
}

// SessionHex spells a session id as ZooKeeper does. The session 0, which is
// none, is the empty string.
func SessionHex(id int64) string {
	if id == 0 {
		return ""
	}
	return "0x" + strconv.FormatUint(uint64(id), 16)
}

// undecoded makes the frame one that could not be read.
func (f *Frame) undecoded(why string) *Frame {
	f.Kind, f.Why = Undecoded, why
	return f
}
