package run_test

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/program/programtest"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// startProgram starts a run of clients that are programs.
func startProgram(t *testing.T, command []string, given scenario.Scenario) *watched {
	t.Helper()
	server := zktest.Start(t)
	return startWith(t, run.Config{Backend: run.Backend{Servers: []string{server.Address()}},
		Base: server.Root(t) + "/playground", Room: "test", ID: "run", Scenario: given,
		Program: &client.ProgramConfig{Command: command, Supervisor: programtest.Supervisor()}})
}

// TestProgram: what a program says is its belief, what it does is in the log, and the
// checks judge both. It works with the account that the lock protects.
func TestProgram(t *testing.T) {
	t.Parallel()
	given := fast("program", 3)
	given.Lanes[0].Account = scenario.AccountToken
	w := startProgram(t, programtest.Lock("mutex"), given)
	w.untilKind(event.LockWaiting, 0)
	w.untilKind(event.LockWoken, 0)
	w.untilCount(10, event.LockAcquired)
	w.finish()
	for _, e := range w.all() {
		if e.Kind == event.ProgramEnded || e.Kind == event.ProgramWrote {
			t.Errorf("%+v", e)
		}
	}
	summary := w.verdicts(nil)
	if lane := summary.Lanes[0]; lane.Acquisitions < 10 || lane.Requests == 0 {
		t.Errorf("%+v", lane)
	}
}

// TestFaultsOfAProgram: what can be done to a simulated client can be done to a program.
func TestFaultsOfAProgram(t *testing.T) {
	t.Parallel()
	given := fast("program", 2)
	given.Session, given.Hold, given.Think = milliseconds(2000), between(200, 300), between(0, 10)
	w := startProgram(t, programtest.Lock("mutex"), given)
	holder := w.untilKind(event.LockAcquired, 0)
	w.must(w.Inject(t.Context(), scenario.Fault{Lane: "lane", Name: "pause", Client: holder.Client}))
	w.untilKind(event.FaultInjected, holder.Client)
	other := w.untilKind(event.LockAcquired, 3-holder.Client) // its session has expired
	w.must(w.Inject(t.Context(), scenario.Fault{Lane: "lane", Name: "heal", Client: holder.Client}))
	w.untilKind(event.LockLost, holder.Client)
	w.must(w.Inject(t.Context(), scenario.Fault{Lane: "lane", Name: "crash", Client: other.Client}))
	w.untilKind(event.LockAcquired, holder.Client)
	w.must(w.Inject(t.Context(), scenario.Fault{Lane: "lane", Name: "start-again", Client: other.Client}))
	w.untilKind(event.LockAcquired, other.Client)
	w.must(w.Inject(t.Context(), scenario.Fault{Lane: "lane", Name: "expire", Client: other.Client}))
	w.untilKind(event.LockAcquired, other.Client)
	w.must(w.Inject(t.Context(), scenario.Fault{Lane: "lane", Name: "close", Client: other.Client}))
	w.untilKind(event.SessionClosed, other.Client)
	w.finish()
}

// TestProgramsThatFail: the run goes on without them, and says why they have ended.
func TestProgramsThatFail(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, script, want string }{
		{"nonsense", `echo hello; cat`, "expected one JSON object"},
		{"ends", `exit 3`, "exit status 3"},
		{"ends on acquire", `read a; exit 0`, "exit status 0"},
		{"forks", `i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i+1)); done; sleep 1000`, "it had"},
		{"no such program", `exec /no/such/program`, "exit status 127"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := startProgram(t, []string{"sh", "-c", test.script}, fast("program", 1))
			if e := w.untilKind(event.ProgramEnded, 1); !strings.Contains(e.Why, test.want) || !e.Injects(event.EndsProcess) {
				t.Errorf("%+v", e)
			}
			if w.State() != event.Running {
				t.Error("the run has ended")
			}
		})
	}
}

// TestProgramThatDoesNotWait: one that asks to close its session, and ends before the answer,
// leaves no session, whether the answer is dropped or not. Its timeout is 30 s, as it sends no
// heartbeats.
func TestProgramThatDoesNotWait(t *testing.T) {
	t.Parallel()
	w := startProgram(t, []string{"bash", "-c", `exec 3<>/dev/tcp/${PLAYGROUND_SERVER/://}
zeros() { head -c "$1" /dev/zero; }
{ printf '\0\0\0\x2d'; zeros 12; printf '\0\0\x75\x30'; zeros 8; printf '\0\0\0\x10'; zeros 17; } >&3
head -c 41 <&3 >/dev/null
cat >/dev/null
printf '\0\0\0\x08\0\0\0\x01\xff\xff\xff\xf5' >&3`}, fast("program", 1))
	w.untilKind(event.SessionGranted, 1)
	w.finish()
	closed := false
	for _, e := range w.all() {
		closed = closed || e.Kind == event.SessionClosed && e.Session != ""
		if e.Kind == event.ProgramEnded {
			t.Errorf("%+v", e)
		}
	}
	if !closed {
		t.Error("no session is told to be closed")
	}
}

// TestProgramThatDoesNotEnd: one that says and reads nothing is ended with the run, and so is
// one that goes on after its input has ended, long before the end's own time is over.
func TestProgramThatDoesNotEnd(t *testing.T) {
	t.Parallel()
	t.Run("silent", func(t *testing.T) {
		t.Parallel()
		w := startProgram(t, []string{"sleep", "1000"}, fast("program", 2))
		w.must(w.Inject(t.Context(), scenario.Fault{Lane: "lane", Name: "pause", Client: 1}))
		w.finish()
		if summary := w.Summary(); summary.Lanes[0].Acquisitions != 0 {
			t.Errorf("%+v", summary)
		}
	})
	t.Run("deaf", func(t *testing.T) {
		t.Parallel()
		given := fast("program", 1)
		given.Think = between(3_600_000, 3_600_000)
		w := startProgram(t, []string{"sh", "-c", `read a; echo '{"type":"acquired"}'; read r; echo '{"type":"released"}'; sleep 1000`}, given)
		w.untilKind(event.LockReleased, 1)
		w.finish()
	})
}

// TestNoProgram: a lane for a program does nothing where there is none, and says so.
func TestNoProgram(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	w := start(t, server, fast("program", 2))
	if lane := w.Describe().Lanes[0]; !strings.Contains(lane.Missing, "-lock COMMAND") {
		t.Errorf("missing: %q", lane.Missing)
	}
}
