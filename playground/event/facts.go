package event

import (
	"strconv"
)

// A Cost is what the releases of one lock directory have cost since the run began, until
// the clients are told to stop.
type Cost struct {
	// Wakeups are the notifications that woke a waiting client, Wasted those of them after
	// which it waited again or gave up.
	Wakeups int64 `json:"wakeups,omitempty"`
	Wasted  int64 `json:"wasted,omitempty"`
	// Joining are the wake-ups that were caused by a client that joined the queue, and
	// Unexplained those of which the log does not tell the cause.
	Joining     int64 `json:"joining,omitempty"`
	Unexplained int64 `json:"unexplained,omitempty"`
	// Rounds counts the complete rounds, RoundWakeups and RoundWasted the wake-ups in them.
	Rounds       int64 `json:"rounds,omitempty"`
	RoundWakeups int64 `json:"roundWakeups,omitempty"`
	RoundWasted  int64 `json:"roundWasted,omitempty"`
	// Round is the one whose figures have changed, or nil.
	Round *Round `json:"round,omitempty"`
}

// A Round is a change that freed the lock, with all clients that it woke.
type Round struct {
	// Change numbers the changes of the lock directory from 1.
	Change int64 `json:"change"`
	// At is when the log told the change, in microseconds since the run began.
	At int64 `json:"at"`
	// Cause is "release", "end" (of the holder's session) or "removed" (from outside).
	Cause string `json:"cause"`
	// Client has released, or made the znode that went; 0 when that is not known.
	Client int `json:"client,omitempty"`
	// Woken clients have acquired, or were woken for nothing (they wait again, or gave
	// up), or neither yet, or are gone.
	Woken    int64 `json:"woken,omitempty"`
	Acquired int64 `json:"acquired,omitempty"`
	Wasted   int64 `json:"wasted,omitempty"`
	// Joined counts the wake-ups since this round, and before the next one, that were
	// caused by clients that joined the queue.
	Joined int64 `json:"joined,omitempty"`
	// Complete says that each client that it woke has acquired, waits again or is gone.
	Complete bool `json:"complete,omitempty"`
}

func appendCost(b []byte, c *Cost) []byte {
	if c == nil {
		return b
	}
	start := len(b) + len(`,"cost":`)
	b = append(b, `,"cost":`...)
	b = appendNumber(b, `,"wakeups":`, c.Wakeups)
	b = appendNumber(b, `,"wasted":`, c.Wasted)
	b = appendNumber(b, `,"joining":`, c.Joining)
	b = appendNumber(b, `,"unexplained":`, c.Unexplained)
	b = appendNumber(b, `,"rounds":`, c.Rounds)
	b = appendNumber(b, `,"roundWakeups":`, c.RoundWakeups)
	b = appendNumber(b, `,"roundWasted":`, c.RoundWasted)
	b = appendRound(b, c.Round)
	return closeObject(b, start)
}

func appendRound(b []byte, r *Round) []byte {
	if r == nil {
		return b
	}
	b = strconv.AppendInt(append(b, `,"round":{"change":`...), r.Change, 10)
	b = strconv.AppendInt(append(b, `,"at":`...), r.At, 10)
	b = appendString(append(b, `,"cause":`...), r.Cause)
	b = appendNumber(b, `,"client":`, int64(r.Client))
	b = appendNumber(b, `,"woken":`, r.Woken)
	b = appendNumber(b, `,"acquired":`, r.Acquired)
	b = appendNumber(b, `,"wasted":`, r.Wasted)
	b = appendNumber(b, `,"joined":`, r.Joined)
	return append(appendTrue(b, `,"complete":true`, r.Complete), '}')
}

// An Account is what the account that a lane's lock protects has come to.
type Account struct {
	// Amount is what is in it, Should what would be if no deposit were lost.
	Amount int64 `json:"amount"`
	Should int64 `json:"should"`
	// Losers are the clients whose deposits are lost, in ascending order.
	Losers []int `json:"losers,omitempty"`
	// Accepted and Refused count the writes.
	Accepted int64 `json:"accepted,omitempty"`
	Refused  int64 `json:"refused,omitempty"`
	// UnderWay are the writes that the network holds up, in the order in which they were sent.
	UnderWay []Write `json:"underWay,omitempty"`
	// Write is the write with which it has changed; nil if a read has shown so, or a write is under way.
	Write *Write `json:"write,omitempty"`
}

// A Write is one to an account.
type Write struct {
	Client int   `json:"client"`
	Token  int64 `json:"token,omitempty"`
	// Read is the balance that the writer had read, 0 if it was refused to read; Balance is what
	// it wrote, or of a refused write what it had read; Over is the balance before the write.
	Read    int64 `json:"read,omitempty"`
	Balance int64 `json:"balance,omitempty"`
	Over    int64 `json:"over,omitempty"`
	// Accepted says that the account took it. Then OverClient may say whose write it has
	// overwritten: that was based on the same balance, and OverEvent tells it.
	Accepted   bool  `json:"accepted,omitempty"`
	OverClient int   `json:"overClient,omitempty"`
	OverEvent  int64 `json:"overEvent,omitempty"`
	// Event tells the write.
	Event int64 `json:"event"`
}

// A Queue is what has come of the queue of one lock directory.
type Queue struct {
	// HandedOver is how long the lock was free, in microseconds: from the release after which
	// somebody else could hold to the acquisition now, by a client that was waiting. 0 if it
	// is something else that has changed.
	HandedOver int64 `json:"handedOver,omitempty"`
	// Together is the most clients that have believed at once that they hold.
	Together int `json:"together,omitempty"`
	// StoodStill is the longest time that is over for which nobody held though clients waited,
	// in microseconds.
	StoodStill int64 `json:"stoodStill,omitempty"`
}

// A Watched is a watch of a client, as the server has it.
type Watched struct {
	// ID numbers the watches of a lane from 1; 0 on watch.caused, which may be about several.
	ID int64 `json:"id,omitempty"`
	// On is what it is on: "data", which the creation and deletion of the znode are of, too, or
	// "children"; those that stay when they fire are "persistent", or "recursive" with all that
	// is below the znode.
	On string `json:"on,omitempty"`
	// Absent says that there was no such znode when it was set.
	Absent bool `json:"absent,omitempty"`
	// Request is, on watch.set, the number of the event by which it was requested.
	Request int64 `json:"request,omitempty"`
	// Arrived says that the client has learnt at once what happened; else watch.arrived tells it.
	Arrived bool `json:"arrived,omitempty"`
	// Change is the number of the event that tells the change by which it has fired, 0 while that
	// is not known.
	Change int64 `json:"change,omitempty"`
	// Fired are, on watch.caused, the watches that have fired by Change.
	Fired []int64 `json:"fired,omitempty"`
	// End is, on watch.gone, "removed" by the client, or what the watch went with: "connection",
	// "session", "crash" of the client's process, or "left", the guest whose it was.
	End string `json:"end,omitempty"`
}

func appendWatched(b []byte, w *Watched) []byte {
	if w == nil {
		return b
	}
	start := len(b) + len(`,"watched":`)
	b = append(b, `,"watched":`...)
	b = appendNumber(b, `,"id":`, w.ID)
	b = appendText(b, `,"on":`, w.On)
	b = appendTrue(b, `,"absent":true`, w.Absent)
	b = appendNumber(b, `,"request":`, w.Request)
	b = appendTrue(b, `,"arrived":true`, w.Arrived)
	b = appendNumber(b, `,"change":`, w.Change)
	b = appendIDs(b, w.Fired)
	b = appendText(b, `,"end":`, w.End)
	return closeObject(b, start)
}

func appendIDs(b []byte, ids []int64) []byte {
	for i, id := range ids {
		if i == 0 {
			b = append(b, `,"fired":[`...)
		} else {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, id, 10)
	}
	if len(ids) > 0 {
		b = append(b, ']')
	}
	return b
}
