package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// TestRunInterrupted: who ends a run early gets what it came to so far.
func TestRunInterrupted(t *testing.T) {
	t.Parallel()
	java, recording := newJavaHome(t), filepath.Join(t.TempDir(), "run.ndjson.zst")
	c := start(t, java.setting(), "run", "-for", "1h", "-delay", "100ms", "-record", recording, "ephemeral-crash")
	c.stderr.await(t, `[1-9][0-9]* acquisitions`)
	c.mustStop(t, os.Interrupt)
	mustSummarize(t, c.stdout.text(), "ephemeral-crash")
	if pid := java.pid(t); running(pid) {
		t.Errorf("Java with process id %d is left", pid)
	}
	again := start(t, nil, "run", "-replay", recording)
	if code := again.exitCode(t, timeout); code != 0 || again.stdout.text() != c.stdout.text() {
		t.Errorf("the replay ends with %d and\n%s\nwant\n%s", code, again.stdout.text(), c.stdout.text())
	}
}

// mustSummarize reads a summary, none of whose verdicts may be violated.
func mustSummarize(t *testing.T, text, scenario string) {
	t.Helper()
	var summary check.Summary
	if err := json.Unmarshal([]byte(text), &summary); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	if summary.Scenario != scenario || len(summary.Lanes) == 0 {
		t.Errorf("summary of %q with %d lanes, want %q", summary.Scenario, len(summary.Lanes), scenario)
	}
	for _, lane := range summary.Lanes {
		for _, v := range lane.Verdicts {
			if v.Verdict == event.Violated {
				t.Errorf("%s: %s is %s: %s", lane.Name, v.Check, v.Verdict, v.Why)
			}
		}
	}
}

// TestReplayJudges: two clients that believe at once are a failure, unless the
// scenario is made to show just that.
func TestReplayJudges(t *testing.T) {
	t.Parallel()
	violated := map[string]event.Verdict{"belief": event.Violated}
	tests := []struct {
		name   string
		expect map[string]event.Verdict
		code   int
		stderr string
	}{
		{"unexpected", nil, exitFailure, "playground: belief is violated in lane lane: client 1 (since event 1) and client 2 (event 2) both believed that they held at 0.000 s\n"},
		{"expected", violated, 0, ""},
		{"other expected", map[string]event.Verdict{"fifo": event.Violated}, exitFailure, "fifo in lane lane: expected violated, is holds: 2 acquisitions in the order of their znodes\nplayground: belief is violated in lane lane: client 1 (since event 1) and client 2 (event 2) both believed that they held at 0.000 s\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := start(t, nil, "run", "-replay", recordBelievers(t, test.expect))
			if code := c.exitCode(t, timeout); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if got := c.stderr.text(); got != test.stderr {
				t.Errorf("stderr %q, want %q", got, test.stderr)
			}
			if summary := c.stdout.text(); !json.Valid([]byte(summary)) {
				t.Errorf("no summary: %q", summary)
			}
		})
	}
}

// recordBelievers records a run in which two clients believe that they hold.
func recordBelievers(t *testing.T, expect map[string]event.Verdict) string {
	t.Helper()
	log := event.NewLog(event.LogConfig{Clock: func() time.Duration { return 0 }})
	for client, node := range []string{"/lock/_c_a-lock-0000000000", "/lock/_c_b-lock-0000000001"} {
		e := event.Event{Kind: event.LockAcquired, Lane: "lane", Client: client + 1, Path: node}
		if _, err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "believers.ndjson.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	run := event.Run{Scenario: "believers", Expect: expect,
		Lanes: []event.Lane{{Name: "lane", Recipe: "mutex", Path: "/lock", Clients: 2}}}
	if err := event.WriteRecording(file, run, log); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}
