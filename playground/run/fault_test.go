package run_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// slow is a lane whose holder holds on, so that a fault finds it holding.
func slow(clients int) scenario.Scenario {
	s := fast("mutex", clients)
	s.Hold = between(60_000, 60_000)
	return s
}

// brief is slow, but a session that the server hears no more is soon over.
func brief(clients int) scenario.Scenario {
	s := slow(clients)
	s.Session = scenario.Duration(briefly)
	return s
}

// briefly is a session timeout: as short as a test wants to wait for its end,
// and long enough for a machine that stands still now and then.
const briefly = 3 * time.Second

// TestCrash: a dead holder's znode stays until its session has timed out; then,
// and not before, the next client holds.
func TestCrash(t *testing.T) {
	t.Parallel()
	stalls := watchStalls(t)
	run, holder := startHeld(t, brief(3))
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: holder.Client}))
	crashed := run.untilKind(event.FaultInjected, holder.Client)
	run.mustExpireInTime(holder, stalls)
	next := run.untilKind(event.LockAcquired, 0)
	// The observer's word of the znode's end may come later than the acquisition.
	if after := micros(next.At - run.lastContact(holder.Client, next).At); next.Client == holder.Client || after < briefly {
		t.Errorf("client %d acquired %v after the last contact", next.Client, after)
	}
	run.finish()
	run.verdicts(nil)
	for _, e := range run.all() {
		if e.Seq > crashed.Seq && e.Client == holder.Client && (e.Kind == event.WireSent || e.Kind == event.LockReleased) {
			t.Errorf("event %d: the dead client did %s", e.Seq, e.Kind)
		}
	}
}

// untilQueued reads on until somebody holds and n others wait, in whatever
// order they come to that, and returns the acquisition.
func (w *watched) untilQueued(n int) (holder event.Event) {
	w.t.Helper()
	w.until("one client holds, the others wait", func(e event.Event) bool {
		switch e.Kind {
		case event.LockAcquired:
			holder = e
		case event.LockWaiting:
			n--
		}
		return holder.Seq > 0 && n <= 0
	})
	return holder
}

// TestExpire ends twenty sessions by force: each znode goes at once, and the
// client is told.
func TestExpire(t *testing.T) {
	t.Parallel()
	const rounds = 20
	stalls := watchStalls(t)
	given := slow(4)
	given.Think = between(1, 1)
	run := start(t, zktest.Start(t), given)
	holder := run.untilKind(event.LockAcquired, 0)
	var took []time.Duration
	for round := range rounds {
		run.must(run.Inject(t.Context(), scenario.Fault{Name: "expire", Client: holder.Client}))
		injected := run.untilKind(event.FaultInjected, holder.Client)
		deleted, next := run.untilPassedOn(holder.Client)
		if deleted.Cause != "expiry" {
			t.Errorf("round %d: the znode went by %s", round, deleted.Cause)
		}
		took = append(took, micros(deleted.At-injected.At))
		holder = next
	}
	mustBePrompt(t, took, stalls)
	run.finish()
	mustBelieveBriefly(t, run, rounds, stalls)
}

// mustBelieveBriefly: until it is told, which takes a new connection, an expired
// holder believes against the truth: the verdict on that may go either way, all
// others hold.
func mustBelieveBriefly(t *testing.T, run *watched, rounds int, stalls *stallMeter) {
	t.Helper()
	lane := run.Summary().Lanes[0]
	i := slices.IndexFunc(lane.Verdicts, func(v check.Verdict) bool { return v.Check == "belief" })
	if i < 0 || lane.Verdicts[i].Verdict == event.Undecided {
		t.Fatalf("no verdict on belief in %+v", lane.Verdicts)
	}
	run.verdicts(map[string]event.Verdict{"belief": lane.Verdicts[i].Verdict})
	wrong := micros(lane.FalseBeliefMicros)
	t.Logf("expired holders believed for %v in all", wrong)
	if wrong > time.Duration(rounds)*200*time.Millisecond+stalls.slack() {
		t.Errorf("%d expired holders believed for %v in all", rounds, wrong)
	}
}

// untilPassedOn reads on until the server has deleted the client's znode, the
// client has learnt that it lost the lock, and somebody else holds it, in
// whatever order the log tells these.
func (w *watched) untilPassedOn(client int) (deleted, next event.Event) {
	w.t.Helper()
	var lost event.Event
	w.until("the lock is passed on", func(e event.Event) bool {
		switch {
		case e.Kind == event.TreeDeleted && e.Client == client && deleted.Seq == 0:
			deleted = e
		case e.Kind == event.LockLost && e.Client == client:
			lost = e
		case e.Kind == event.LockAcquired && next.Seq == 0:
			next = e
		}
		return deleted.Seq > 0 && lost.Seq > 0 && next.Seq > 0
	})
	return deleted, next
}

func TestFaultsThatCannotBe(t *testing.T) {
	t.Parallel()
	w := start(t, zktest.Start(t), brief(2))
	holder := w.untilKind(event.LockAcquired, 0)
	w.must(w.Inject(t.Context(), scenario.Fault{Name: "crash", Client: holder.Client}))
	tests := []struct {
		name  string
		fault scenario.Fault
		want  error
	}{
		{"unknown", scenario.Fault{Name: "flood", Client: 1}, scenario.ErrUnknownFault},
		{"nobody", scenario.Fault{Name: "crash", Client: 3}, step.ErrNoClient},
		{"negative", scenario.Fault{Name: "crash", Client: -1}, step.ErrNoClient},
		{"other lane", scenario.Fault{Name: "crash", Client: 1, Lane: "nowhere"}, step.ErrNoClient},
		{"a length that it does not take", scenario.Fault{Name: "crash", Client: 1, Parameters: scenario.Parameters{For: scenario.Duration(time.Second)}}, scenario.ErrFault},
		{"a server that is not ours", scenario.Fault{Name: "restart"}, run.ErrNotOurs},
		{"a server's on a client", scenario.Fault{Name: "restart", Client: 1}, scenario.ErrFault},
		{"start the living again", scenario.Fault{Name: "start-again", Client: 3 - holder.Client}, client.ErrImpossible},
		{"start with a length", scenario.Fault{Name: "start-again", Client: 1, Parameters: scenario.Parameters{For: scenario.Duration(time.Second)}}, scenario.ErrFault},
		{"start at a moment", scenario.Fault{Name: "start-again", Client: 1, When: "hold"}, scenario.ErrFault},
		{"a moment that is none", scenario.Fault{Name: "crash", Client: 1, When: "noon"}, scenario.ErrFault},
		{"a moment of the servers", scenario.Fault{Name: "restart", When: "hold"}, scenario.ErrFault},
		{"a moment of nobody", scenario.Fault{Name: "crash", Client: 3, When: "hold"}, step.ErrNoClient},
		{"a moment of another lane", scenario.Fault{Name: "crash", Lane: "nowhere", When: "hold"}, step.ErrNoClient},
		{"nobody now", scenario.Fault{Name: "crash", When: "now"}, step.ErrNoClient},
		{"crash twice", scenario.Fault{Name: "crash", Client: holder.Client}, client.ErrImpossible},
		{"expire the dead", scenario.Fault{Name: "expire", Client: holder.Client}, client.ErrImpossible},
		{"pause the dead", scenario.Fault{Name: "pause", Client: holder.Client}, client.ErrImpossible},
		{"close the dead", scenario.Fault{Name: "close", Client: holder.Client}, client.ErrImpossible},
		{"delete of the dead", scenario.Fault{Name: "delete", Client: holder.Client}, client.ErrImpossible},
		{"nothing to heal", scenario.Fault{Name: "heal", Client: 3 - holder.Client}, client.ErrImpossible},
		{"a crash that lasts", scenario.Fault{Name: "crash", Client: 1, Parameters: scenario.Parameters{For: scenario.Duration(time.Second)}}, scenario.ErrFault},
	}
	for _, test := range tests {
		if err := w.Inject(t.Context(), test.fault); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	w.untilKind(event.LockAcquired, 3-holder.Client)
	w.finish()
	if err := w.Inject(t.Context(), scenario.Fault{Name: "crash", Client: 1}); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("a fault after the end: %v", err)
	}
	if err := w.Inject(t.Context(), scenario.Fault{Name: "start-again", Client: holder.Client}); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("a new start after the end: %v", err)
	}
	if err := w.Inject(t.Context(), scenario.Fault{Name: "crash", When: "hold"}); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("armed after the end: %v", err)
	}
	w.verdicts(nil)
}

// TestNothingHappensToWhoHasLeft: nor can a process that stands still leave in
// good order.
func TestNothingHappensToWhoHasLeft(t *testing.T) {
	t.Parallel()
	run, holder := startHeld(t, slow(2))
	inject := func(name string) error {
		return run.Inject(t.Context(), scenario.Fault{Name: name, Client: holder.Client})
	}
	run.must(inject("pause"))
	if err := inject("close"); !errors.Is(err, client.ErrImpossible) {
		t.Errorf("a paused client was closed: %v", err)
	}
	run.must(inject("heal"))
	run.must(inject("close"))
	for _, name := range []string{"close", "crash", "pause", "partition", "lose-reply", "expire", "delete"} {
		if err := inject(name); !errors.Is(err, client.ErrImpossible) {
			t.Errorf("%s of a client that has left: %v", name, err)
		}
	}
	run.untilKind(event.LockAcquired, 3-holder.Client)
	run.finish()
	run.verdicts(nil)
}

// TestOperatorDeletes: the log says whose znode it was, and that its owner is
// not who deleted it.
func TestOperatorDeletes(t *testing.T) {
	t.Parallel()
	run, holder := startHeld(t, slow(2))
	remove := scenario.Fault{Name: "delete", Client: holder.Client}
	run.must(run.Inject(t.Context(), remove))
	told := run.untilKind(event.FaultInjected, holder.Client)
	deleted := run.untilDeleted(holder.Path)
	if told.Path != holder.Path || deleted.Cause != "outsider" || deleted.Client != holder.Client {
		t.Errorf("told of %s; deleted by %q, of client %d", told.Path, deleted.Cause, deleted.Client)
	}
	if err := run.Inject(t.Context(), remove); !errors.Is(err, client.ErrImpossible) {
		t.Errorf("deleted again: %v", err)
	}
	run.untilKind(event.NoteFault, holder.Client)
}

// TestScheduledFaultFindsTheHolder: a fault of the scenario hits each lane's holder.
func TestScheduledFaultFindsTheHolder(t *testing.T) {
	t.Parallel()
	given := slow(3)
	given.Lanes = append(given.Lanes, scenario.Lane{Name: "herd", Recipe: "herd"})
	given.Faults = []scenario.ScheduledFault{{At: milliseconds(200), Fault: scenario.Fault{Name: "crash"}}}
	run := start(t, zktest.Start(t), given)
	holder := make(map[string]int)
	for hit := 0; hit < 2; {
		e := run.until("a scheduled fault", func(e event.Event) bool {
			return e.Kind == event.LockAcquired || e.Kind == event.FaultInjected
		})
		if e.Kind == event.LockAcquired {
			holder[e.Lane] = e.Client
			continue
		}
		hit++
		if e.Client != holder[e.Lane] {
			t.Errorf("lane %s: the fault hit client %d, the holder was %d", e.Lane, e.Client, holder[e.Lane])
		}
	}
}
