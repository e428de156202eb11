package chroot

import (
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// maxFrame is the longest frame that a server takes by default, not
// counting the length in front; see jute.maxbuffer. A longer one ends the connection.
const maxFrame = 0xfffff

// Limits are what one client may use. A field that is 0 limits nothing. What is
// beyond a limit is refused, with QuotaExceeded if not said otherwise.
type Limits struct {
	// Connections is how many may be open at once on one listener. One more is
	// closed.
	Connections int
	// Requests is how many operations a connection may request in a second, and at
	// once; a multi is as many as it has parts. Beyond, each waits for its turn: many
	// clients do not know the error ThrottledOp. Pings are not counted.
	Requests int
	// Watches is how many a connection may have. What other connections of the
	// session had is not counted: the server has forgotten it.
	Watches int
	// Bytes is how long a request may be. With Znodes it bounds what the subtree
	// holds.
	Bytes int
	// Znodes is how many the subtree may have, by whomever made. It takes
	// CountZnodes.
	Znodes int
	// Path is how long a path may be, and Parts how many parts a multi or a setWatches
	// may have.
	Path, Parts int
	// OpenACLs refuses, with InvalidACL, what would keep others from reading a znode and
	// deleting what is below it: for a playground that is not the superuser.
	OpenACLs bool
	// CountZnodes says how many the subtree has. It is called for each create and
	// must not block. It may lag: what this connection is about to create is added to
	// it.
	CountZnodes func() int
}

// A Refusal is a request that did not reach the server, or a connection without any.
type Refusal struct {
	Op   string // as in the log; see package wire
	Path string // the client's
	Code wire.Code
	Why  string // for humans
}

// A budget is what a connection has of its limits.
type budget struct {
	limits   Limits
	requests *rate.Limiter
	now      func() time.Time

	wait     time.Duration // what was taken last is to wait for so long
	watches  watches
	watching int // watches that requests under way may leave
	creating int // znodes that requests under way may create
}

func newBudget(limits Limits, now func() time.Time) *budget {
	b := &budget{limits: limits, now: now, watches: make(watches), requests: rate.NewLimiter(rate.Inf, 0)}
	if limits.Requests > 0 {
		b.requests = rate.NewLimiter(rate.Limit(limits.Requests), limits.Requests)
	}
	return b
}

// A cost is what a request under way is counted for.
type cost struct{ watches, znodes int }

// afford takes what a request costs, or says by which code and why it is refused.
func (b *budget) afford(f *wire.Frame, bytes int) (c cost, code wire.Code, why string) {
	if f.Op == event.OpPing || f.Op == event.OpCloseSession {
		return c, wire.OK, ""
	}
	b.wait = b.reserve(max(len(multiParts(f)), 1))
	c = cost{watches: b.watches.missing(asked(f)), znodes: creates(f)}
	switch {
	case f.Op != event.OpSetWatches && over(b.limits.Bytes, bytes):
		why = fmt.Sprintf("a request of %d bytes, the limit is %d", bytes, b.limits.Bytes)
	case over(b.limits.Parts, len(f.Ops)):
		why = fmt.Sprintf("a request of %d parts, the limit is %d", len(f.Ops), b.limits.Parts)
	case over(b.limits.Path, longestPath(f)):
		why = fmt.Sprintf("a path of %d bytes, the limit is %d", longestPath(f), b.limits.Path)
	case b.limits.OpenACLs && f.ClosedACL:
		return cost{}, wire.InvalidACL, "an ACL that keeps others from deleting: this ZooKeeper is not the playground's, which could not clean up"
	case c.watches > 0 && over(b.limits.Watches, len(b.watches)+b.watching+c.watches):
		why = fmt.Sprintf("more than %d watches", b.limits.Watches)
	case c.znodes > 0 && b.limits.Znodes > 0 && over(b.limits.Znodes, b.limits.CountZnodes()+b.creating+c.znodes):
		why = fmt.Sprintf("more than %d znodes", b.limits.Znodes)
	default:
		b.watching += c.watches
		b.creating += c.znodes
		return c, wire.OK, ""
	}
	return cost{}, wire.QuotaExceeded, why
}

// reserve takes the next turn of so many operations, and says how long it is until then.
func (b *budget) reserve(operations int) time.Duration {
	if b.limits.Requests == 0 {
		return 0
	}
	now := b.now()
	return b.requests.ReserveN(now, min(operations, b.limits.Requests)).DelayFrom(now)
}

func longestPath(f *wire.Frame) int {
	longest := len(f.Path)
	for _, part := range f.Ops {
		longest = max(longest, len(part.Path))
	}
	return longest
}

func over(limit, n int) bool { return limit > 0 && n > limit }

// settle records how a request ended.
func (b *budget) settle(reply *wire.Frame, c cost) {
	b.watching -= c.watches
	b.creating -= c.znodes
	request := reply.Request
	switch {
	case reply.Watch, request.Op == event.OpSetWatches && reply.Code == wire.OK:
		b.watches.addAll(asked(request))
	case request.Op == event.OpRemoveWatches && reply.Code == wire.OK:
		b.watches.remove(request.Path, request.Mode)
	}
}

// creates counts the znodes that a request may create.
func creates(f *wire.Frame) (n int) {
	if f.Op == event.OpCreate {
		return 1
	}
	for _, part := range multiParts(f) {
		if part.Op == event.OpCreate {
			n++
		}
	}
	return n
}
