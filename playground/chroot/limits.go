package chroot

import (
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// maxFrame is the longest frame that a server takes unless told otherwise, not
// counting the length in front; see jute.maxbuffer. A longer one ends the connection.
const maxFrame = 0xfffff

// Limits are what one client may use. A field that is 0 limits nothing. What is
// beyond a limit is refused, with QuotaExceeded if not said otherwise.
type Limits struct {
	// Connections is how many may be open at once on one listener. One more is
	// closed.
	Connections int
	// Requests is how many operations a connection may ask for in a second, and at
	// once; a multi is as many as it has parts. Beyond, the error is ThrottledOp.
	// Pings are not counted.
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
	if f.Op == opPing || f.Op == opCloseSession {
		return c, wire.OK, ""
	}
	c = cost{watches: b.watches.missing(asked(f)), znodes: creates(f)}
	switch {
	case !b.requests.AllowN(b.now(), max(len(multiParts(f)), 1)):
		return cost{}, wire.ThrottledOp, fmt.Sprintf("more than %d operations a second", b.limits.Requests)
	case f.Op != opSetWatches && over(b.limits.Bytes, bytes):
		why = fmt.Sprintf("a request of %d bytes, the limit is %d", bytes, b.limits.Bytes)
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

func over(limit, n int) bool { return limit > 0 && n > limit }

// settle takes note of how a request ended.
func (b *budget) settle(reply *wire.Frame, c cost) {
	b.watching -= c.watches
	b.creating -= c.znodes
	request := reply.Request
	switch {
	case reply.Watch, request.Op == opSetWatches && reply.Code == wire.OK:
		b.watches.addAll(asked(request))
	case request.Op == opRemoveWatches && reply.Code == wire.OK:
		b.watches.remove(request.Path, request.Mode)
	}
}

// creates counts the znodes that a request may create.
func creates(f *wire.Frame) (n int) {
	if f.Op == opCreate {
		return 1
	}
	for _, part := range multiParts(f) {
		if part.Op == opCreate {
			n++
		}
	}
	return n
}
