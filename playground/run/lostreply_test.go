package run_test

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// onlyOnce are the verdicts of a run in which the lock is acquired once.
var onlyOnce = map[string]event.Verdict{"fifo": event.Undecided}

// TestLostCreate: the server makes the znode, the client does not know it, and
// finds it again once it is connected again.
func TestLostCreate(t *testing.T) {
	t.Parallel()
	given := slow(1)
	given.Arrive, given.Faults = milliseconds(0), []scenario.ScheduledFault{{Fault: scenario.Fault{Name: "lose-reply", Client: 1, Parameters: scenario.Parameters{Op: "create"}}}}
	run := start(t, zktest.Start(t), given)
	created := run.rewound().untilKind(event.TreeCreated, 1)
	enqueued := run.untilKind(event.LockEnqueued, 1)
	connected := 0
	for _, e := range run.all()[:enqueued.Seq] {
		switch {
		case e.Kind == event.SessionGranted || e.Kind == event.SessionResumed:
			connected++
		case e.Kind == event.WireReceived && e.Op == "create":
			t.Errorf("event %d: the reply was not lost", e.Seq)
		}
	}
	if connected != 2 || enqueued.Path != created.Path || !strings.Contains(enqueued.Why, "found again") {
		t.Errorf("connected %d times; made %s, enqueued %s: %q", connected, created.Path, enqueued.Path, enqueued.Why)
	}
	healed := run.rewound().untilKind(event.FaultHealed, 1)
	if healed.Fault != "lose-reply" || !strings.Contains(healed.Why, "reply to a create was lost") {
		t.Errorf("healed %s: %s", healed.Fault, healed.Why)
	}
	run.untilKind(event.LockAcquired, 1)
	run.finish()
	run.verdicts(onlyOnce)
}

// TestLostDelete: a client that does not know whether it has released gets its
// turn again.
func TestLostDelete(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 2)
	given.Hold = between(300, 300)
	run := start(t, zktest.Start(t), given)
	holder := run.untilQueued(1)
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "lose-reply", Client: holder.Client, Parameters: scenario.Parameters{Op: "delete"}}))
	deleted := run.untilDeleted(holder.Path)
	if deleted.Cause != "client" {
		t.Errorf("deleted by %s", deleted.Cause)
	}
	run.rewound().untilKind(event.FaultHealed, holder.Client)
	run.untilKind(event.LockAcquired, 3-holder.Client)
	run.untilKind(event.LockAcquired, holder.Client)
	run.finish()
	run.verdicts(nil)
}

// TestNoReplyToLose: a trap that nothing springs is over in time.
func TestNoReplyToLose(t *testing.T) {
	t.Parallel()
	run, holder := startHeld(t, slow(2))
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "lose-reply", Client: holder.Client, Parameters: scenario.Parameters{For: scenario.Duration(2 * slack)}}))
	healed := run.untilKind(event.FaultHealed, holder.Client)
	if healed.Fault != "lose-reply" || healed.Why != "its time is over" {
		t.Errorf("healed %s: %s", healed.Fault, healed.Why)
	}
	run.finish()
	run.verdicts(onlyOnce)
}

// TestLostRequest: the server hears nothing of the create. The client does not know that,
// finds no znode of its own once it is connected again, and makes one.
func TestLostRequest(t *testing.T) {
	t.Parallel()
	given := slow(1)
	given.Arrive, given.Faults = milliseconds(0), []scenario.ScheduledFault{{Fault: scenario.Fault{Name: "lose-request", Client: 1, Parameters: scenario.Parameters{Op: "create"}}}}
	run := start(t, zktest.Start(t), given)
	healed := run.untilKind(event.FaultHealed, 1)
	if healed.Fault != "lose-request" || !strings.Contains(healed.Why, "a create was lost") {
		t.Errorf("healed %s: %s", healed.Fault, healed.Why)
	}
	created := run.rewound().untilKind(event.TreeCreated, 1)
	asked := 0
	for _, e := range run.all()[:created.Seq] {
		if e.Kind == event.WireSent && e.Client == 1 && e.Op == "create" {
			asked++
		}
	}
	if asked != 2 || created.Seq < healed.Seq {
		t.Errorf("%d creates until one was done, want 2; event %d, the first was lost by event %d", asked, created.Seq, healed.Seq)
	}
	run.untilKind(event.LockAcquired, 1)
	run.finish()
	run.verdicts(onlyOnce)
}

// TestRepeatedDelete: a client that hears no reply deletes again. Where the znode always has
// the same name, that is the next holder's.
func TestRepeatedDelete(t *testing.T) {
	t.Parallel()
	given := shippedScenario(t, "repeated-delete")
	run := start(t, zktest.Start(t), given)
	for lane, ofOthers := range map[string]int{"redelete": 1, "mutex": 0} {
		run.rewound().until("client 3 holds in lane "+lane, func(e event.Event) bool {
			return e.Kind == event.LockAcquired && e.Lane == lane && e.Client == 3
		})
		for _, e := range run.all() {
			if e.Kind == event.TreeDeleted && e.Lane == lane && e.Client == 2 && e.By == 1 {
				ofOthers--
			}
		}
		if ofOthers != 0 {
			t.Errorf("lane %s: client 1 has deleted %d znodes of client 2 too few", lane, ofOthers)
		}
	}
	run.finish()
	run.comesAsExpected()
}
