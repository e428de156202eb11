package event

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
	// Write is the write with which it has changed; nil if it was a read that has shown so.
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
