package check_test

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// guest is the number of one in the lane of a story, which has 9 clients.
const guest = 10

// TestGuestsAreJudged tells small stories of a guest, whose belief nobody knows: what the
// server has of it counts.
func TestGuestsAreJudged(t *testing.T) {
	robbed := event.Event{Kind: event.TreeDeleted, Client: 1, Path: node(0, false), Cause: "client", Why: "client 10 has deleted the znode of client 1"}
	tests := []struct {
		name, check string
		story       *story
		want        event.Verdict
		why         string
	}{
		{"a guest that stays at the head", "progress",
			tell().connected(1).connected(guest).acquired(1, 0).lock(event.LockReleased, 1).queued(guest, 1).seconds(4), event.Undecided, "what 1 guest believes is not told"},
		{"a client behind it", "progress",
			tell().connected(1).connected(2).connected(guest).acquired(1, 0).lock(event.LockReleased, 1).queued(guest, 1).queued(2, 2).seconds(4), event.Undecided, "what 1 guest believes"},
		{"a client at the head of a guest", "progress",
			tell().connected(2).connected(guest).acquired(1, 0).lock(event.LockReleased, 1).queued(2, 1).queued(guest, 2).seconds(4), event.Violated, "client 2"},
		{"a client that does not wait for a guest", "mutual-exclusion",
			tell().created(guest, 0).created(1, 1).acquired(1, 1).synced().synced(), event.Violated, "ahead of it"},
		{"a guest's delete in a lock of its own", "mutual-exclusion",
			tell().created(1, 1).acquired(1, 1).synced().
				event(event.Event{Kind: event.WireSent, Client: guest, Op: "delete", Xid: 5, Path: "/other/lock-0000000000"}).
				event(event.Event{Kind: event.WireReceived, Client: guest, Op: "delete", Xid: 5, Path: "/other/lock-0000000000"}).synced(), event.Holds, ""},
		{"a guest ahead that has gone", "mutual-exclusion",
			tell().created(guest, 0).created(1, 1).deleted(guest, 0).acquired(1, 1).synced().synced(), event.Undecided, "what 1 guest believes"},
		{"a guest in the queue beside a holder", "belief",
			tell().created(1, 0).created(guest, 1).acquired(1, 0), event.Undecided, "what 1 guest believes"},
		{"a guest that deletes the holder's znode", "belief",
			tell().created(1, 0).acquired(1, 0).created(2, 1).event(robbed).acquired(2, 1), event.Violated, "client 10 has deleted the znode of client 1, see event 4"},
		{"a znode that a guest has left", "orphans",
			tell().created(guest, 0).note(event.NoteDrained).synced().synced(), event.Violated, "created by guest 10"},
		{"a guest of another library ahead", "mutual-exclusion",
			tell().event(event.Event{Kind: event.TreeCreated, Client: guest, Path: lockPath + "/0123456789abcdef0123456789abcdef__lock__0000000000"}).
				created(1, 1).acquired(1, 1).synced().synced(), event.Violated, "__lock__0000000000"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.story.verdict(t, test.check); got.Verdict != test.want || !strings.Contains(got.Why, test.why) {
				t.Errorf("%s is %s: %s; want %s: %s", test.check, got.Verdict, got.Why, test.want, test.why)
			}
		})
	}
}

// TestBeliefsUntold: beside somebody who may hold and does not tell so, no check holds that
// reads what is told.
func TestBeliefsUntold(t *testing.T) {
	holding := func() *story {
		return tell().acquired(1, 0).synced().lock(event.LockReleased, 1).acquired(1, 1).synced().synced()
	}
	beside := func(znode string, session string) event.Event {
		return event.Event{Kind: event.TreeCreated, Client: guest, Path: znode, Session: session}
	}
	of := func(kind event.Kind) event.Event { return event.Event{Kind: kind, Client: guest} }
	turn := func() *story {
		return holding().event(of(event.ProgramTells)).created(guest, 2).lock(event.LockReleased, 1).acquired(guest, 2).synced().lock(event.LockReleased, guest).deleted(guest, 2).synced()
	}
	console := event.Event{Kind: event.NoteJoined, Client: guest + 1, Participant: event.Console}
	tests := []struct {
		name  string
		story *story
		want  string // why nothing holds; empty where all do
	}{
		{"nobody", holding(), ""},
		{"a guest that has done nothing", holding().event(event.Event{Kind: event.NoteJoined, Client: guest, Participant: event.Guest}), ""},
		{"a guest that made a plain znode elsewhere", holding().event(beside("/config", "")), ""},
		{"a guest in the queue", holding().created(guest, 2), "what 1 guest believes is not told"},
		{"a guest in a queue of its own", holding().event(beside("/mine/x-0000000004", "")), "what 1 guest believes is not told"},
		{"a guest's flag", holding().event(beside("/leader", "0x9")), "what 1 guest believes is not told"},
		{"a guest that has gone", holding().created(guest, 2).deleted(guest, 2), "what 1 guest believes is not told"},
		{"a guest that tells", holding().created(guest, 2).lock(event.LockReleased, 1).acquired(guest, 2).synced().synced(), ""},
		{"a guest that tells until it closes its session", turn().event(of(event.SessionClosed)).event(of(event.ProgramSilent)).synced(), ""},
		{"a guest that tells no more, and may go on", turn().event(of(event.ProgramSilent)).synced(), "what 1 guest believes is not told"},
		{"a guest and a console", holding().created(guest, 2).event(console).created(guest+1, 3), "what 1 guest believes is not told; what 1 console believes is not told"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, name := range []string{"mutual-exclusion", "belief", "fifo", "progress"} {
				want := event.Holds
				if test.want != "" {
					want = event.Undecided
				}
				if got := test.story.verdict(t, name); got.Verdict != want || test.want != "" && got.Why != test.want {
					t.Errorf("%s is %s: %s; want %s: %s", name, got.Verdict, got.Why, want, test.want)
				}
			}
			if told := test.story.changes[len(test.story.changes)-1]; test.want != "" && told.Why != test.want {
				t.Errorf("the log has it as %q", told.Why)
			}
		})
	}
}

// TestGuestReleases: a guest that deletes its znode at the head of the queue frees the
// lock, though it has not told that it held.
func TestGuestReleases(t *testing.T) {
	for _, test := range []struct {
		client int
		rounds int64
	}{{guest, 1}, {3, 0}} { // a client would have told
		s := tell().joined(test.client, 2).herd(105, 2, 2)
		s.event(event.Event{Kind: event.TreeDeleted, Client: test.client, Path: node(test.client, false), Cause: "client"})
		s.event(event.Event{Kind: event.WireReceived, Client: test.client, Op: "delete", Path: node(test.client, false), Zxid: 110})
		s.woken(2).acquired(2, 2)
		if got := s.checker.Summary().Lanes[0].Rounds; got.Complete != test.rounds || got.Wakeups != test.rounds {
			t.Errorf("client %d: %+v, want %d round", test.client, got, test.rounds)
		}
	}
}

// TestNoHandoverBesideAGuest: while a guest stands in the queue, nobody knows whether it
// is the next to hold.
func TestNoHandoverBesideAGuest(t *testing.T) {
	for _, test := range []struct {
		third int
		want  bool
	}{{guest, false}, {3, true}} {
		s := tell().joined(1, test.third, 2).acquired(1, 1)
		s.event(event.Event{Kind: event.LockWaiting, Client: 2, Path: node(2, false), Predecessor: lockPath})
		s.releases(1, 300)
		s.event(event.Event{Kind: event.TreeDeleted, Client: test.third, Path: node(test.third, false), Cause: "client"})
		s.acquired(2, 2)
		if got := s.checker.Summary().Lanes[0].HandoffMicros.P50; got > 0 != test.want {
			t.Errorf("beside client %d: a hand-over of %d µs", test.third, got)
		}
	}
}
