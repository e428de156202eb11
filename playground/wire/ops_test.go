package wire_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// ZooKeeper's numbers of the operations, from its own list.
const (
	create, remove, exists, getData, setData, getACL, setACL, getChildren, sync = 1, 2, 3, 4, 5, 6, 7, 8, 9
	ping, getChildren2, check, multi, create2, reconfig, checkWatches           = 11, 12, 13, 14, 15, 16, 17
	removeWatches, createContainer, createTTL, multiRead                        = 18, 19, 21, 22
	addAuth, setWatches, getEphemerals, getAllChildrenNumber                    = 100, 101, 103, 104
	setWatches2, addWatch, whoAmI, closeSession                                 = 105, 106, 107, -11
)

// An exchange is a request and what is to be seen of it and of its reply. In
// paths, ~ stands for the test's root.
type exchange struct {
	op      int
	body    []any
	request seen
	reply   seen
}

// seen is what of a frame does not change from run to run.
type seen struct {
	Op, Path, Flags string
	Watch           bool
	Err             string
	Children        int
	Stat            bool
	Ops             []event.SubOp
}

func look(f *wire.Frame) seen {
	return seen{f.Op, f.Path, f.Flags, f.Watch, f.Code.String(), f.Children, f.Stat != nil, f.Ops}
}

var endOfMulti = []any{-1, true, -1}

// part is one operation within a multi.
func part(op int, body ...any) []any { return append([]any{op, false, -1}, body...) }

func join(parts ...[]any) []any {
	var all []any
	for _, p := range parts {
		all = append(all, p...)
	}
	return append(all, endOfMulti...)
}

// TestEveryOperation makes a real server answer every operation that the
// decoder knows.
func TestEveryOperation(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	speak := newSpeaker(t, server.Address())
	for _, x := range exchanges() {
		x = x.at(root)
		request, reply := speak.ask(x.op, x.body)
		if diff := cmp.Diff(x.request, look(request)); diff != "" {
			t.Errorf("request of operation %d (-want +got): %s\n%s", x.op, request.Why, diff)
		}
		if diff := cmp.Diff(x.reply, look(reply)); diff != "" {
			t.Errorf("reply to operation %d (-want +got): %s\n%s", x.op, reply.Why, diff)
		}
		if reply.Request != request {
			t.Errorf("the reply to operation %d is not joined with its request", x.op)
		}
	}
	speak.checkNotifications(root)
	speak.save()
}

// at puts the test's root in the place of every ~.
func (x exchange) at(root string) exchange {
	x.body = replace(x.body, root)
	x.request, x.reply = x.request.at(root), x.reply.at(root)
	return x
}

func replace(values []any, root string) []any {
	moved := make([]any, len(values))
	for i, value := range values {
		switch v := value.(type) {
		case string:
			moved[i] = strings.Replace(v, "~", root, 1)
		case []string:
			moved[i] = []string{strings.Replace(v[0], "~", root, 1)}
		default:
			moved[i] = value
		}
	}
	return moved
}

func (s seen) at(root string) seen {
	s.Path = strings.Replace(s.Path, "~", root, 1)
	ops := make([]event.SubOp, len(s.Ops))
	for i, op := range s.Ops {
		op.Path = strings.Replace(op.Path, "~", root, 1)
		ops[i] = op
	}
	if s.Ops != nil {
		s.Ops = ops
	}
	return s
}
