package chaos

import (
	"math/rand/v2"
	"time"
)

// A FaultKind names what is done to a client, or to the server.
type FaultKind string

// The faults. Those of a client act on its link, see package link.
const (
	// Cut: the connection breaks.
	Cut FaultKind = "cut"
	// Delay: every frame takes longer, for a while.
	Delay FaultKind = "delay"
	// Partition: nothing gets through, for a while.
	Partition FaultKind = "partition"
	// Mute: nothing gets through to the server, for a while.
	Mute FaultKind = "mute"
	// Deaf: nothing gets through to the client, for a while.
	Deaf FaultKind = "deaf"
	// Pause: nothing gets through, and the client's own code stands still.
	Pause FaultKind = "pause"
	// LostReply: the server does what it is asked to, and the connection
	// breaks before it can say so.
	LostReply FaultKind = "lost reply"
	// Expire: the server ends the session behind the client's back.
	Expire FaultKind = "expire"
	// Restart: the server's process is killed, and started again.
	Restart FaultKind = "restart"
	// Stop: a process that holds a lock is stopped by a signal for longer than
	// its session lasts. It is not part of a plan.
	Stop FaultKind = "stop"
)

// A Fault is what was done, to whom and when.
type Fault struct {
	Kind   FaultKind
	Client int // 0 is the server
	Span
	// Length is how long it was to last, and Slow how much a frame was delayed.
	Length, Slow time.Duration
	// Op is the operation whose reply was to be lost.
	Op string
	// Aimed says that the victim was to be one who holds a lock.
	Aimed bool
}

// deck has each fault as often as it is to come up in a hundred.
var deck = []struct {
	kind  FaultKind
	count int
}{
	{Cut, 26}, {Delay, 16}, {Partition, 10}, {Mute, 5}, {Deaf, 5},
	{Pause, 8}, {LostReply, 21}, {Expire, 8}, {Restart, 1},
}

// losable are the operations that change something. An acquisition creates its
// znode by a create or by a multi.
var losable = []string{"create", "multi", "delete"}

// A plan deals faults, the same for the same seed.
type plan struct {
	random  *rand.Rand
	clients int
	hand    []FaultKind
}

// newPlan begins with one fault of each kind, so that a short round has all.
func newPlan(seed uint64, clients int) *plan {
	p := &plan{random: rand.New(rand.NewPCG(seed, 1)), clients: clients}
	for _, card := range deck {
		p.hand = append(p.hand, card.kind)
	}
	p.shuffle()
	return p
}

func (p *plan) shuffle() {
	p.random.Shuffle(len(p.hand), func(i, j int) { p.hand[i], p.hand[j] = p.hand[j], p.hand[i] })
}

func (p *plan) deal() {
	for _, card := range deck {
		for range card.count {
			p.hand = append(p.hand, card.kind)
		}
	}
	p.shuffle()
}

// next returns the next fault, and how long to wait before it.
func (p *plan) next() (Fault, time.Duration) {
	if len(p.hand) == 0 {
		p.deal()
	}
	f := Fault{Kind: p.hand[0], Client: 1 + p.random.IntN(p.clients)}
	p.hand = p.hand[1:]
	f.Aimed = p.random.IntN(4) > 0
	f.Length = p.between(50*time.Millisecond, 3*time.Second)
	f.Slow = p.between(time.Millisecond, 150*time.Millisecond)
	switch f.Kind {
	case Restart:
		f.Client = 0
	case LostReply:
		f.Aimed = false // a holder's create is over
		f.Op = losable[p.random.IntN(len(losable))]
	}
	return f, p.between(50*time.Millisecond, 550*time.Millisecond)
}

// between draws a time.
func (p *plan) between(low, high time.Duration) time.Duration {
	return low + time.Duration(p.random.Int64N(int64(high-low)))
}
