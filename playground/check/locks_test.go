package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// tellOfLocks begins a story of a lane with two locks.
func tellOfLocks() *story {
	lane := event.Lane{Name: "lane", Recipe: "mutex", Path: "/lane/a", Locks: []string{"/lane/a", "/lane/b"}, Clients: 9}
	return tellOf(event.Run{Lanes: []event.Lane{lane}})
}

func nodeIn(lock string, number int) string {
	return fmt.Sprintf("/lane/%s/_c_guid-lock-%010d", lock, number)
}

// stands has a client make a znode in the queue of a lock.
func (s *story) stands(client int, lock string, number int) *story {
	return s.event(event.Event{Kind: event.TreeCreated, Client: client, Path: nodeIn(lock, number), Session: fmt.Sprintf("0x%d", client)})
}

func (s *story) takes(client int, lock string, number int) *story {
	return s.event(event.Event{Kind: event.LockAcquired, Client: client, Path: nodeIn(lock, number)})
}

// deletes has a client delete a znode, and the server confirm that.
func (s *story) deletes(client int, lock string, number int) *story {
	deletion := event.Event{Kind: event.WireSent, Client: client, Op: "delete", Xid: 7, Path: nodeIn(lock, number)}
	s.event(deletion)
	deletion.Kind = event.WireReceived
	return s.event(deletion)
}

func (s *story) waitsIn(client int, lock string, number int) *story {
	return s.event(event.Event{Kind: event.LockWaiting, Client: client, Path: nodeIn(lock, number), Predecessor: nodeIn(lock, number-1)})
}

// TestLocksAreJudgedByThemselves tells small stories of two locks in one lane.
func TestLocksAreJudgedByThemselves(t *testing.T) {
	both := func() *story { return tellOfLocks().connected(1).connected(2) }
	circle := func() *story {
		return both().stands(1, "a", 0).takes(1, "a", 0).stands(2, "b", 0).takes(2, "b", 0).
			stands(1, "b", 1).waitsIn(1, "b", 1).stands(2, "a", 1).waitsIn(2, "a", 1)
	}
	tests := []struct {
		name, check string
		story       *story
		want        event.Verdict
		why         string
	}{
		{"one holds in each", "belief", tellOfLocks().takes(1, "a", 0).takes(2, "b", 0), event.Holds, "a: 1 acquisition"},
		{"two hold in one", "belief", tellOfLocks().takes(1, "a", 0).takes(2, "a", 1), event.Violated, "a: client 1"},
		{"a number behind another lock's", "fifo", tellOfLocks().takes(1, "a", 5).takes(2, "b", 0).takes(2, "b", 1), event.Holds, "b: 2 acquisitions"},
		{"out of order in one", "fifo", tellOfLocks().takes(1, "b", 5).takes(2, "b", 0), event.Violated, "b: client 2"},
		{"a znode ahead in another", "mutual-exclusion", tellOfLocks().stands(1, "a", 0).stands(2, "b", 1).takes(2, "b", 1).synced().synced(), event.Holds, "b: 1 acquisition"},
		{"a znode ahead in the same", "mutual-exclusion", tellOfLocks().stands(1, "b", 0).stands(2, "b", 1).takes(2, "b", 1).synced().synced(), event.Violated, "/lane/b/"},
		{"the znode ahead is deleted later", "mutual-exclusion",
			tellOfLocks().takes(2, "b", 1).deletes(1, "b", 0), event.Violated, "b: client 2 acquired at event 1, but /lane/b/"},
		{"one of another lock is deleted later", "mutual-exclusion", tellOfLocks().takes(2, "b", 1).synced().deletes(1, "a", 0).synced(), event.Holds, "b: 1 acquisition"},
		{"each waits for the other", "progress", circle().seconds(4), event.Violated, "client 1 waits for client 2 in b, client 2 waits for client 1 in a: they wait for each other in a circle"},
		{"a znode is of a session before", "progress", circle().granted(1, "0xb").seconds(4), event.Holds, ""},
		{"for a moment", "progress", circle().seconds(2), event.Holds, ""},
		{"one of them was woken", "progress", circle().event(event.Event{Kind: event.LockWoken, Client: 2}).seconds(4), event.Holds, ""},
		{"the head of one queue waits in another", "progress",
			both().stands(2, "b", 0).takes(2, "b", 0).stands(1, "a", 0).stands(1, "b", 1).waitsIn(1, "b", 1).seconds(4), event.Holds, ""},
		{"a head that does nothing", "progress", both().stands(2, "b", 0).takes(2, "b", 0).stands(1, "a", 0).seconds(4), event.Violated, "client 1 does not hold"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.story.verdict(t, test.check); got.Verdict != test.want || !strings.Contains(got.Why, test.why) {
				t.Errorf("%s is %s: %s; want %s: %s", test.check, got.Verdict, got.Why, test.want, test.why)
			}
		})
	}
}

// TestLocksAreCountedByThemselves: what is counted of a lane is the sum over its locks.
func TestLocksAreCountedByThemselves(t *testing.T) {
	s := tellOfLocks().takes(1, "a", 0).takes(2, "b", 0)
	s.event(event.Event{Kind: event.LockWaiting, Client: 3, Path: nodeIn("b", 1), Predecessor: nodeIn("b", 0)})
	s.event(event.Event{Kind: event.LockReleased, Client: 1, Path: nodeIn("a", 0)}) // frees nothing that 3 waits for
	s.event(event.Event{Kind: event.LockReleased, Client: 2, Path: nodeIn("b", 0)}).takes(3, "b", 1)
	got := s.checker.Summary().Lanes[0]
	if got.Acquisitions != 3 || got.Releases != 2 || got.HandoffMicros.P50 != 10 {
		t.Errorf("%d acquisitions, %d releases, hand-over %d µs", got.Acquisitions, got.Releases, got.HandoffMicros.P50)
	}
}
