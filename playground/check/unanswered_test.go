package check_test

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// TestUnansweredCreates: a znode of a guest that lives on is left behind if its answer was
// lost and the guest does not look for it, or makes another instead.
func TestUnansweredCreates(t *testing.T) {
	const plain = lockPath + "/lock-000000000"
	message := func(kind event.Kind, op, path string) event.Event {
		return event.Event{Kind: kind, Client: guest, Op: op, Path: path}
	}
	// again has the guest come back with a new connection to its session, or with another session.
	again := func(s *story, session string) *story {
		return s.lock(event.SessionSuspended, guest).event(message(event.WireSent, "connect", "")).connectedAs(guest, session)
	}
	lost := func() *story {
		return again(tell().connected(guest).event(message(event.WireSent, "create", lockPath+"/lock-")).makes(guest, plain+"1"), "0x10")
	}
	created := func(s *story, znode string) *story {
		return s.makes(guest, znode).event(message(event.WireReceived, "create", znode))
	}
	lists := message(event.WireReceived, "getChildren", lockPath)
	tests := []struct {
		name  string
		story *story
		want  string // why it is violated; empty where it is not
	}{
		{"it stays", lost().seconds(4), "guest 10 was never told that it had created " + plain + "1"},
		{"it stays, and another is made", created(lost(), plain+"2").event(lists).seconds(4), plain + "1"},
		{"the guest asks for it, as for one ahead of its other", created(lost(), plain+"2").event(message(event.WireSent, "exists", plain+"1")).seconds(4), plain + "1"},
		{"for a moment", lost().seconds(2), ""},
		{"it is looked for", lost().event(lists).seconds(4), ""},
		{"it is looked for, and another thread makes another", created(lost().event(lists), plain+"2").seconds(4), ""},
		{"another thread makes another before it is looked for", created(lost(), lockPath+"/mine-0000000002").event(lists).seconds(4), ""},
		{"it is deleted", lost().event(event.Event{Kind: event.TreeDeleted, Client: guest, Path: plain + "1", Cause: "client"}).seconds(4), ""},
		{"the answer came", again(created(tell().connected(guest), plain+"1"), "0x10").seconds(4), ""},
		{"the connection does not come back", lost().lock(event.SessionSuspended, guest).seconds(4), ""},
		{"the session is another", again(lost(), "0x99").seconds(4), ""},
		{"the connection did not break", tell().connected(guest).makes(guest, plain+"1").seconds(4), ""},
		{"a client's, which tells when it has stopped", tell().connected(1).makes(1, plain+"1").event(event.Event{Kind: event.WireSent, Client: 1, Op: "connect"}).connected(1).seconds(4), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.story.verdict(t, "orphans")
			if violated := got.Verdict == event.Violated; violated != (test.want != "") || !strings.Contains(got.Why, test.want) {
				t.Errorf("%s: %q, want %q", got.Verdict, got.Why, test.want)
			}
		})
	}
}
