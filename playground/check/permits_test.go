package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// tellOfPermits is a story of a lane in which two clients may hold at once.
func tellOfPermits() *story {
	lane := event.Lane{Name: "lane", Recipe: "semaphore", Path: lockPath, Clients: 9, Permits: 2}
	return tellOf(event.Run{Scenario: "told", Lanes: []event.Lane{lane}})
}

// three are in the queue, with a znode each.
func three() *story { return tellOfPermits().created(1, 0).created(2, 1).created(3, 2) }

func TestVerdictsOfPermits(t *testing.T) {
	tests := []struct {
		name  string
		check string
		story *story
		want  event.Verdict
		why   string // a part of the reason
	}{
		{"nothing happened", "mutual-exclusion", tellOfPermits(), event.Undecided, ""},
		{"two hold", "mutual-exclusion", three().acquired(1, 0).acquired(2, 1).synced(), event.Holds, "2 acquisitions, each with fewer than 2"},
		{"three hold", "mutual-exclusion", three().acquired(1, 0).acquired(2, 1).acquired(3, 2).synced(), event.Violated, "client 3 acquired at event 6, but 2 znodes"},
		{"a third that waits excludes nobody", "mutual-exclusion", three().acquired(2, 1).acquired(1, 0).synced(), event.Holds, ""},
		{"the second holds before the first has noticed", "mutual-exclusion", three().acquired(2, 1).synced().acquired(1, 0).synced(), event.Holds, ""},
		{"the third holds before the first has", "mutual-exclusion", three().acquired(3, 2).synced(), event.Violated, ""},
		{"a deletion that the observer tells late", "mutual-exclusion",
			three().acquired(1, 0).acquired(2, 1).acquired(3, 2).deleted(1, 0).synced(), event.Holds, "3 acquisitions"},
		{"the first is deleted only later, and the second", "mutual-exclusion",
			three().acquired(1, 0).acquired(2, 1).acquired(3, 2).deleteSent(1, 0).deleted(1, 0).deleteAnswered(1, 0, "").
				deleteSent(2, 1).deleted(2, 1).deleteAnswered(2, 1, "").synced(), event.Violated, "client 3"},
		{"the first is deleted only later, the second before", "mutual-exclusion",
			three().acquired(1, 0).acquired(2, 1).deleteSent(2, 1).deleted(2, 1).deleteAnswered(2, 1, "").acquired(3, 2).
				deleteSent(1, 0).deleted(1, 0).deleteAnswered(1, 0, "").synced(), event.Holds, ""},
		{"the first is deleted only later, the second stays", "mutual-exclusion",
			three().acquired(1, 0).acquired(2, 1).acquired(3, 2).deleteSent(1, 0).deleted(1, 0).deleteAnswered(1, 0, "").synced(), event.Violated, ""},
		{"a late delete that found nothing proves nothing", "mutual-exclusion",
			three().acquired(1, 0).acquired(2, 1).acquired(3, 2).deleteSent(1, 0).deleted(1, 0).deleteAnswered(1, 0, "NoNode").synced(), event.Holds, ""},
		{"a sync that was asked for before", "mutual-exclusion",
			three().acquired(3, 2).event(event.Event{Kind: event.TreeSynced, Sent: 30}), event.Undecided, ""},

		{"two believe", "belief", tellOfPermits().acquired(1, 0).acquired(2, 1), event.Holds, ""},
		{"three believe", "belief", tellOfPermits().acquired(1, 0).acquired(2, 1).acquired(3, 2), event.Violated, "client 1 (since event 1), client 2 (since event 2) and client 3 (event 3) all"},
		{"three one after the other", "belief", tellOfPermits().acquired(1, 0).acquired(2, 1).lock(event.LockReleased, 1).acquired(3, 2), event.Holds, ""},

		{"the second of two stands still", "progress", secondStandsStill(tellOfPermits()), event.Violated, "client 2"},
		{"the second of one waits", "progress", secondStandsStill(tell()), event.Holds, ""},
	}
	for _, test := range tests {
		t.Run(test.check+"/"+test.name, func(t *testing.T) {
			got := test.story.verdict(t, test.check)
			if got.Verdict != test.want || !strings.Contains(got.Why, test.why) || got.Why == "" {
				t.Errorf("%s: %q, want %s with %q", got.Verdict, got.Why, test.want, test.why)
			}
		})
	}
}

// secondStandsStill has client 1 hold, and client 2 behind it do nothing for long.
func secondStandsStill(s *story) *story {
	for client := range 2 {
		s.event(event.Event{Kind: event.SessionConnected, Client: client + 1})
		s.created(client+1, client)
	}
	s.acquired(1, 0)
	for range 10 {
		s.pass(1e6)
		s.synced()
	}
	return s
}

// TestPermitsHaveNoOrder: who has a permit may be late to notice it.
func TestPermitsHaveNoOrder(t *testing.T) {
	names := func(s *story) []string {
		var names []string
		for _, v := range s.checker.Summary().Lanes[0].Verdicts {
			names = append(names, v.Check)
		}
		return names
	}
	if slices.Contains(names(tellOfPermits()), "fifo") || !slices.Contains(names(tell()), "fifo") {
		t.Errorf("with permits %v, without %v", names(tellOfPermits()), names(tell()))
	}
}

// TestHandoffOfPermits: a permit is handed over although others hold.
func TestHandoffOfPermits(t *testing.T) {
	for _, test := range []struct {
		story *story
		want  int64
	}{{tellOfPermits(), 20}, {tell(), 0}} {
		test.story.acquired(1, 0).acquired(2, 1).lock(event.LockWaiting, 3).lock(event.LockReleased, 1).lock(event.LockWoken, 3).acquired(3, 2)
		if got := test.story.checker.Summary().Lanes[0].HandoffMicros.P50; got != test.want {
			t.Errorf("a hand-over takes %d µs, want %d", got, test.want)
		}
	}
}
