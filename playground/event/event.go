package event

import "encoding/json"

// An Event is one fact about a run, as one observer saw it. Which fields are
// set depends on Kind; a field at its zero value is left out of the JSON.
// Events are values: once appended to a [Log] they are never changed.
type Event struct {
	// Seq numbers the events of a run from 1 without a gap.
	Seq int64 `json:"seq"`
	// At is when the event was recorded, in microseconds since the run began,
	// on one monotonic clock. It never decreases as Seq grows.
	At int64 `json:"at"`
	// Lane names the lane the event belongs to; empty for the whole run.
	Lane string `json:"lane,omitempty"`
	// Client numbers the clients of a lane from 1; 0 when no client is meant.
	Client int `json:"client,omitempty"`
	// Kind says what happened. See the constants.
	Kind Kind `json:"kind"`

	// Op is the ZooKeeper operation of a frame: create, delete, exists,
	// getData, getChildren, multi, ping, connect, notification and so on.
	Op string `json:"op,omitempty"`
	// Path is the znode concerned, absolute. On the reply to a create it is
	// the path that the server made, on the request the path asked for.
	Path string `json:"path,omitempty"`
	// Flags are a create's: "ephemeral", "sequential", "container", "ttl",
	// joined by a plus sign. Empty means a plain persistent znode. On tree.created
	// they are those of the create that made it, as far as that is known.
	Flags string `json:"flags,omitempty"`
	// Watch says that the request asked for a watch, or, on a reply, that the
	// server left one.
	Watch bool `json:"watch,omitempty"`
	// Type is a notification's: NodeCreated, NodeDeleted, NodeDataChanged or
	// NodeChildrenChanged.
	Type string `json:"type,omitempty"`
	// Xid is the client's number of a request, repeated on its reply.
	Xid int32 `json:"xid,omitempty"`
	// Zxid is the transaction a reply speaks for; on tree events, where known,
	// the transaction that made the change.
	Zxid int64 `json:"zxid,omitempty"`
	// Err is ZooKeeper's error, by name (NoNode, SessionExpired, ...), or what
	// the client was told. Empty means success.
	Err string `json:"err,omitempty"`
	// Latency is the time from a request's sending to this reply, in microseconds.
	Latency int64 `json:"latency,omitempty"`
	// Children is the number of children in the reply to a listing.
	Children int `json:"children,omitempty"`
	// Ops are the parts of a multi, or the watches that a setWatches sets again.
	Ops []SubOp `json:"ops,omitempty"`
	// Dir is the direction of a held, delivered or dropped frame: "out" from
	// the client to the server, "in" from the server to the client.
	Dir Direction `json:"dir,omitempty"`
	// Frame numbers the frames of one client in one direction, from 1, so that
	// the stages of one frame can be joined.
	Frame int64 `json:"frame,omitempty"`
	// Due is when a delayed frame will reach the other end, on the clock of At,
	// if nothing changes on the way; 0 when that is at once or not known.
	Due int64 `json:"due,omitempty"`
	// Bytes is the size of a frame that was sent or received, its length in front
	// included; on tree events, of the znode's data.
	Bytes int64 `json:"bytes,omitempty"`
	// Data is, on tree events of znodes outside of the lock directories, the znode's
	// data, if that is short text that everybody may read.
	Data string `json:"data,omitempty"`
	// Stat is the znode's, on the reply to a request for one znode or for its data.
	Stat *Stat `json:"stat,omitempty"`

	// Session is a session id in ZooKeeper's own spelling, 0x and hex digits.
	// On tree events it is the ephemeral owner.
	Session string `json:"session,omitempty"`
	// Timeout is the session timeout that the server granted, in milliseconds.
	Timeout int64 `json:"timeout,omitempty"`

	// Token is the fence of an acquisition: the czxid of its znode.
	Token int64 `json:"token,omitempty"`
	// Mode is "read" or "write" on the lock events of a read/write lock, "persistent" or
	// "recursive" on an addWatch, and "data", "children" or "any" on a removeWatches.
	Mode string `json:"mode,omitempty"`
	// Thread numbers the threads of a client's process from 1, on the lock events of
	// one that has several.
	Thread int `json:"thread,omitempty"`
	// Derived says, on a lock event, that the recipe did not tell it: it was read
	// from the client's frames.
	Derived bool `json:"derived,omitempty"`
	// Line is, on program.at, a line of the program's source, from 1.
	Line int `json:"line,omitempty"`
	// Predecessor is what a waiter watches: the znode ahead of it, or the lock
	// directory when it watches that.
	Predecessor string `json:"predecessor,omitempty"`

	// Read is, on a write to a resource, the balance that the writer had read
	// before; Balance is the resource's after the event. An account begins at
	// 100 and only grows, so neither is ever 0.
	Read    int64 `json:"read,omitempty"`
	Balance int64 `json:"balance,omitempty"`

	// Cause says who made a tree change: "client", "close" (a session closed
	// by its client), "expiry", "outsider", or "unseen" (it happened while the
	// observer was away).
	Cause string `json:"cause,omitempty"`
	// By is, on tree.deleted by a client, the client that has deleted the znode, if
	// Client, who made it, has not.
	By int `json:"by,omitempty"`
	// Fault names an injected fault, and on program.ended the one that it is like.
	Fault string `json:"fault,omitempty"`
	// Effects are what Fault, or the end of a program, does to the client.
	Effects []Effect `json:"effects,omitempty"`
	// Server is the host:port that a server fault concerns, where it is one.
	Server string `json:"server,omitempty"`
	// For is how long a fault is to last, in milliseconds; 0 until healed. On
	// note.stalled it is how long that lasted.
	For int64 `json:"for,omitempty"`
	// When is, on an armed fault, what it waits for a client to come to: hold, wait
	// or create.
	When string `json:"when,omitempty"`
	// Every is, on note.injection, the time from one such fault to the next on
	// average, in milliseconds; 0 when they come no more.
	Every int64 `json:"every,omitempty"`
	// Check and Verdict are a check's name and its new verdict.
	Check   string  `json:"check,omitempty"`
	Verdict Verdict `json:"verdict,omitempty"`
	// Sent is, on tree.synced, the instant on the clock of At up to which every
	// change at the server is now in the log.
	Sent int64 `json:"sent,omitempty"`
	// Delay is, on note.delay, how long the links carry each frame each way from
	// now on, in microseconds; 0 when they carry it at once.
	Delay int64 `json:"delay,omitempty"`
	// Held says, on note.step, that the network is held from now on: each frame
	// waits until it is delivered by hand.
	Held bool `json:"held,omitempty"`
	// Participant is, on note.joined, what has joined: "guest", a program of its own
	// that speaks to the playground as to a server, or "console", a person who types
	// commands.
	Participant Participant `json:"participant,omitempty"`
	// Name is, on note.joined, what the guest calls itself, if it does. A name that joins a run
	// again is the same client.
	Name string `json:"name,omitempty"`
	// Cost is, on cost.changed, what the releases of the lock directory Path have cost.
	Cost *Cost `json:"cost,omitempty"`
	// Account is, on account.changed, what the lane's account has come to.
	Account *Account `json:"account,omitempty"`
	// Queue is, on queue.changed, what has come of the queue of the lock directory Path.
	Queue *Queue `json:"queue,omitempty"`
	// Clients are, on belief.conflict, those that cannot all be right, in ascending order.
	Clients []int `json:"clients,omitempty"`
	// Wrong is, on belief.ended, for how long the belief was false, in microseconds.
	Wrong int64 `json:"wrong,omitempty"`
	// Watched is, on watch.* events, which watch of Client it is, on Path.
	Watched *Watched `json:"watched,omitempty"`
	// State is, on state.whole, all that is so after the events up to this one, as
	// playground/state writes it: its type Whole.
	State json.RawMessage `json:"state,omitempty"`
	// Why is Reason as an English sentence, which [Log] makes of it.
	Why string `json:"why,omitempty"`
	// Reason says why; events that were recorded before there were codes have Why alone.
	Reason *Reason `json:"reason,omitempty"`
}

// A SubOp is one operation of a multi, or its result.
type SubOp struct {
	Op   string `json:"op"`
	Path string `json:"path,omitempty"`
	// Flags are a create's, and the mode of an addWatch; see [Event].
	Flags string `json:"flags,omitempty"`
	// Err is ZooKeeper's error by name; RolledBack means that the operation
	// was undone because another one failed.
	Err string `json:"err,omitempty"`
}

// A Stat is what the server keeps about a znode besides its data.
type Stat struct {
	// Czxid is the transaction that created the znode, Mzxid the one that last
	// changed its data, Pzxid the one that last changed the list of its children.
	Czxid int64 `json:"czxid,omitempty"`
	Mzxid int64 `json:"mzxid,omitempty"`
	Pzxid int64 `json:"pzxid,omitempty"`
	// Ctime and Mtime are the times of the first two, in Unix milliseconds, by the
	// server's clock.
	Ctime int64 `json:"ctime,omitempty"`
	Mtime int64 `json:"mtime,omitempty"`
	// Version counts the changes of the data, Cversion those of the list of
	// children.
	Version  int32 `json:"version,omitempty"`
	Cversion int32 `json:"cversion,omitempty"`
	// EphemeralOwner is the session that an ephemeral znode goes with, as Session
	// is spelled; empty for any other.
	EphemeralOwner string `json:"ephemeralOwner,omitempty"`
	// DataLength is in bytes.
	DataLength  int32 `json:"dataLength,omitempty"`
	NumChildren int32 `json:"numChildren,omitempty"`
}

// A Direction is the way a frame travels.
type Direction string

// The two directions, named from the client's side.
const (
	Out Direction = "out"
	In  Direction = "in"
)

// A Participant is what takes part in a run beside the simulated clients.
type Participant string

// The participants.
const (
	Guest   Participant = "guest"
	Console Participant = "console"
)

// A Verdict is the answer of a check so far.
type Verdict string

// The verdicts. Undecided means not enough evidence, which is never a pass.
const (
	Holds     Verdict = "holds"
	Violated  Verdict = "violated"
	Undecided Verdict = "undecided"
)
