package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

func TestVerdicts(t *testing.T) {
	tests := []struct {
		name  string
		check string
		story *story
		want  event.Verdict
		why   string // a part of the reason
	}{
		{"nothing happened", "mutual-exclusion", tell(), event.Undecided, "no acquisition"},
		{"acquired, not compared yet", "mutual-exclusion", tell().created(1, 0).acquired(1, 0), event.Undecided, ""},
		{"acquired at the head", "mutual-exclusion", tell().created(1, 0).acquired(1, 0).synced(), event.Holds, "1 acquisition,"},
		{"acquired behind a znode that stays", "mutual-exclusion",
			tell().created(1, 0).created(2, 1).acquired(1, 0).acquired(2, 1).synced(), event.Violated, "client 2 acquired at event 4"},
		{"a deletion that the observer tells late", "mutual-exclusion",
			tell().created(1, 0).created(2, 1).acquired(1, 0).acquired(2, 1).deleted(1, 0).synced(), event.Holds, ""},
		{"a sync that was asked for before the acquisition", "mutual-exclusion",
			tell().created(1, 0).created(2, 1).acquired(2, 1).event(event.Event{Kind: event.TreeSynced, Sent: 20}), event.Undecided, ""},
		{"deleted between two syncs, by a delete sent too late", "mutual-exclusion",
			tell().created(1, 0).created(2, 1).acquired(1, 0).acquired(2, 1).deleteSent(1, 0).deleted(1, 0).deleteAnswered(1, 0, "").synced(),
			event.Violated, "deleted only later"},
		{"a late delete that found nothing proves nothing", "mutual-exclusion",
			tell().created(1, 0).created(2, 1).acquired(1, 0).acquired(2, 1).deleteSent(1, 0).deleted(1, 0).deleteAnswered(1, 0, "NoNode").synced(),
			event.Holds, ""},
		{"the delete was sent before the next acquired", "mutual-exclusion",
			tell().created(1, 0).created(2, 1).acquired(1, 0).deleteSent(1, 0).acquired(2, 1).deleteAnswered(1, 0, "").deleted(1, 0).synced(),
			event.Holds, "2 acquisitions"},
		{"readers share", "mutual-exclusion",
			tell().created(1, 0, true).created(2, 1, true).acquired(1, 0, true).acquired(2, 1, true).synced(), event.Holds, ""},
		{"a writer passes a reader", "mutual-exclusion",
			tell().created(1, 0, true).created(2, 1).acquired(1, 0, true).acquired(2, 1).synced(), event.Violated, ""},
		{"a reader passes a writer", "mutual-exclusion",
			tell().created(1, 0).created(2, 1, true).acquired(2, 1, true).synced(), event.Violated, ""},

		{"one believer", "belief", tell().acquired(1, 0), event.Holds, ""},
		{"two believers", "belief", tell().acquired(1, 0).acquired(2, 1), event.Violated, "client 1 (since event 1) and client 2 (event 2)"},
		{"one after the other", "belief", tell().acquired(1, 0).lock(event.LockReleased, 1).acquired(2, 1), event.Holds, ""},
		{"lost before the next", "belief", tell().acquired(1, 0).lock(event.LockLost, 1).acquired(2, 1), event.Holds, ""},
		{"a client that leaves believes nothing", "belief",
			tell().acquired(1, 0).fault(event.FaultInjected, 1, "close").acquired(2, 1), event.Holds, ""},
		{"a dead process believes nothing", "belief", tell().acquired(1, 0).crash(1).acquired(2, 1), event.Holds, ""},
		{"readers believe together", "belief", tell().acquired(1, 0, true).acquired(2, 1, true), event.Holds, ""},
		{"a reader and a writer", "belief", tell().acquired(1, 0, true).acquired(2, 1), event.Violated, ""},

		{"in order", "fifo", tell().acquired(1, 0).acquired(2, 1), event.Holds, "2 acquisitions"},
		{"one is no order", "fifo", tell().acquired(1, 0), event.Undecided, ""},
		{"out of order", "fifo", tell().acquired(2, 1).acquired(1, 0), event.Violated, "client 1 with number 0"},
		{"readers in any order", "fifo", tell().acquired(2, 1, true).acquired(1, 0, true), event.Holds, ""},

		{"overtaken twice without a queue", "fifo", tell().waitsBeside(2).inTurn(3).inTurn(4), event.Undecided, ""},
		{"overtaken three times", "fifo", tell().waitsBeside(2).inTurn(3).inTurn(4).inTurn(3), event.Violated, "client 2 waited (since event 1) and was overtaken 3 times"},
		{"its turn came in between", "fifo", tell().waitsBeside(2).inTurn(3).inTurn(4).inTurn(2).waitsBeside(2).inTurn(3), event.Undecided, ""},
		{"those who came before overtake nobody", "fifo",
			tell().waitsBeside(3).waitsBeside(4).waitsBeside(5).waitsBeside(2).inTurn(3).inTurn(4).inTurn(5), event.Undecided, ""},
		{"who gave up is not overtaken", "fifo", tell().waitsBeside(2).inTurn(3).inTurn(4).lock(event.LockGaveUp, 2).inTurn(3), event.Undecided, ""},

		{"a process that hands its znode on twice", "fifo", tell().acquired(1, 0).waitsBeside(2).thread(1, 2).acquired(1, 0).thread(1, 3).acquired(1, 0), event.Holds, ""},
		{"a process that hands its znode on and on", "fifo",
			tell().acquired(1, 0).waitsBeside(2).thread(1, 0).acquired(1, 0).thread(1, 0).acquired(1, 0).thread(1, 0).acquired(1, 0), event.Violated,
			"client 2 waited (since event 2) and was overtaken 3 times, the last time by client 1 at event 8"},
		{"threads that came before overtake nobody", "fifo",
			tell().acquired(1, 0).thread(1, 0).waitsBeside(2).acquired(1, 0).acquired(1, 0).acquired(1, 0), event.Holds, ""},

		{"clean at the end", "orphans", tell().created(1, 0).deleted(1, 0).note(event.NoteDrained).synced().note(event.NoteFinished), event.Holds, ""},
		{"before the end", "orphans", tell().created(1, 0), event.Undecided, ""},
		{"left by a client that lives", "orphans", tell().created(1, 0).note(event.NoteDrained).synced(), event.Violated, "client 1 at event 1"},
		{"a sync that was asked for before they stopped", "orphans",
			tell().created(1, 0).note(event.NoteDrained).event(event.Event{Kind: event.TreeSynced, Sent: 15}).deleted(1, 0).note(event.NoteFinished), event.Holds, ""},
		{"left by a crash, for now", "orphans", tell().created(1, 0).crash(1).note(event.NoteDrained).synced(), event.Undecided, ""},
		{"left by a crash before a new start", "orphans",
			tell().granted(1, "0x1").createdIn(1, 0, "0x1").crash(1).startAgain(1).granted(1, "0x2").note(event.NoteDrained).synced(), event.Undecided, ""},
		{"left by the process after a new start", "orphans",
			tell().granted(1, "0x1").crash(1).startAgain(1).granted(1, "0x2").createdIn(1, 0, "0x2").note(event.NoteDrained).synced(), event.Violated, "client 1 at event 5"},
		{"created late in the session of the crashed", "orphans",
			tell().granted(1, "0x1").crash(1).startAgain(1).granted(1, "0x2").createdIn(1, 0, "0x1").note(event.NoteDrained).synced(), event.Undecided, ""},
		{"left by a crash, for good", "orphans", tell().created(1, 0).crash(1).note(event.NoteDrained).synced().note(event.NoteFinished), event.Violated, ""},

		{"no frames", "decoded", tell(), event.Undecided, ""},
		{"all read", "decoded", tell().deleteSent(1, 0), event.Holds, "1 frame passed"},
		{"one not read", "decoded", tell().deleteSent(1, 0).event(event.Event{Kind: event.WireUndecoded, Client: 1}), event.Violated, "event 2"},
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

func TestVerdictsThatChangeAreEvents(t *testing.T) {
	s := tell().acquired(1, 0).acquired(2, 1)
	var beliefs []event.Verdict
	for _, e := range s.changes {
		if e.Kind != event.CheckChanged || e.Lane != "lane" || e.Why == "" {
			t.Errorf("incomplete change %+v", e)
		}
		if e.Check == "belief" {
			beliefs = append(beliefs, e.Verdict)
		}
	}
	if fmt.Sprint(beliefs) != "[holds violated]" {
		t.Errorf("belief went through %v", beliefs)
	}
}

func TestCounters(t *testing.T) {
	s := tell()
	s.event(event.Event{Kind: event.WireSent, Client: 1, Op: "connect"})
	s.event(event.Event{Kind: event.WireSent, Client: 1, Op: "create"})
	s.event(event.Event{Kind: event.WireSent, Client: 1, Op: "ping"})
	s.acquired(1, 0)
	s.lock(event.LockWaiting, 2).lock(event.LockWaiting, 3)
	s.lock(event.LockReleased, 1) // event 7
	s.event(event.Event{Kind: event.WireReceived, Client: 2, Op: "notification", Type: "NodeDeleted"})
	s.event(event.Event{Kind: event.WireReceived, Client: 3, Op: "notification", Type: "NodeDeleted"})
	s.lock(event.LockWoken, 2).lock(event.LockWoken, 3)
	s.lock(event.LockWaiting, 3) // woken in vain
	s.acquired(2, 1)             // event 13, 60 microseconds after the release
	s.lock(event.LockWoken, 3).lock(event.LockGaveUp, 3)
	s.note(event.NoteStopping)
	s.lock(event.LockReleased, 2).acquired(3, 2)
	got := s.checker.Summary().Lanes[0]
	got.Verdicts = nil
	want := check.Lane{Name: "lane", Recipe: "mutex", Clients: 9, Acquisitions: 2, Releases: 1, Requests: 1,
		Notifications: 2, Wakeups: 3, WastedWakeups: 2, WakeupsUnexplained: 3, HandoffMicros: check.Quantiles{P50: 60, P99: 60}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestLateLoss: the hook that tells a loss is not in step with the recipe, so the
// loss of a former znode may come after the next acquisition.
func TestLateLoss(t *testing.T) {
	s := tell().acquired(1, 0).acquired(1, 1)
	s.event(event.Event{Kind: event.LockLost, Client: 1, Path: node(0, false)})
	if got := s.acquired(2, 2).verdict(t, "belief"); got.Verdict != event.Violated {
		t.Errorf("client 1 still believes by its second znode, but belief %s: %s", got.Verdict, got.Why)
	}
}

func TestStraysAreNoContenders(t *testing.T) {
	s := tell().event(event.Event{Kind: event.TreeCreated, Lane: "lane", Path: lockPath + "/guest0000000000"})
	s.created(1, 1).acquired(1, 1).synced().deleted(1, 1).note(event.NoteDrained).synced().note(event.NoteFinished)
	for _, name := range []string{"mutual-exclusion", "orphans"} {
		if got := s.verdict(t, name); got.Verdict != event.Holds {
			t.Errorf("%s %s: %s", name, got.Verdict, got.Why)
		}
	}
}

// TestWhyNobodyKnowsWhatIsLeft: the verdict says what kept the run from
// cleaning up, in one line.
func TestWhyNobodyKnowsWhatIsLeft(t *testing.T) {
	s := tell().created(1, 0).event(event.Event{Kind: event.NoteFinished, Err: "delete /lock/a: NotEmpty\nand more"})
	want := "the run could not clean up: delete /lock/a: NotEmpty; and more"
	if got := s.verdict(t, "orphans"); got.Verdict != event.Undecided || got.Why != want {
		t.Errorf("orphans %s: %q, want %q", got.Verdict, got.Why, want)
	}
}

// TestLogThatEndsEarlyProvesNothingButViolations: what is missing may be what
// matters. Every verdict is told anew, so that who reads them sees why.
func TestLogThatEndsEarlyProvesNothingButViolations(t *testing.T) {
	s := tell().created(1, 0).created(2, 1).acquired(2, 1).synced().acquired(1, 0)
	s.changes = nil
	s.event(event.Event{Kind: event.NoteTruncated, Err: "the disk is full"})
	short := "the log ends with event 6, before the run did: the disk is full"
	violated := map[string]bool{"mutual-exclusion": true, "belief": true, "fifo": true}
	if len(s.changes) != len(check.All()) {
		t.Errorf("%d verdicts are told anew, want %d", len(s.changes), len(check.All()))
	}
	for _, told := range s.changes {
		want := event.Undecided
		if violated[told.Check] {
			want = event.Violated
		}
		got := s.verdict(t, told.Check)
		if got.Verdict != want || told.Verdict != got.Verdict || told.Why != got.Why || (got.Why == short) == (got.Verdict == event.Violated) {
			t.Errorf("%s is %s: %s; told as %s: %s", told.Check, got.Verdict, got.Why, told.Verdict, told.Why)
		}
	}
}

// TestLogAtItsLimitIsWhole: the run stops in order, and its verdicts count.
func TestLogAtItsLimitIsWhole(t *testing.T) {
	s := tell().acquired(1, 0).event(event.Event{Kind: event.NoteTruncated, Why: "the limit"})
	if got := s.verdict(t, "belief"); got.Verdict != event.Holds {
		t.Errorf("belief is %s: %s", got.Verdict, got.Why)
	}
}
