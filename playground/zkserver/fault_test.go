package zkserver_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// briefly is how long a test looks that something stays as it is.
const briefly = 500 * time.Millisecond

func mustInject(t *testing.T, ensemble *zkserver.Ensemble, fault string, length time.Duration) (server string) {
	t.Helper()
	var why *event.Reason
	eventually(t, fault+" is possible", func() (done bool) {
		var err error
		if server, why, err = ensemble.Inject(t.Context(), fault, length); err != nil {
			t.Logf("%s: %v", fault, err) // no leader told of itself in time
		}
		return err == nil
	})
	if why == nil {
		t.Errorf("Inject(%s, %v) says not why", fault, length)
	}
	return server
}

func mustHeal(t *testing.T, ensemble *zkserver.Ensemble) {
	t.Helper()
	if err := ensemble.Heal(within(t)); err != nil {
		t.Fatal(err)
	}
}

// pids are the processes that run or ran last.
func pids(ensemble *zkserver.Ensemble) (pids []int) {
	for _, server := range ensemble.Servers() {
		pids = append(pids, server.PID())
	}
	return pids
}

// died lists the servers whose process is not the one that it was.
func died(ensemble *zkserver.Ensemble, before []int) (died []int) {
	for i, pid := range before {
		if !running(pid) {
			died = append(died, i)
		}
	}
	return died
}

// TestEnsemble does to one ensemble what it recovers from, one thing after the other.
func TestEnsemble(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ensemble := mustEnsemble(t, zkserver.Config{Dir: dir}, 3)
	if ensemble.Nodes() != 3 || len(ensemble.Addresses()) != 3 || ensemble.Version() == "" {
		t.Errorf("%d nodes at %v, version %q", ensemble.Nodes(), ensemble.Addresses(), ensemble.Version())
	}
	t.Run("a silent server", func(t *testing.T) { leaderBesideASilentServer(t, ensemble) }) // the first, as it has to be a follower
	t.Run("another leader", func(t *testing.T) { anotherLeads(t, ensemble) })
	t.Run("faults", func(t *testing.T) { faults(t, ensemble) })
	t.Run("lose-quorum until healed", func(t *testing.T) { loseQuorumUntilHealed(t, ensemble) })
	t.Run("healing ends the timer", func(t *testing.T) { healBeforeTime(t, ensemble) })
	t.Run("data is kept", func(t *testing.T) { dataIsKept(t, ensemble, dir) })
}

// faults: each kills whom it should, once, and the servers recover.
func faults(t *testing.T, ensemble *zkserver.Ensemble) {
	tests := []struct {
		fault  string
		length time.Duration
		deaths int
		named  bool // it tells which server
	}{
		{"kill-leader", 0, 1, true},
		{"kill-follower", 300 * time.Millisecond, 1, true},
		{"lose-quorum", 300 * time.Millisecond, 2, false},
		{"restart", 0, 3, false},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			leader, before := mustLead(t, ensemble), pids(ensemble)
			server := mustInject(t, ensemble, test.fault, test.length)
			dead := died(ensemble, before)
			if len(dead) != test.deaths || (server != "") != test.named {
				t.Errorf("servers %v died, it names %q; want %d deaths, named %v", dead, server, test.deaths, test.named)
			}
			if test.named && server != ensemble.Addresses()[dead[0]] {
				t.Errorf("it names %s, but server %d died", server, dead[0])
			}
			if led := slices.Contains(dead, leader); led != (test.fault != "kill-follower") {
				t.Errorf("the leader %d among the dead %v: %v", leader, dead, led)
			}
			eventually(t, "all serve again, without a healing", func() bool { return allServe(t, ensemble) })
		})
	}
}

func allServe(t *testing.T, ensemble *zkserver.Ensemble) bool {
	for _, server := range ensemble.Servers() {
		if _, err := zkserver.Probe(t.Context(), server.Address()); err != nil || !running(server.PID()) {
			return false
		}
	}
	return true
}

// loseQuorumUntilHealed: the server that is left serves nobody, none can be
// struck, and what was written is there afterwards.
func loseQuorumUntilHealed(t *testing.T, ensemble *zkserver.Ensemble) {
	write(t, ensemble, "/kept")
	mustInject(t, ensemble, "lose-quorum", 0)
	for _, fault := range []string{"kill-leader", "kill-follower", "lose-quorum"} {
		_, _, err := ensemble.Inject(t.Context(), fault, 0)
		if !errors.Is(err, zkserver.ErrRefused) || !strings.Contains(err.Error(), "heal the servers first") {
			t.Errorf("%s without a quorum: %v", fault, err)
		}
	}
	eventually(t, "nobody serves", func() bool {
		return !slices.ContainsFunc(ensemble.Addresses(), func(address string) bool {
			_, err := zkserver.Probe(t.Context(), address)
			return err == nil
		})
	})
	mustHeal(t, ensemble)
	write(t, ensemble, "/kept/child") // below what was written before
}

// TestServerAway: a server alone stays away for as long as asked, or until it is healed, and comes
// back as another process with what was written before.
func TestServerAway(t *testing.T) {
	t.Parallel()
	const length = 2 * time.Second
	ensemble := mustEnsemble(t, zkserver.Config{}, 1)
	write(t, ensemble, "/kept")
	before, began := pids(ensemble), time.Now()
	if server := mustInject(t, ensemble, "server-away", length); server != ensemble.Addresses()[0] {
		t.Errorf("it concerns %q", server)
	}
	if len(died(ensemble, before)) != 1 {
		t.Error("the server did not die")
	}
	write(t, ensemble, "/kept/child") // below what was written before
	if away := time.Since(began); away < length {
		t.Errorf("it was away for %v, want at least %v", away, length)
	}
	mustInject(t, ensemble, "server-away", 0)
	if _, _, err := ensemble.Inject(t.Context(), "restart", 0); !errors.Is(err, zkserver.ErrRefused) {
		t.Errorf("a restart meanwhile: %v", err)
	}
	mustHeal(t, ensemble)
	write(t, ensemble, "/kept/child/again")
}

// healBeforeTime: an outage that was healed must not end a later one when its
// own time would have been over.
func healBeforeTime(t *testing.T, ensemble *zkserver.Ensemble) {
	eventually(t, "all serve", func() bool { return allServe(t, ensemble) })
	const length = time.Second
	began := time.Now()
	mustInject(t, ensemble, "lose-quorum", length)
	mustHeal(t, ensemble)
	mustInject(t, ensemble, "lose-quorum", 0)
	before := pids(ensemble)
	watch, cancel := context.WithDeadline(t.Context(), began.Add(length+2*briefly))
	defer cancel()
	<-watch.Done()
	if !slices.Equal(pids(ensemble), before) {
		t.Error("a server was started by the timer of an outage that was healed")
	}
}

func TestFaultRefusals(t *testing.T) {
	t.Parallel()
	alone := mustEnsemble(t, zkserver.Config{}, 1)
	tests := []struct {
		fault  string
		length time.Duration
		why    string
	}{
		{"explode", 0, "no fault"},
		{"", 0, "no fault"},
		{"restart", time.Second, "cannot take 1s"},
		{"kill-leader", -1, "cannot take -1ns"},
		{"kill-leader", 0, "start with -nodes 3"},
		{"kill-follower", time.Second, "start with -nodes 3"},
		{"lose-quorum", 0, "start with -nodes 3"},
	}
	before := pids(alone)
	for _, test := range tests {
		_, _, err := alone.Inject(t.Context(), test.fault, test.length)
		if !errors.Is(err, zkserver.ErrRefused) || !strings.Contains(err.Error(), test.why) {
			t.Errorf("Inject(%q, %v) = %v, want %q", test.fault, test.length, err, test.why)
		}
	}
	if dead := died(alone, before); len(dead) != 0 {
		t.Error("a refused fault killed the server")
	}
	server := mustInject(t, alone, "restart", 0)
	if dead := died(alone, before); len(dead) != 1 || server != alone.Addresses()[0] {
		t.Errorf("restart killed %d servers and names %q", len(dead), server)
	}
	mustHeal(t, alone)
	if _, err := probeInTime(t, server); err != nil { // it is the only one, so Heal has waited for it
		t.Errorf("the server does not serve when Heal has returned: %v", err)
	}
}
