package run_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestAccountAddsUp: where nothing goes wrong, no kind of account loses a write
// or refuses one, and nothing is left of it on the server.
func TestAccountAddsUp(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	for _, lane := range []scenario.Lane{
		{Recipe: "mutex", Account: "unfenced"},
		{Recipe: "mutex", Account: "token"},
		{Recipe: "mutex", Account: "guard"},
		{Recipe: "rw", Account: "guard"},
	} {
		t.Run(lane.Recipe+" "+lane.Account, func(t *testing.T) {
			given := fast(lane.Recipe, 4)
			given.Lanes[0].Account, given.Writers = lane.Account, 0.5
			base := server.Root(t) + "/playground"
			run := startWith(t, run.Config{Backend: run.Backend{Servers: []string{server.Address()}}, Base: base, Room: "test", ID: "run", Scenario: given})
			run.untilCount(30, event.ResourceAccepted)
			run.finish()
			run.verdicts(nil)
			addsUp(t, run.all())
			if left, _, err := server.Conn(t).Exists(base); left || err != nil {
				t.Errorf("the run left something at %s (%v)", base, err)
			}
		})
	}
}

// addsUp fails unless each write adds ten to the balance before it.
func addsUp(t *testing.T, events []event.Event) {
	t.Helper()
	balance := int64(100)
	for _, e := range events {
		switch {
		case e.Kind == event.ResourceRefused:
			t.Errorf("event %d is a refusal: %s", e.Seq, e.Why)
		case e.Kind == event.ResourceRead && e.Balance != balance:
			t.Errorf("event %d reads %d, the account has %d", e.Seq, e.Balance, balance)
		case e.Kind == event.ResourceAccepted:
			if e.Read != balance || e.Balance != balance+10 || e.Token == 0 {
				t.Errorf("event %d makes %d of %d with token %d, the account has %d", e.Seq, e.Balance, e.Read, e.Token, balance)
			}
			balance = e.Balance
		}
	}
}

// TestNoWriteAfterALossThatWasSeen: a client that is told in time does no harm,
// even to an account without a fence.
func TestNoWriteAfterALossThatWasSeen(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 2)
	given.Lanes[0].Account, given.Hold = "unfenced", between(400, 500)
	run := start(t, zktest.Start(t), given)
	clients := make(map[int64]int) // by the token of what they lost
	late := false
	for len(clients) < 3 {
		client := run.untilKind(event.ResourceRead, 0)
		run.must(run.Inject(t.Context(), scenario.Fault{Name: "expire", Client: client.Client}))
		// On a busy machine the fault may come when the client has written.
		end := run.until("the loss, or the write", func(e event.Event) bool {
			return e.Token == client.Token && (e.Kind == event.LockLost || e.Kind == event.ResourceAccepted)
		})
		if end.Kind == event.LockLost {
			clients[client.Token] = client.Client
		}
		late = late || end.Kind != event.LockLost
		run.until("the next holder", func(e event.Event) bool { return e.Kind == event.ResourceAccepted && e.Token > client.Token })
	}
	run.finish()
	for _, e := range run.all() {
		if client, ok := clients[e.Token]; ok && e.Kind == event.ResourceAccepted {
			t.Errorf("event %d: client %d wrote, though it had lost the lock", e.Seq, client)
		}
	}
	for _, v := range run.Summary().Lanes[0].Verdicts {
		if v.Check == "fenced-account" && v.Verdict != event.Holds && !late {
			t.Errorf("the account %s: %s", v.Verdict, v.Why)
		}
	}
}

// TestCrashOfWhoStandsStill: a paused holder that is killed does not go on, and
// leaves the account as it was.
func TestCrashOfWhoStandsStill(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 2)
	given.Lanes[0].Account, given.Hold, given.Session = "unfenced", between(300, 300), scenario.Duration(briefly)
	run := start(t, zktest.Start(t), given)
	client := run.untilKind(event.ResourceRead, 0)
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "pause", Client: client.Client}))
	run.until("it would have written", func(e event.Event) bool { return e.At > client.At+400_000 })
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: client.Client}))
	run.until("the next holder writes", func(e event.Event) bool { return e.Kind == event.ResourceAccepted && e.Client != client.Client })
	run.finish()
	addsUp(t, run.all())
}

// quick is a shipped scenario with a pause, with shorter times and one turn for
// each client. The pause lasts until it is healed.
func quick(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	given, err := shipped.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	given.Session, given.Delay, given.Arrive = scenario.Duration(briefly), 0, milliseconds(50)
	given.Hold, given.Think, given.Turns = between(2500, 2600), between(50, 100), 1
	given.Faults[0].At, given.Faults[0].For = 0, 0
	return given
}

// TestHolderIsFoundAtItsWork: a fault of "the holder" does not come before that has
// read the account, also where that takes long. A reader that shares the lock never does.
func TestHolderIsFoundAtItsWork(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	for recipe, reads := range map[string]bool{"mutex": true, "rw": false} {
		t.Run(recipe, func(t *testing.T) {
			t.Parallel()
			given := fast(recipe, 2)
			given.Lanes[0].Account, given.Writers, given.Hold, given.Delay = "guard", 0, between(2000, 2000), milliseconds(200)
			given.Faults = []scenario.ScheduledFault{{Fault: scenario.Fault{Name: "pause"}}}
			run := start(t, server, given)
			paused := run.untilKind(event.FaultInjected, 0)
			read := slices.ContainsFunc(run.all()[:paused.Seq], func(e event.Event) bool {
				return e.Kind == event.ResourceRead && e.Client == paused.Client
			})
			if read != reads {
				t.Errorf("client %d was paused when it had read: %v, want %v", paused.Client, read, reads)
			}
		})
	}
}

// TestTwoHolders: the paused holder writes when it goes on. Without a fence the
// deposits of the others are lost; with one it is refused.
func TestTwoHolders(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	for name, late := range map[string]event.Kind{
		"two-holders":        event.ResourceAccepted,
		"two-holders-fenced": event.ResourceRefused,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given := quick(t, name)
			run := start(t, server, given)
			for _, lane := range given.Lanes {
				run.healAfterWrites(given.Clients-1, lane.Name, late)
			}
			run.finish()
			for _, v := range run.verdicts(given.Expect).Lanes[0].Verdicts {
				if v.Check == "fenced-account" && v.Verdict == event.Violated && !othersLost.MatchString(v.Why) {
					t.Errorf("the account: %s", v.Why)
				}
			}
			for _, lane := range given.Lanes {
				paused(t, run.all(), lane.Name, late)
			}
		})
	}
}

// othersLost is what the check says of an account after one turn of three clients,
// also if the first of them was too quick to be paused.
var othersLost = regexp.MustCompile(`; the account should be 130, is (110: 20 of clients \d and \d|120: 10 of client \d) lost$`)

// healAfterWrites lets a lane's paused client go on when others have written so
// often, and waits until it has tried to write as well and knows that it held no more.
func (w *watched) healAfterWrites(writes int, lane string, late event.Kind) {
	w.t.Helper()
	next := func(kind event.Kind, fits func(event.Event) bool) event.Event {
		return w.rewound().until(fmt.Sprintf("%s in lane %s", kind, lane), func(e event.Event) bool {
			return e.Kind == kind && e.Lane == lane && fits(e)
		})
	}
	paused := next(event.FaultInjected, func(event.Event) bool { return true })
	next(event.ResourceAccepted, func(e event.Event) bool {
		if e.Client != paused.Client {
			writes--
		}
		return writes == 0
	})
	w.must(w.Inject(w.t.Context(), scenario.Fault{Name: "heal", Client: paused.Client, Lane: lane}))
	for _, kind := range []event.Kind{late, event.LockLost} {
		next(kind, func(e event.Event) bool { return e.Seq > paused.Seq && e.Client == paused.Client })
	}
}

// paused checks what a lane's paused client was told and did: nothing while it
// stood still, then its late write, and that it has lost the lock.
func paused(t *testing.T, events []event.Event, lane string, late event.Kind) {
	t.Helper()
	var paused, healed, held, wrote, lost event.Event
	for _, e := range events {
		switch {
		case e.Lane != lane:
		case e.Kind == event.FaultInjected:
			paused = e
		case e.Kind == event.FaultHealed:
			healed = e
		case e.Kind == event.ResourceRead && paused.Seq == 0:
			held = e
		case e.Client != paused.Client || e.Token != held.Token:
		case e.Kind == late:
			wrote = e
		case e.Kind == event.LockLost:
			lost = e
		}
	}
	if paused.Client == 0 || held.Client != paused.Client {
		t.Fatalf("lane %s: client %d was paused, client %d held", lane, paused.Client, held.Client)
	}
	if wrote.Seq < healed.Seq || wrote.Read != held.Balance {
		t.Errorf("lane %s: the late write is %+v, healed at event %d", lane, wrote, healed.Seq)
	}
	if lost.Seq < healed.Seq {
		t.Errorf("lane %s: the loss was told at event %d, healed at event %d", lane, lost.Seq, healed.Seq)
	}
}

// TestWriteUnderWay: a client that is cut off has sent its write, and stops when its session
// is over. The write arrives all the same, when others have made theirs.
func TestWriteUnderWay(t *testing.T) {
	t.Parallel()
	given := shippedScenario(t, "delayed-write")
	given.Session, given.Faults[0].For = milliseconds(6000), 0
	run := start(t, zktest.Start(t), given)
	late := map[string]event.Kind{"unfenced": event.ResourceAccepted, "token": event.ResourceRefused}
	for _, lane := range given.Lanes {
		run.healAfterWrites(given.Clients-1, lane.Name, late[lane.Name])
	}
	run.finish()
	run.comesAsExpected()
	for _, lane := range given.Lanes {
		sent := run.rewound().until("a write of lane "+lane.Name+" is under way", func(e event.Event) bool {
			return e.Kind == event.ResourceSent && e.Lane == lane.Name
		})
		run.order(lane.Name, [][2]any{{event.ResourceSent, sent.Client}, {event.LockLost, sent.Client}, {event.FaultHealed, sent.Client}, {late[lane.Name], sent.Client}})
	}
}
