package check_test

import (
	"fmt"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// connected says that the client has a session and a connection.
func (s *story) connected(client int) *story {
	return s.connectedAs(client, fmt.Sprintf("0x%d", client))
}

func (s *story) connectedAs(client int, session string) *story {
	return s.granted(client, session).lock(event.SessionConnected, client)
}

// queued says that the client's znode is in the queue and that it waits.
func (s *story) queued(client, number int) *story {
	created := event.Event{Kind: event.TreeCreated, Client: client, Path: node(number, false), Session: fmt.Sprintf("0x%d", client)}
	return s.event(created).lock(event.LockWaiting, client)
}

// seconds lets so much time go by, in which the observer syncs and clients ping.
func (s *story) seconds(n int) *story {
	for range 10 * n {
		s.pass(100_000)
		s.event(event.Event{Kind: event.WireSent, Client: 2, Op: "ping", Xid: -2})
		s.synced()
	}
	return s
}

// late lets so many seconds go by in which nothing is recorded.
func (s *story) late(seconds int64) *story { s.pass(seconds * 1_000_000); return s }

// caughtUp lets the observer sync for so many seconds with a server that has the
// given transaction.
func (s *story) caughtUp(zxid int64, seconds int) *story {
	for range 10 * seconds {
		s.pass(100_000)
		s.event(event.Event{Kind: event.TreeSynced, Sent: s.now() + 10, Zxid: zxid})
	}
	return s
}

// answered is an answer of the client's server that has the given transaction.
func (s *story) answered(client int, op string, zxid int64) *story {
	return s.event(event.Event{Kind: event.WireReceived, Client: client, Op: op, Xid: -2, Zxid: zxid})
}

func (s *story) fault(kind event.Kind, client int, name string) *story {
	e := event.Event{Kind: kind, Client: client, Fault: name}
	switch name {
	case "pause":
		e.Effects = []event.Effect{event.Excuses}
	case "close":
		e.Effects = []event.Effect{event.EndsProcess}
	}
	return s.event(e)
}

func (s *story) wire(kind event.Kind, client int, frame int64) *story {
	return s.event(event.Event{Kind: kind, Client: client, Op: "exists", Dir: event.In, Frame: frame, Xid: int32(frame)})
}

// waits is a client 2 that waits behind client 1, which holds, releases, and is gone from the queue.
func waits() *story {
	s := tell().connected(1).connected(2).queued(1, 0).acquired(1, 0).queued(2, 1)
	return s.lock(event.LockReleased, 1).deleted(1, 0)
}

const flagPath = lockPath + "/holder"

// flagged is a client 2 that waits for the ephemeral znode of client 1, which holds by
// that; no znode has a place in a queue.
func flagged() *story { return flaggedIn("0x1") }

func flaggedIn(session string) *story {
	return tell().connected(1).connected(2).event(event.Event{Kind: event.TreeCreated, Client: 1, Path: flagPath, Session: session}).
		event(event.Event{Kind: event.LockAcquired, Client: 1, Path: flagPath}).
		event(event.Event{Kind: event.LockWaiting, Client: 2, Predecessor: flagPath})
}

func TestProgress(t *testing.T) {
	gone := event.Event{Kind: event.TreeDeleted, Client: 1, Path: flagPath}
	anew := event.Event{Kind: event.SessionGranted, Client: 2, Session: "0x22"}
	tests := []struct {
		name  string
		story *story
		want  event.Verdict
	}{
		{"nothing happened", tell(), event.Undecided},
		{"the holder holds for long", tell().connected(1).connected(2).queued(1, 0).acquired(1, 0).queued(2, 1).seconds(5), event.Holds},
		{"the head does not hold", waits().seconds(4), event.Violated},
		{"not for long enough", waits().seconds(2), event.Holds},
		{"it acquires in time", waits().seconds(2).acquired(2, 1).seconds(5), event.Holds},
		{"it does something meanwhile", waits().seconds(2).wire(event.WireSent, 2, 9).wire(event.WireReceived, 2, 9).seconds(2), event.Holds},
		{"it is not connected", waits().lock(event.SessionSuspended, 2).seconds(5), event.Holds},
		{"it is connected again", waits().lock(event.SessionSuspended, 2).seconds(5).lock(event.SessionConnected, 2).seconds(4), event.Violated},
		{"the znode is of a session that it has lost", waits().event(anew).seconds(5), event.Holds},
		{"the whole playground stands still", waits().synced().late(4).synced().synced().acquired(2, 1), event.Holds},
		{"it is seen seldom", waits().synced().late(2).synced().late(2).synced().late(2).synced().late(2).synced(), event.Violated},
		{"it waits for an answer", waits().wire(event.WireSent, 2, 9).seconds(5), event.Holds},
		{"a frame to it is held", waits().wire(event.WireHeld, 2, 9).seconds(5), event.Holds},
		{"the held frame came", waits().wire(event.WireHeld, 2, 9).seconds(5).wire(event.WireReceived, 2, 9).seconds(4), event.Violated},
		{"the held frame died", waits().wire(event.WireHeld, 2, 9).wire(event.WireDropped, 2, 9).seconds(4), event.Violated},
		{"its server lags behind", waits().answered(2, "exists", 8).caughtUp(9, 5), event.Holds},
		{"its server lags behind and lives", waits().caughtUp(9, 2).answered(2, "ping", 8).caughtUp(9, 3), event.Holds},
		{"its server has caught up before", waits().answered(2, "exists", 9).caughtUp(9, 4), event.Violated},
		{"its server has caught up, as a ping shows", waits().answered(2, "exists", 8).caughtUp(9, 2).answered(2, "ping", 9).caughtUp(9, 2), event.Violated},
		{"its server is ahead of the observer's", waits().answered(2, "exists", 10).caughtUp(9, 4), event.Violated},
		{"others go on meanwhile", waits().caughtUp(9, 2).answered(2, "ping", 9).caughtUp(12, 2), event.Violated},
		{"it has come to another server", waits().answered(2, "exists", 9).event(event.Event{Kind: event.WireSent, Client: 2, Op: "connect"}).caughtUp(9, 4), event.Holds},
		{"it is paused", waits().fault(event.FaultInjected, 2, "pause").seconds(5), event.Holds},
		{"it goes on after a pause", waits().fault(event.FaultInjected, 2, "pause").seconds(5).fault(event.FaultHealed, 2, "pause").seconds(4), event.Violated},
		{"a fault that does not last", waits().fault(event.FaultInjected, 2, "expire").seconds(4), event.Violated},
		{"it has crashed", waits().crash(2).seconds(5), event.Holds},
		{"it was started again and connects", waits().wire(event.WireSent, 2, 9).crash(2).deleted(2, 1).startAgain(2).seconds(5), event.Holds},
		{"it was started again and stands still", waits().wire(event.WireSent, 2, 9).crash(2).deleted(2, 1).startAgain(2).connected(2).queued(2, 2).seconds(4), event.Violated},
		{"the znode of its process before is at the head", waits().crash(2).startAgain(2).event(anew).lock(event.SessionConnected, 2).seconds(5), event.Holds},
		{"it has closed", waits().lock(event.SessionClosed, 2).seconds(5), event.Holds},
		{"the observer is away in between", waits().seconds(2).note(event.TreeLost).seconds(2), event.Holds},
		{"the clients are told to stop", waits().note(event.NoteStopping).seconds(5), event.Holds},
		{"the znode is an outsider's", waits().deleted(2, 1).event(event.Event{Kind: event.TreeCreated, Path: node(2, false)}).seconds(5), event.Holds},
		{"no queue, and a waiter", waits().deleted(2, 1).seconds(4), event.Violated},
		{"no queue, a waiter and a holder", waits().deleted(2, 1).acquired(3, 9).seconds(5), event.Holds},
		{"no queue, a waiter and a dead holder", waits().deleted(2, 1).acquired(3, 9).crash(3).seconds(4), event.Violated},
		{"no queue, a waiter for the session of a dead holder", flagged().crash(1).seconds(9), event.Holds},
		{"no queue, a waiter for the session of a holder's process before", flagged().crash(1).startAgain(1).connectedAs(1, "0x11").seconds(9), event.Holds},
		{"no queue, a waiter after the session of a dead holder", flagged().crash(1).seconds(9).event(gone).seconds(4), event.Violated},
		{"no queue, a waiter for what no session takes along", flaggedIn("").crash(1).seconds(4), event.Violated},
		{"no queue, a waiter for its own session", flaggedIn("0x2").crash(1).seconds(4), event.Violated},
		{"no queue, a waiter for who has released and keeps the znode", flagged().lock(event.LockReleased, 1).seconds(4), event.Violated},
		{"no queue, and nobody waits", waits().deleted(2, 1).lock(event.LockGaveUp, 2).seconds(5), event.Holds},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.story.verdict(t, "progress"); got.Verdict != test.want || got.Why == "" {
				t.Errorf("%s: %q, want %s", got.Verdict, got.Why, test.want)
			}
		})
	}
}

func TestProgressNamesTheClient(t *testing.T) {
	got := waits().seconds(4).verdict(t, "progress")
	if want := "client 2 does not hold, though its znode " + node(1, false); len(got.Why) < len(want) || got.Why[:len(want)] != want {
		t.Errorf("why is %q", got.Why)
	}
}
