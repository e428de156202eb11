package client

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store/resp"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// loseReply has the client's link lose the next reply to a create or a delete, and
// is over with that.
var (
	nextReplyLost = event.NewCode("next-reply-lost", "the next reply to a {request} is lost with its connection: the server will have done it")
	replyLost     = event.NewCode("reply-lost", "the reply to a {request} was lost; the client does not know what became of it")
)

func loseReply(p *Participant, f scenario.Fault) effect {
	request := "" // whose reply was lost; to be read once it was
	loss := p.link.LoseReply(func(reply *wire.Frame) bool {
		if reply.Code != 0 || reply.Err != "" {
			return false // it was not done
		}
		request = asked(reply.Request, f.Op)
		return request != ""
	})
	awaited := f.Op
	if awaited == "" {
		awaited = "create or delete"
	}
	return effect{
		why:   nextReplyLost.With(awaited),
		undo:  loss.Cancel,
		over:  loss.Done(),
		ended: func() *event.Reason { return replyLost.With(request) },
	}
}

// asked returns what a request creates or deletes, by itself or in a multi, if
// that is op; empty if it does not. An empty op is either.
func asked(request *wire.Frame, op string) string {
	changes := []string{"create", "delete"}
	if op != "" {
		changes = []string{op}
	}
	if slices.Contains(changes, request.Op) || slices.Contains(changes, resp.Changes(request.Op)) {
		return request.Op
	}
	i := slices.IndexFunc(request.Ops, func(sub event.SubOp) bool { return slices.Contains(changes, sub.Op) })
	if request.Op != "multi" || i < 0 {
		return ""
	}
	return request.Ops[i].Op
}
