package sim

import (
	"context"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// loseReply lays a trap on the client's link. It lasts until it has caught a
// reply, and is over with that.
func loseReply(_ context.Context, _ *Run, c *client, f Fault) error {
	t := &trap{disarmed: make(chan struct{})}
	return c.afflict(f, "the next reply to a "+losable(f.Op)+" is lost with its connection: the server will have done it",
		func(begun *affliction) {
			c.supersede(LoseReply) // one trap at a time
			begun.ended = t.sprung
			t.lay(c.link, f.Op)
			c.trapping.Go(func() { t.await(c, begun) })
		}, t.disarm)
}

// A trap is laid for one reply.
type trap struct {
	on       *link.Trap
	caught   string // what was asked for; to be read once on has sprung
	disarmed chan struct{}
}

func (t *trap) lay(l *link.Link, op string) {
	t.on = l.LoseReply(func(request *wire.Frame) bool {
		t.caught = asked(request, op)
		return t.caught != ""
	})
}

// await ends begun when the trap springs.
func (t *trap) await(c *client, begun *affliction) {
	select {
	case <-t.on.Sprung():
		c.healOnly(LoseReply, begun, t.sprung())
	case <-t.disarmed:
	}
}

func (t *trap) disarm() { t.on.Disarm(); close(t.disarmed) }

// sprung says what the trap has caught, or is empty.
func (t *trap) sprung() string {
	select {
	case <-t.on.Sprung():
		return "the reply to a " + t.caught + " was lost; the client does not know what became of it"
	default:
		return ""
	}
}

func losable(op string) string {
	if op == "" {
		return "create or delete"
	}
	return op
}

// asked returns what a request creates or deletes, by itself or in a multi, if
// that is op; empty if it does not. An empty op is either.
func asked(request *wire.Frame, op string) string {
	changes := []string{"create", "delete"}
	if op != "" {
		changes = []string{op}
	}
	if slices.Contains(changes, request.Op) {
		return request.Op
	}
	i := slices.IndexFunc(request.Ops, func(sub event.SubOp) bool { return slices.Contains(changes, sub.Op) })
	if request.Op != "multi" || i < 0 {
		return ""
	}
	return request.Ops[i].Op
}
