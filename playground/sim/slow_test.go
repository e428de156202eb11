package sim_test

import (
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/sim"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// crawl is a scenario whose links are as slow as its session allows.
func crawl() sim.Scenario {
	scenario := fast("mutex", 3)
	scenario.Session, scenario.Delay = milliseconds(12_000), milliseconds(3000)
	return scenario
}

// TestSlowestLink: the slowest link that is allowed still lets clients lock and
// release, and the end of the run does not wait for what is under way.
func TestSlowestLink(t *testing.T) {
	t.Parallel() // it is mostly waiting
	stalls := watchStalls(t)
	run := start(t, zktest.Start(t), crawl())
	run.untilKind(event.LockReleased, 0)
	run.untilCount(1, event.LockAcquired)
	began := time.Now()
	run.finish()
	if took := time.Since(began); took > 2*time.Duration(crawl().Delay)+stalls.slack() {
		t.Errorf("the end took %v, longer than a round trip", took)
	}
	run.verdicts(map[string]event.Verdict{"fifo": run.Summary().Lanes[0].Verdicts[2].Verdict}) // two acquisitions or three
	for _, e := range run.all() {
		if e.Kind == event.LockLost {
			t.Errorf("event %d: %s", e.Seq, e.Why)
		}
	}
	if err := tooSlow().Validate(); !errors.Is(err, sim.ErrScenario) {
		t.Errorf("a delay that no handshake survives: %v", err)
	}
}

func tooSlow() sim.Scenario {
	scenario := crawl()
	scenario.Delay++
	return scenario
}

// TestStopDuringHandshakes: a run that ends while its clients connect leaves no
// session behind for the server to time out.
func TestStopDuringHandshakes(t *testing.T) {
	server := zktest.StartOwn(t, zkserver.Config{AdminServer: true})
	scenario := crawl()
	scenario.Clients = 20
	config := configFor(t, server, scenario, 0)
	before := liveSessions(t, server)
	run := startWith(t, config)
	run.untilCount(scenario.Clients, event.WireSent) // each asks for a session
	run.finish()
	if after := liveSessions(t, server); after != before {
		t.Errorf("%d sessions, there were %d", after, before)
	}
	granted, closed := 0, 0
	for _, e := range run.all() {
		switch e.Kind {
		case event.SessionGranted:
			granted++
		case event.SessionClosed:
			closed++
		}
	}
	if granted != scenario.Clients || closed != granted {
		t.Errorf("%d of %d sessions granted, %d closed", granted, scenario.Clients, closed)
	}
}

// TestRefusedExpiryIsNoted: what did not happen does not look as if it had.
func TestRefusedExpiryIsNoted(t *testing.T) {
	run, holder := startHeld(t, slow(2))
	// It is not to open another session, which could be expired, too.
	run.must(run.Inject(t.Context(), sim.Fault{Name: sim.Partition, Client: holder.Client}))
	expire := sim.Fault{Name: sim.Expire, Client: holder.Client}
	run.must(run.Inject(t.Context(), expire))
	if err := run.Inject(t.Context(), expire); !errors.Is(err, sim.ErrImpossible) {
		t.Errorf("expiring what has expired: %v", err)
	}
	note := run.untilKind(event.NoteFault, holder.Client)
	if note.Fault != sim.Expire || note.Why == "" {
		t.Errorf("the note says %+v", note)
	}
}
