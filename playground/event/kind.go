package event

// A Kind says what an event is about. The part before the dot says who knows
// it: the wire, the session, the lock recipe, the server's tree, the fault
// injector, a protected resource, a client's program, what follows from those, a check, or the playground itself.
type Kind string

// Frames, as the tap and the link see them. A request is sent, perhaps held,
// and delivered; a reply or notification is perhaps held, and received. A
// frame that crosses its link at once is not reported as delivered or held:
// then sent and received tell everything.
const (
	// WireSent: the client wrote a frame into its link.
	WireSent Kind = "wire.sent"
	// WireDelivered: a frame that the link had delayed or held reached the server.
	WireDelivered Kind = "wire.delivered"
	// WireHeld: a frame waits in the link, until Due or until it is let go.
	WireHeld Kind = "wire.held"
	// WireDropped: a frame died with its connection.
	WireDropped Kind = "wire.dropped"
	// WireReceived: the client got a frame from the server.
	WireReceived Kind = "wire.received"
	// WireUndecoded: a frame that the decoder could not read. Why says more.
	WireUndecoded Kind = "wire.undecoded"
)

// Sessions. Granted is the server's word, the others are the client's belief.
const (
	// SessionGranted: the server accepted a new session with Timeout.
	SessionGranted Kind = "session.granted"
	// SessionResumed: the server accepted a session again on a new connection.
	SessionResumed Kind = "session.resumed"
	// SessionRefused: the server says that the session has expired.
	SessionRefused Kind = "session.refused"
	// SessionConnected: the client believes that it is connected.
	SessionConnected Kind = "session.connected"
	// SessionSuspended: the client has lost its connection, not yet its session.
	SessionSuspended Kind = "session.suspended"
	// SessionLost: the client believes that its session is over.
	SessionLost Kind = "session.lost"
	// SessionClosed: the client closed its session by itself.
	SessionClosed Kind = "session.closed"
)

// Locks, as the recipe tells it: the client's belief.
const (
	// LockEnqueued: the client's znode, Path, is in the queue.
	LockEnqueued Kind = "lock.enqueued"
	// LockWaiting: the client waits and watches Predecessor.
	LockWaiting Kind = "lock.waiting"
	// LockWoken: the watch of a waiting client has fired.
	LockWoken Kind = "lock.woken"
	// LockAcquired: the client believes that it holds the lock.
	LockAcquired Kind = "lock.acquired"
	// LockReleased: the client has let go; the delete of its znode follows.
	LockReleased Kind = "lock.released"
	// LockLost: the client knows that it no longer holds.
	LockLost Kind = "lock.lost"
	// LockAsked: somebody asks the client to give up the lock that it holds.
	LockAsked Kind = "lock.asked"
	// LockGaveUp: the client stopped waiting. Why says for what reason.
	LockGaveUp Kind = "lock.gave-up"
	// LockLocalQueued: a thread stands in the queue of its own process, whose first
	// thread is the one that has, or is to take, the lock in ZooKeeper.
	LockLocalQueued Kind = "lock.local-queued"
	// LockLocalLeft: that thread leaves that queue, and the next one may go.
	LockLocalLeft Kind = "lock.local-left"
)

// The tree under the lane's root, as the server tells the observer: the znodes in its
// lock directories, and what guests make elsewhere. Those that the run makes for itself,
// lock directories and accounts, are not told.
const (
	TreeCreated Kind = "tree.created"
	TreeDeleted Kind = "tree.deleted"
	TreeChanged Kind = "tree.changed"
	// TreeSynced: every change that the server had made by Sent is in the log.
	// Zxid is the newest transaction that it had when it answered.
	TreeSynced Kind = "tree.synced"
	// TreeLost: the observer lost its connection; TreeSynced ends the gap.
	TreeLost Kind = "tree.lost"
)

// Faults. When they are told, beside what they bring about:
//   - a fault of a link that lasts is told once it holds, and its end is told
//     before it is undone: what stands in between happened under it;
//   - a crash kills the link before it is told, so frames that were dropped by
//     it stand before it;
//   - close, expire, delete and start-again are told before they are done;
//   - a fault of the servers, and its end, is told after it is done: lost
//     connections and what follows may stand before it.
const (
	FaultInjected Kind = "fault.injected"
	FaultHealed   Kind = "fault.healed"
)

// Armed faults, which wait for Client, or the first client of Lane if that is 0,
// to come to When. One of the last two follows, with the same Lane, Client and
// Fault.
const (
	FaultArmed Kind = "fault.armed"
	// FaultTriggered: a client has come to it, and the fault is injected next.
	FaultTriggered Kind = "fault.triggered"
	// FaultDisarmed: it waits no more. Why says for what reason.
	FaultDisarmed Kind = "fault.disarmed"
)

// Reads of and writes to a resource that the lock protects.
const (
	// ResourceRead: a holder has read the resource, which has Balance.
	ResourceRead Kind = "resource.read"
	// ResourceSent: a client has sent its write, and the network holds it up: what becomes of it
	// is told when it arrives, whatever the client does by then.
	ResourceSent Kind = "resource.sent"
	// ResourceAccepted: the resource took the write of a client that had read Read.
	ResourceAccepted Kind = "resource.accepted"
	// ResourceRefused: the resource did not take a write. Why says why not.
	ResourceRefused Kind = "resource.refused"
)

// What the program of a client says, or its end tells: see playground/program. What it says
// of the lock is told by lock.* events.
const (
	// ProgramAt: it is at Line of its source.
	ProgramAt Kind = "program.at"
	// ProgramWrote: Why is a line of its standard error, or what it notes for people.
	ProgramWrote Kind = "program.wrote"
	// ProgramEnded: it has ended though nobody asked for it, or was ended for what it said. Why
	// says which. Fault is the one that it is like, and Effects are what that does to the client.
	ProgramEnded Kind = "program.ended"
	// ProgramTells: a guest's program tells from here on what it believes, by lock.* events.
	ProgramTells Kind = "program.tells"
	// ProgramSilent: it tells so no more, and what it believed last nobody knows.
	ProgramSilent Kind = "program.silent"
)

// What follows from other events, by the rules of playground/state. It stands right after
// the event from which it follows.
const (
	// WatchSet: the server has Watched of Client, on Path. It does from the answer to the
	// request for it on, or, for one that is set again on a new connection, from that request on.
	WatchSet Kind = "watch.set"
	// WatchFired: the server has notified Client, by Type, and so has the watch no more.
	WatchFired Kind = "watch.fired"
	// WatchArrived: what was under way of the watch has reached the client: its notification,
	// with its Type, or the answer to the request for it.
	WatchArrived Kind = "watch.arrived"
	// WatchCaused: it is known now by which change of the tree Watched.Fired have fired, which
	// were watches on Path.
	WatchCaused Kind = "watch.caused"
	// WatchGone: the server has the watch no more, and nobody was notified. Watched.End says why.
	WatchGone Kind = "watch.gone"
	// BeliefFalse: Client believes from here on that it holds by Path, which is gone.
	BeliefFalse Kind = "belief.false"
	// BeliefEnded: it does no more, after Wrong. Without that it was never so: the znode is
	// there, by a name that it had before.
	BeliefEnded Kind = "belief.ended"
	// BeliefConflict: from here on Clients, which exclude each other, all believe that they hold
	// the lock of the directory Path; or no such clients, if there are none.
	BeliefConflict Kind = "belief.conflict"
	// QueueChanged: something has come of the queue of the lock directory Path; Queue has it.
	QueueChanged Kind = "queue.changed"
	// AccountChanged: the lane's account has changed, or has refused a write; Account has it.
	AccountChanged Kind = "account.changed"
	// CostChanged: what the releases of the lock directory Path have cost has changed, or
	// the figures of one of its rounds; Cost has them.
	CostChanged Kind = "cost.changed"
	// StateWhole: all that is so now, in State. It comes after so many events that it adds little
	// to them. A reader that begins here needs no event before it.
	StateWhole Kind = "state.whole"
)

// Checks.
const (
	// CheckChanged: a check has a new verdict.
	CheckChanged Kind = "check.changed"
	// CheckViolation: a check that is violated already is violated anew, by what has
	// just happened; Why says how. A lane has at most one for each acquisition, write
	// to its account and standstill, which all cost more events by themselves.
	CheckViolation Kind = "check.violation"
)

// Notes about the run itself.
const (
	// NoteStarted opens every log.
	NoteStarted Kind = "note.started"
	// NoteStopping: the clients are told to stop; counters end here. Why says for what
	// reason, if nobody asked for it, and so does that of NoteFinished.
	NoteStopping Kind = "note.stopping"
	// NoteDrained: every client has stopped, its session is still open.
	NoteDrained Kind = "note.drained"
	// NoteFinished is the last event but for verdicts that it changes. Err says
	// that not everything could be cleaned up.
	NoteFinished Kind = "note.finished"
	// NoteZooKeeper: the server went away or came back; Why says which.
	NoteZooKeeper Kind = "note.zookeeper"
	// NoteFault: a fault did not happen, or nobody knows whether it has; Why says
	// which, and for what reason.
	NoteFault Kind = "note.fault"
	// NoteStep: step mode begins or ends, or a script has ended; Why says which.
	// Held says whether every frame waits from here on. It is told once all links
	// hold their frames, and before one lets them go: what stands in between was
	// delivered by hand.
	NoteStep Kind = "note.step"
	// NoteDelay: from here on the links carry each frame for Delay each way, as
	// long as no fault makes it longer. It is told once that is so for all links:
	// a frame that was sent just before may already take its new time.
	NoteDelay Kind = "note.delay"
	// NoteInjection: from here on Fault is injected again and again, every Every on
	// average; or no more, without.
	NoteInjection Kind = "note.injection"
	// NoteLimited: the run has reached one of its limits, and from here on is slowed,
	// or ends. Why says which, and what sets the limit. With Client it is that guest alone
	// that is slowed.
	NoteLimited Kind = "note.limited"
	// NoteStalled: the playground's own process, and mostly the whole machine, stood
	// still for For up to about now. Sessions may have ended for that alone.
	NoteStalled Kind = "note.stalled"
	// NoteJoined: a guest takes part in Lane as Client from here on. Participant says
	// what it is, Name what it calls itself if it does, Why where it comes from. What it
	// believes nobody knows before program.tells: of lock.* it has only how it queues and waits, as its frames
	// show that, and its session.connected and session.suspended are what its connection
	// shows.
	NoteJoined Kind = "note.joined"
	// NoteLeft: it takes part no more, and its number is nobody's again. Why says for
	// what reason.
	NoteLeft Kind = "note.left"
	// NoteRefused: a request of a guest was answered with Err and did not reach the
	// server, nor is it told otherwise. Path is where the znode would be; Client is 0
	// for a connection that became no guest. Why says for what reason, and how many
	// more were refused that are not told one by one.
	NoteRefused Kind = "note.refused"
	// NoteTruncated: the log takes no more, so the run stops. With Err it could
	// not be kept, as on a full disk: then this note and the verdicts that it
	// changes are the last events, and what happened later is not told.
	NoteTruncated Kind = "note.truncated"
)

// Follows says that events of this kind are made from others that the log has already, and
// that nothing follows from them.
func (k Kind) Follows() bool {
	switch k {
	case WatchSet, WatchFired, WatchArrived, WatchCaused, WatchGone,
		BeliefFalse, BeliefEnded, BeliefConflict, QueueChanged, AccountChanged, CostChanged, StateWhole, CheckChanged, CheckViolation:
		return true
	default:
		return false
	}
}

// Kinds returns every kind, in the order of this file.
func Kinds() []Kind {
	return []Kind{
		WireSent, WireDelivered, WireHeld, WireDropped, WireReceived, WireUndecoded,
		SessionGranted, SessionResumed, SessionRefused,
		SessionConnected, SessionSuspended, SessionLost, SessionClosed,
		LockEnqueued, LockWaiting, LockWoken, LockAcquired, LockReleased, LockAsked, LockLost, LockGaveUp, LockLocalQueued, LockLocalLeft,
		TreeCreated, TreeDeleted, TreeChanged, TreeSynced, TreeLost,
		FaultInjected, FaultHealed, FaultArmed, FaultTriggered, FaultDisarmed,
		ResourceRead, ResourceSent, ResourceAccepted, ResourceRefused,
		ProgramAt, ProgramWrote, ProgramEnded, ProgramTells, ProgramSilent,
		WatchSet, WatchFired, WatchArrived, WatchCaused, WatchGone,
		BeliefFalse, BeliefEnded, BeliefConflict, QueueChanged, AccountChanged, CostChanged, StateWhole, CheckChanged, CheckViolation,
		NoteStarted, NoteStopping, NoteDrained, NoteFinished, NoteZooKeeper, NoteFault, NoteStep, NoteDelay, NoteInjection, NoteLimited, NoteStalled,
		NoteJoined, NoteLeft, NoteRefused, NoteTruncated,
	}
}
