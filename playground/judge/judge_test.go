package judge_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/program/programtest"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// judged runs a program through trials on the server that the tests share.
func judged(t *testing.T, command []string, trials ...string) judge.Result {
	t.Helper()
	server := zktest.Start(t)
	config := judge.Config{Program: client.ProgramConfig{Command: command, Supervisor: programtest.Supervisor()},
		Shared: run.Backend{Servers: []string{server.Address()}}, Base: server.Root(t) + "/playground", Seed: 1, AtOnce: 4, LogDir: t.TempDir()}
	for _, name := range trials {
		trial, ok := judge.Find(name)
		if !ok {
			t.Fatalf("there is no trial %s", name)
		}
		config.Trials = append(config.Trials, trial)
	}
	r, err := judge.Judge(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKnownBugs: each bug that the museum shows, and one that others may write, is found by the
// trial that is made for it, in the property that it breaks, and a smaller run shows it, too.
func TestKnownBugs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		recipe, trial string
		property      judge.Property
		why           string
	}{
		{"adopting", "lost-reply-to-create", judge.Safe, "a znode of a session that was not its own"},
		{"deaf", "expired-holder", judge.Safe, "the server had told it that its session had expired"},
		{"flag", "crash-of-holder", judge.Live, "nobody held from"},
		{"gozookeeper", "deleted-place", judge.Safe, "both believed that they held"},
		{"herd", "calm", judge.Cheap, "clients for nothing"},
		{"nested", "calm", judge.Live, "watches the znode of client"},
		{"plain", "lost-reply-to-create", judge.Live, "nobody held from"},
		{"plain", "lost-reply-to-create", judge.Clean, "it had two"},
		{"two-sessions", "expired-holder", judge.Safe, "both believed that they held"},
		{"writelock", "slow-network", judge.Live, "nobody held from"},
	} {
		t.Run(test.recipe+" is not "+string(test.property), func(t *testing.T) {
			t.Parallel()
			outcome := judged(t, programtest.Lock(test.recipe), test.trial).Outcomes[0]
			if f, _ := outcome.Of(test.property); f.Verdict != event.Violated || !strings.Contains(f.Why, test.why) || f.Seq == 0 || f.At == 0 {
				t.Errorf("%+v", outcome.Findings)
			}
		})
	}
}

// TestRightLock: the library's lock passes every trial that needs no servers of its own.
func TestRightLock(t *testing.T) {
	t.Parallel()
	var names []string
	for _, trial := range judge.Trials() {
		if trial.Servers == 0 {
			names = append(names, trial.Name)
		}
	}
	for _, o := range judged(t, programtest.Lock("zklock"), names...).Outcomes {
		for _, f := range o.Findings {
			if f.Verdict != event.Holds {
				t.Errorf("%s, %s: %s: %s", o.Trial.Name, f.Property, f.Verdict, f.Why)
			}
		}
	}
}

// TestNoLock: a program that never gets the lock ends the judgement after the first trial.
func TestNoLock(t *testing.T) {
	t.Parallel()
	r := judged(t, []string{"sh", "-c", "echo no such library >&2; exit 3"}, "calm", "pause")
	if f, _ := r.Outcomes[0].Of(judge.Live); f.Verdict != event.Violated || !strings.Contains(f.Why, "exit status 3") || !strings.Contains(f.Why, "no such library") {
		t.Errorf("live: %+v", f)
	}
	if r.Outcomes[1].Skipped == "" || len(r.Failed()) != 1 {
		t.Errorf("%+v", r.Outcomes[1])
	}
}

// TestTwoAtOnce: a lock that is always free is found out, and so is one whose token is none.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	const free = `while read -r line; do case "$line" in
*acquire*) echo '{"type":"acquired"%s}' ;; *release*) echo '{"type":"released"}' ;; esac; done`
	r := judged(t, []string{"sh", "-c", strings.Replace(free, "%s", "", 1)}, "giving-up")
	if f, _ := r.Outcomes[0].Of(judge.Safe); f.Verdict != event.Violated || !strings.Contains(f.Why, "by no znode that is known") {
		t.Errorf("safe: %+v", f)
	}
	if s := r.Outcomes[0].Smaller; s == nil || s.Clients != 2 {
		t.Errorf("smaller: %+v", s)
	}
	r = judged(t, []string{"sh", "-c", strings.Replace(free, "%s", "", 1)}, "calm") // each holds for milliseconds
	if f, _ := r.Outcomes[0].Of(judge.Safe); f.Verdict != event.Violated {
		t.Errorf("safe, where each holds for milliseconds: %+v", f)
	}
}

// TestCancel: a judgement that is broken off leaves nothing, and says so.
func TestCancel(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	config := judge.Config{Program: client.ProgramConfig{Command: []string{"sleep", "1000"}, Supervisor: programtest.Supervisor()},
		Shared: run.Backend{Servers: []string{server.Address()}},
		Base:   server.Root(t) + "/playground", Trials: judge.Trials()[:2], AtOnce: 1, LogDir: t.TempDir(),
		Began: func(judge.Trial) { cancel() }}
	if r, err := judge.Judge(ctx, config); !errors.Is(err, context.Canceled) || len(r.Failed()) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestTrials: each has a name of its own, a sentence, properties in order, and a valid plan.
func TestTrials(t *testing.T) {
	names := make(map[string]bool)
	for _, trial := range append(judge.Trials(), judge.ClaimTrials()...) {
		if names[trial.Name] || !strings.HasSuffix(trial.Sentence, ".") || len(trial.Asks) == 0 {
			t.Errorf("%+v", trial)
		}
		names[trial.Name] = true
		order := func(p judge.Property) int { return slices.Index(judge.Properties(), p) }
		if !slices.IsSortedFunc(trial.Asks, func(a, b judge.Property) int { return order(a) - order(b) }) {
			t.Errorf("%s asks for %v", trial.Name, trial.Asks)
		}
	}
}
