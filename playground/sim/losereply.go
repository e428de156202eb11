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
	var trap *link.Trap
	disarmed := make(chan struct{})
	return c.afflict(f, "the next reply to a "+losable(f.Op)+" is lost with its connection: the server will have done it",
		func(begun *affliction) {
			if before := c.afflictions.lasting[LoseReply]; before != nil {
				before.heal() // one trap at a time
			}
			var caught string
			trap = c.link.LoseReply(func(request *wire.Frame) bool {
				caught = asked(request, f.Op)
				return caught != ""
			})
			c.trapping.Go(func() {
				select {
				case <-trap.Sprung():
					c.healOnly(LoseReply, begun, "the reply to a "+caught+" was lost; the client does not know what became of it")
				case <-disarmed:
				}
			})
		},
		func() { trap.Disarm(); close(disarmed) })
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
