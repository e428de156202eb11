package run_test

import (
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// crawl is a scenario whose links are as slow as its session allows.
func crawl() scenario.Scenario {
	given := fast("mutex", 3)
	given.Session, given.Delay = milliseconds(6000), milliseconds(1500)
	return given
}

// TestSlowestLink: the slowest link that is allowed still lets clients lock and
// release, and the end of the run does not wait for what is under way.
func TestSlowestLink(t *testing.T) {
	t.Parallel()
	stalls := watchStalls(t)
	w := start(t, zktest.Start(t), crawl())
	w.untilKind(event.LockReleased, 0)
	w.untilCount(1, event.LockAcquired)
	began := time.Now()
	w.finish()
	if took := time.Since(began); took > 2*time.Duration(crawl().Delay)+stalls.slack() {
		t.Errorf("the end took %v, longer than a round trip", took)
	}
	w.verdicts(map[string]event.Verdict{"fifo": w.Summary().Lanes[0].Verdicts[2].Verdict}) // two acquisitions or three
	for _, e := range w.all() {
		if e.Kind == event.LockLost {
			t.Errorf("event %d: %s", e.Seq, e.Why)
		}
	}
	if err := tooSlow().Validate(run.Catalogue()); !errors.Is(err, scenario.ErrInvalid) {
		t.Errorf("a delay that no handshake survives: %v", err)
	}
}

func tooSlow() scenario.Scenario {
	given := crawl()
	given.Delay++
	return given
}

// TestStopDuringHandshakes: a run that ends while its clients connect leaves no
// session behind for the server to time out.
func TestStopDuringHandshakes(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{AdminServer: true})
	given := crawl()
	given.Clients, given.Session = 20, milliseconds(30_000) // no handshake is given up
	config := configFor(t, server, given, 0)
	before := liveSessions(t, server)
	run := startWith(t, config)
	run.untilCount(given.Clients, event.WireSent) // each asks for a session
	run.finish()
	awaitSessions(t, server, before)
	granted, closed := 0, 0
	for _, e := range run.all() {
		switch e.Kind {
		case event.SessionGranted:
			granted++
		case event.SessionClosed:
			closed++
		}
	}
	if granted != given.Clients || closed != granted {
		t.Errorf("%d of %d sessions granted, %d closed", granted, given.Clients, closed)
	}
}

// TestRefusedExpiryIsNoted: what did not happen does not look as if it had.
func TestRefusedExpiryIsNoted(t *testing.T) {
	t.Parallel()
	run, holder := startHeld(t, slow(2))
	// It is not to open another session, which could be expired, too.
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "partition", Client: holder.Client}))
	expire := scenario.Fault{Name: "expire", Client: holder.Client}
	run.must(run.Inject(t.Context(), expire))
	if err := run.Inject(t.Context(), expire); !errors.Is(err, client.ErrImpossible) {
		t.Errorf("expiring what has expired: %v", err)
	}
	note := run.untilKind(event.NoteFault, holder.Client)
	if note.Fault != "expire" || note.Why == "" {
		t.Errorf("the note says %+v", note)
	}
}
