package event

import "strconv"

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
