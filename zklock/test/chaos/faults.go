package chaos

import (
	"context"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A FaultKind names what is done to a client, or to servers.
type FaultKind string

// The kinds of faults. Those of a client act on its link, see package link.
const (
	// Cut: the connection breaks.
	Cut FaultKind = "cut"
	// Slow: every frame takes longer, for a while.
	Slow FaultKind = "slow"
	// Partition: nothing passes, for a while. It arrives later.
	Partition FaultKind = "partition"
	// PartitionOut: nothing passes to the server, for a while.
	PartitionOut FaultKind = "partition-out"
	// PartitionIn: nothing passes to the client, for a while.
	PartitionIn FaultKind = "partition-in"
	// Pause: nothing passes, and the client's own code stands still.
	Pause FaultKind = "pause"
	// LoseReply: the server does what it is asked to, and the connection
	// breaks before it can say so.
	LoseReply FaultKind = "lose-reply"
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
	Client int // 0 are the servers
	Span
	// Length is how long it was to last, and Delay how much a frame was delayed.
	Length, Delay time.Duration
	// Op is the operation whose reply was to be lost.
	Op string
	// OnHolder says that it was to be done to a client who holds a lock.
	OnHolder bool
}

// A ServerFault is what a plan does to the servers.
type ServerFault struct {
	Kind FaultKind
	// Count is how often it comes up beside 99 faults of clients.
	Count int
	// Inject does it, and undoes it after about that time, or when ctx ends. When ctx has
	// ended before it was done, it returns the error of ctx.
	Inject func(ctx context.Context, length time.Duration) error
}

// faultKinds are the faults of clients that a plan draws from: how often each comes
// up in 99, and how it is done.
var faultKinds = []struct {
	name   FaultKind
	count  int
	inject func(*client, context.Context, *Fault)
}{
	{Cut, 26, (*client).cut},
	{Slow, 16, (*client).slow},
	{Partition, 10, (*client).partition},
	{PartitionOut, 5, (*client).partitionOut},
	{PartitionIn, 5, (*client).partitionIn},
	{Pause, 8, (*client).pause},
	{LoseReply, 21, (*client).loseReply},
	{Expire, 8, (*client).expire},
}

func (c *client) cut(context.Context, *Fault) { c.link.Cut() }

func (c *client) slow(ctx context.Context, f *Fault) {
	c.link.SetDelay(f.Delay, f.Delay)
	defer c.link.ClearDelay()
	pause(ctx, f.Length)
}

func (c *client) partition(ctx context.Context, f *Fault)    { c.hold(ctx, f.Length) }
func (c *client) partitionOut(ctx context.Context, f *Fault) { c.hold(ctx, f.Length, event.Out) }
func (c *client) partitionIn(ctx context.Context, f *Fault)  { c.hold(ctx, f.Length, event.In) }

// hold keeps the frames of the given directions back, both if none is given.
func (c *client) hold(ctx context.Context, length time.Duration, directions ...event.Direction) {
	c.link.Block("fault", directions...)
	defer c.link.Unblock("fault", directions...)
	pause(ctx, length)
}

func (c *client) pause(ctx context.Context, f *Fault) {
	c.gate.close()
	defer c.gate.open()
	c.hold(ctx, f.Length)
}

const (
	// requestTimeout is how long a lost reply waits for a request to lose the reply to.
	requestTimeout = 2 * time.Second
	// expireTimeout bounds the forced end of a session.
	expireTimeout = 2 * time.Second
)

// loseReply breaks the connection when the server has done what the fault names. A client
// that does not ask for that in time loses its connection all the same.
func (c *client) loseReply(ctx context.Context, f *Fault) {
	loss := c.loseNext(f.Op)
	defer loss.Cancel()
	if !waitFor(ctx, loss.Done()) {
		f.Kind = Cut
		c.cut(ctx, f)
	}
}

// loseNext has the link lose the next reply to an operation, and its connection.
func (c *client) loseNext(op string) *link.Loss {
	return c.link.LoseReply(func(reply *wire.Frame) bool { return reply.Op == op })
}

// waitFor is wait for no longer than a lost reply waits for its request.
func waitFor(ctx context.Context, c <-chan struct{}) bool {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return wait(ctx, c)
}

// expire has the server end the session. Meanwhile the link is held, or the
// client would take the session back. It fails when the session has ended
// already, or the server is away: then another fault has done its work.
func (c *client) expire(ctx context.Context, _ *Fault) {
	c.link.Block("fault")
	defer c.link.Unblock("fault")
	session, password, _ := c.tap.Session()
	if session == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), expireTimeout)
	defer cancel()
	for _, server := range c.servers {
		if wire.Expire(ctx, server, session, password) == nil {
			return
		}
	}
}
