package client

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
)

// TestDerived reads a client's frames, and what they stand for: how it came into the
// queue, what it waits for, and what woke it.
func TestDerived(t *testing.T) {
	const dir, node, ahead, next = "/lock", "/lock/_c_guid-lock-0000000002", "/lock/_c_other-lock-0000000001", "/lock/_c_guid-lock-0000000003"
	received := func(e event.Event) event.Event { e.Kind = event.WireReceived; return e }
	none := event.Event{}
	steps := []struct {
		name  string
		frame event.Event
		want  event.Event
	}{
		{"a read before it has a znode", received(event.Event{Op: "getData", Path: ahead, Watch: true}), none},
		{"a create that is only sent", event.Event{Kind: event.WireSent, Op: "create", Path: dir + "/x"}, none},
		{"a create that is refused", received(event.Event{Op: "create", Path: node, Err: "NoNode"}), none},
		{"the directory", received(event.Event{Op: "create", Path: dir}), none},
		{"its znode", received(event.Event{Op: "create", Path: node, Zxid: 7}),
			event.Event{Kind: event.LockEnqueued, Path: node, Token: 7, Derived: true}},
		{"a read without a watch", received(event.Event{Op: "getData", Path: ahead}), none},
		{"a read of what is gone", received(event.Event{Op: "getData", Path: ahead, Watch: true, Err: "NoNode"}), none},
		{"a read with a watch", received(event.Event{Op: "getData", Path: ahead, Watch: true}),
			event.Event{Kind: event.LockWaiting, Path: node, Predecessor: ahead, Derived: true}},
		{"a notification of something else", received(event.Event{Op: "notification", Path: node, Type: "NodeDeleted"}), none},
		{"the notification", received(event.Event{Op: "notification", Path: ahead, Type: "NodeDeleted"}),
			event.Event{Kind: event.LockWoken, Path: node, Predecessor: ahead, Type: "NodeDeleted", Derived: true}},
		{"the same once more", received(event.Event{Op: "notification", Path: ahead, Type: "NodeDeleted"}), none},
		{"its next znode, in a multi", received(event.Event{Op: "multi", Zxid: 8, Ops: []event.SubOp{{Op: "check", Path: dir}, {Op: "create", Path: next}}}),
			event.Event{Kind: event.LockEnqueued, Path: next, Token: 8, Derived: true}},
		{"the delete of that, in a multi", received(event.Event{Op: "multi", Ops: []event.SubOp{{Op: "check", Path: next}, {Op: "delete", Path: next}}}), none},
		{"a read after that", received(event.Event{Op: "getData", Path: ahead, Watch: true}), none},
	}
	d := &derived{dir: dir}
	for _, step := range steps {
		got, ok := d.from(step.frame)
		if diff := cmp.Diff(step.want, got); diff != "" || ok != (step.want.Kind != "") {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}
