package observer

import (
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// TestAttribution tells small stories of who sent what when, and asks who made the
// change of the tree that the last event reports.
func TestAttribution(t *testing.T) {
	const asked, made = "/lock/_c_guid-lock-", "/lock/_c_guid-lock-0000000007"
	granted := event.Event{Kind: event.SessionGranted, Lane: "lane", Client: 2, Session: "0xa"}
	create := event.Event{Kind: event.WireSent, Lane: "lane", Client: 2, Op: "create", Path: asked, Flags: "ephemeral+sequential"}
	created := event.Event{Kind: event.TreeCreated, Path: made}
	remove := event.Event{Kind: event.WireSent, Lane: "lane", Client: 2, Op: "delete", Path: made}
	closing := event.Event{Kind: event.WireSent, Lane: "lane", Client: 2, Op: "closeSession"}
	deleted := event.Event{Kind: event.TreeDeleted, Path: made}
	late := func(e event.Event) event.Event { e.Due = 99; return e }
	at := func(kind event.Kind, e event.Event) event.Event { e.Kind, e.Dir = kind, event.Out; return e }
	of := func(client int, e event.Event) event.Event { e.Client = client; return e }
	inMulti := event.Event{Kind: event.WireSent, Lane: "lane", Client: 2, Op: "multi",
		Ops: []event.SubOp{{Op: "create", Path: asked, Flags: "ephemeral+sequential"}, {Op: "setData", Path: "/lock"}}}
	removeInMulti := event.Event{Kind: event.WireSent, Lane: "lane", Client: 2, Op: "multi",
		Ops: []event.SubOp{{Op: "delete", Path: made}, {Op: "delete", Path: "/lock/other"}}}
	tests := []struct {
		name   string
		events []event.Event
		cause  string
		client int
	}{
		{"a client's create", []event.Event{granted, create, created}, "client", 2},
		{"a create in a multi", []event.Event{granted, inMulti, created}, "client", 2},
		{"a create that is under way", []event.Event{granted, late(create), at(event.WireDelivered, create), created}, "client", 2},
		{"one of two creates of the same path", []event.Event{granted, create, of(1, create), created}, "client", 2},
		{"the other of them", []event.Event{granted, of(1, create), create, created, created}, "client", 2},
		{"that of them that the server names", []event.Event{granted, of(1, create), create, {Kind: event.TreeCreated, Path: made, Session: "0xa"}}, "client", 2},
		{"a create beside one that is stuck in its link", []event.Event{granted, of(1, create), create, at(event.WireHeld, of(1, create)), created}, "client", 2},
		{"a create that nobody sent", []event.Event{granted, created}, "outsider", 0},
		{"a client's delete", []event.Event{granted, create, created, remove, deleted}, "client", 2},
		{"an expiry", []event.Event{granted, create, created, deleted}, "expiry", 2},
		{"a close", []event.Event{granted, create, created, closing, deleted}, "close", 2},
		{"a close that is stuck in the link", []event.Event{granted, create, created, closing, at(event.WireHeld, closing), deleted}, "expiry", 2},
		{"a delete that is still under way", []event.Event{granted, create, created, late(remove), deleted}, "expiry", 2},
		{"a delete that arrived", []event.Event{granted, create, created, late(remove), at(event.WireDelivered, remove), deleted}, "client", 2},
		{"a delete that died with its connection", []event.Event{granted, create, created, remove, at(event.WireDropped, remove), deleted}, "expiry", 2},
		{"a delete that was refused", []event.Event{granted, create, created, remove,
			{Kind: event.WireReceived, Lane: "lane", Client: 2, Op: "delete", Path: made, Err: "NoAuth"}, deleted}, "expiry", 2},
		{"a change that the observer missed", []event.Event{granted, create, created,
			{Kind: event.TreeDeleted, Path: made, Cause: "unseen"}}, "unseen", 2},
		{"an operator's delete", []event.Event{granted, create, created,
			{Kind: event.FaultInjected, Fault: "delete", Effects: []event.Effect{event.DeletesNode}, Lane: "lane", Client: 2, Path: made}, deleted}, "outsider", 2},
		{"an operator's delete that failed", []event.Event{granted, create, created,
			{Kind: event.FaultInjected, Fault: "delete", Effects: []event.Effect{event.DeletesNode}, Lane: "lane", Client: 2, Path: made},
			{Kind: event.NoteFault, Fault: "delete", Effects: []event.Effect{event.DeletesNode}, Lane: "lane", Client: 2, Path: made}, deleted}, "expiry", 2},
		{"a delete in a multi", []event.Event{granted, create, created, removeInMulti, deleted}, "client", 2},
		{"a delete in a multi that was refused", []event.Event{granted, create, created, removeInMulti,
			{Kind: event.WireReceived, Lane: "lane", Client: 2, Op: "multi", Ops: removeInMulti.Ops, Err: "NoNode"}, deleted}, "expiry", 2},
		{"a stray znode", []event.Event{granted, deleted}, "outsider", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			attribution := NewAttribution()
			var got event.Event
			for _, e := range test.events {
				got = attribution.Apply(e)
			}
			if got.Cause != test.cause || got.Client != test.client {
				t.Errorf("by %q, client %d; want %q, client %d", got.Cause, got.Client, test.cause, test.client)
			}
			if got.Client != 0 && (got.Session != "0xa" || got.Lane != "lane") {
				t.Errorf("session %q, lane %q", got.Session, got.Lane)
			}
			if got.Kind == event.TreeCreated && got.Client != 0 && got.Flags != create.Flags {
				t.Errorf("flags %q, want %q", got.Flags, create.Flags)
			}
		})
	}
}

// TestZnodeMadeAnew: while the observer asks whose a znode is, that goes, and another
// client makes it again.
func TestZnodeMadeAnew(t *testing.T) {
	const path = "/lock/holder"
	attribution := NewAttribution()
	sent := func(client int, op string) event.Event {
		return event.Event{Kind: event.WireSent, Lane: "lane", Client: client, Op: op, Path: path, Flags: "ephemeral"}
	}
	answer := func(client int, op string, zxid int64) event.Event {
		return event.Event{Kind: event.WireReceived, Lane: "lane", Client: client, Op: op, Path: path, Zxid: zxid}
	}
	tree := func(kind event.Kind, session string) event.Event {
		return event.Event{Kind: kind, Path: path, Session: session}
	}
	var told []event.Event
	for _, e := range []event.Event{
		{Kind: event.SessionGranted, Lane: "lane", Client: 5, Session: "0x5"},
		{Kind: event.SessionGranted, Lane: "lane", Client: 6, Session: "0x6"},
		sent(6, "create"), answer(6, "create", 23), sent(6, "delete"), answer(6, "delete", 36),
		sent(6, "create"), // once more, before the first is told of
		sent(5, "create"), answer(5, "create", 37), sent(5, "delete"), answer(5, "delete", 38),
		sent(5, "create"), sent(5, "delete"),
		tree(event.TreeCreated, "0x5"), // it is asked for only now
		tree(event.TreeDeleted, ""),
		tree(event.TreeCreated, "0x5"),
		tree(event.TreeDeleted, ""),
		tree(event.TreeCreated, "0x5"),
		tree(event.TreeDeleted, ""),
	} {
		if e = attribution.Apply(e); e.Kind == event.TreeCreated || e.Kind == event.TreeDeleted {
			told = append(told, e)
		}
	}
	for i, client := range []int{6, 6, 5, 5, 5, 5} {
		if e := told[i]; e.Client != client || e.Cause != "client" || e.Reason != nil {
			t.Errorf("change %d is by client %d, %s %q, want client %d", i+1, e.Client, e.Cause, e.Reason.English(), client)
		}
	}
}

// TestForgetsWhatWasMissed: an answered create of which the observer does not tell, as it
// was away, is not taken for a later one.
func TestForgetsWhatWasMissed(t *testing.T) {
	const path = "/lock/holder"
	attribution := NewAttribution()
	var got event.Event
	for _, e := range []event.Event{
		{Kind: event.SessionGranted, Lane: "lane", Client: 5, Session: "0x5"},
		{Kind: event.WireSent, Lane: "lane", Client: 6, Op: "create", Path: path},
		{Kind: event.WireReceived, Lane: "lane", Client: 6, Op: "create", Path: path, Zxid: 23},
		{Kind: event.TreeSynced, Zxid: 30},
		{Kind: event.WireSent, Lane: "lane", Client: 5, Op: "create", Path: path},
		{Kind: event.TreeCreated, Path: path, Session: "0x5"},
	} {
		got = attribution.Apply(e)
	}
	if got.Client != 5 {
		t.Errorf("it is said to be client %d's", got.Client)
	}
}

// TestSeveralSessions: a znode is of the session that the server names, if its client has that.
func TestSeveralSessions(t *testing.T) {
	attribution := NewAttribution()
	for _, session := range []string{"0xa", "0xb"} {
		attribution.Apply(event.Event{Kind: event.SessionGranted, Lane: "lane", Client: 2, Session: session})
	}
	attribution.Apply(event.Event{Kind: event.WireSent, Lane: "lane", Client: 2, Op: "create", Path: "/lock/mine", Flags: "ephemeral"})
	if got := attribution.Apply(event.Event{Kind: event.TreeCreated, Path: "/lock/mine", Session: "0xa"}); got.Client != 2 || got.Session != "0xa" {
		t.Errorf("created by client %d, session %q; want client 2 and 0xa", got.Client, got.Session)
	}
}

// TestPersistentZnodeGoesWithNoSession: its maker is known, but the end of the maker's
// session does not remove it.
func TestPersistentZnodeGoesWithNoSession(t *testing.T) {
	attribution := NewAttribution()
	var created, deleted event.Event
	attribution.Apply(event.Event{Kind: event.SessionGranted, Lane: "lane", Client: 2, Session: "0xa"})
	attribution.Apply(event.Event{Kind: event.WireSent, Lane: "lane", Client: 2, Op: "create", Path: "/lock/flag"})
	created = attribution.Apply(event.Event{Kind: event.TreeCreated, Path: "/lock/flag"})
	deleted = attribution.Apply(event.Event{Kind: event.TreeDeleted, Path: "/lock/flag"})
	if created.Client != 2 || created.Cause != "client" || created.Session != "" {
		t.Errorf("created by client %d, %q, session %q; want client 2 and no session", created.Client, created.Cause, created.Session)
	}
	if deleted.Client != 2 || deleted.Cause != "outsider" || deleted.Session != "" {
		t.Errorf("deleted: client %d, %q, session %q; want an outsider's", deleted.Client, deleted.Cause, deleted.Session)
	}
}

// TestDeletionBySomebodyElse: it is told who has deleted another client's znode.
func TestDeletionBySomebodyElse(t *testing.T) {
	attribution := NewAttribution()
	attribution.Apply(event.Event{Kind: event.WireSent, Lane: "lane", Client: 2, Op: "create", Path: "/lock/flag"})
	attribution.Apply(event.Event{Kind: event.TreeCreated, Path: "/lock/flag"})
	attribution.Apply(event.Event{Kind: event.WireSent, Lane: "lane", Client: 3, Op: "delete", Path: "/lock/flag"})
	got := attribution.Apply(event.Event{Kind: event.TreeDeleted, Path: "/lock/flag"})
	if got.Client != 2 || got.Cause != "client" || got.Reason.English() != "client 3 has deleted the znode of client 2" {
		t.Errorf("deleted: client %d, %q: %q", got.Client, got.Cause, got.Reason.English())
	}
}
