package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/disktest"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestDiskFilledInMidRun: the disk of -data is full, with the logs on it, and a
// managed ZooKeeper. The run ends as truncated and says why, and the next one
// starts although nobody makes room.
func TestDiskFilledInMidRun(t *testing.T) {
	t.Parallel()
	t.Run("managed ZooKeeper", func(t *testing.T) {
		t.Parallel()
		fillInMidRun(t)
	})
	t.Run("foreign ZooKeeper", func(t *testing.T) {
		t.Parallel()
		zookeeper := zktest.StartOwn(t, zkserver.Config{}).Address()
		fillInMidRun(t, "-zookeeper", zookeeper)
		fillHeadless(t, zookeeper)
	})
}

func fillInMidRun(t *testing.T, args ...string) {
	const run = "/api/rooms/main/run"
	data := disktest.New(t, 8<<20)
	s := serve(t, nil, append(args, "-data", data)...)
	s.mustRequest(t, http.StatusCreated, http.MethodPost, run, `{"scenario": "herd-vs-predecessor", "delay": "0s"}`)
	s.awaitEvent(t, "lock.acquired")
	disktest.AwaitTaken(t, data, 2<<20) // room that the run has set aside
	disktest.Fill(t, data)
	s.awaitEvent(t, "note.truncated")
	s.mustRequest(t, http.StatusOK, http.MethodDelete, run, "") // waits for its end
	mustBeCutShort(t, s)

	// A managed ZooKeeper has died, and may take longer to come back than a start waits.
	eventually(t, "the next run starts", func() bool {
		status, _ := s.request(t, http.MethodPost, run, `{"scenario": "predecessor", "delay": "0s"}`)
		return status == http.StatusCreated
	})
	s.awaitEvent(t, "lock.acquired")
	s.mustStop(t, os.Interrupt)
}

// fillHeadless: the program ends early, prints the summary, says why it fails, and
// the recording that it was asked for has all that the log has.
func fillHeadless(t *testing.T, zookeeper string) {
	data, recording := disktest.New(t, 8<<20), filepath.Join(t.TempDir(), "run.zst")
	c := start(t, nil, "run", "-zookeeper", zookeeper, "-data", data, "-for", "1h", "-record", recording, "predecessor")
	disktest.AwaitTaken(t, data, 2<<20) // room that the run has set aside
	disktest.Fill(t, data)
	if code := c.exitCode(t, timeout); code != exitFailure {
		t.Errorf("exit code %d, want %d", code, exitFailure)
	}
	want := "the run ended early: its log can take no more\nplayground: the log cannot be kept: the disk of " + data + " is full, only 0 bytes are free\n"
	if got := c.stderr.text(); !strings.HasSuffix(got, want) {
		t.Errorf("stderr ends with %q, want %q", got, want)
	}
	mustSummarize(t, c.stdout.text(), "predecessor")
	again := start(t, nil, "run", "-replay", recording)
	if code := again.exitCode(t, timeout); code != 0 || again.stdout.text() != c.stdout.text() {
		t.Errorf("the replay ends with %d and\n%s\nwant\n%s", code, again.stdout.text(), c.stdout.text())
	}
}

// mustBeCutShort looks at what is told of a run whose log could not be kept.
func mustBeCutShort(t *testing.T, s site) {
	t.Helper()
	var summary check.Summary
	if err := json.Unmarshal([]byte(s.mustRequest(t, http.StatusOK, http.MethodGet, "/api/rooms/main/summary", "")), &summary); err != nil {
		t.Fatal(err)
	}
	lines, verdicts := strings.Split(strings.TrimSpace(s.log(t)), "\n"), 0
	if summary.Events != int64(len(lines)) {
		t.Errorf("the summary counts %d events, the log has %d", summary.Events, len(lines))
	}
	for _, lane := range summary.Lanes {
		for _, v := range lane.Verdicts {
			verdicts++
			if v.Verdict != event.Undecided || !strings.Contains(v.Why, "the log cannot be kept: ") {
				t.Errorf("%s is %s: %s", v.Check, v.Verdict, v.Why)
			}
		}
	}
	note := lines[len(lines)-1-verdicts] // after it come the verdicts
	for _, want := range []string{`"kind":"note.truncated"`, `"err":"the log cannot be kept: `, `"why":"`} {
		if !strings.Contains(note, want) {
			t.Errorf("the log ends with %s and the verdicts, want %s", note, want)
		}
	}
}

// TestRecordOnAFullDisk: the program fails and says why in one line, after the
// summary. There is no part of a recording, and what had its name before stays.
func TestRecordOnAFullDisk(t *testing.T) {
	t.Parallel()
	dir, zookeeper := disktest.New(t, 1<<20), zktest.StartOwn(t, zkserver.Config{}).Address()
	before, missing := filepath.Join(dir, "before.zst"), filepath.Join(dir, "missing.zst")
	if err := os.WriteFile(before, []byte("an earlier recording"), 0o666); err != nil {
		t.Fatal(err)
	}
	filler := disktest.Fill(t, dir)
	for _, name := range []string{before, missing, "/dev/full"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			c := start(t, nil, "run", "-zookeeper", zookeeper, "-for", "1s", "-record", name, "herd")
			if code := c.exitCode(t, timeout); code != exitFailure {
				t.Errorf("exit code %d, want %d", code, exitFailure)
			}
			mustSummarize(t, c.stdout.text(), "herd")
			lines := strings.Split(strings.TrimSpace(c.stderr.text()), "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, "playground: write the recording: ") || strings.Count(last, "no space left on device") != 1 {
				t.Errorf("stderr ends with %q", last)
			}
		})
	}
	left, err := os.ReadDir(dir)
	if text, err := os.ReadFile(before); err != nil || string(text) != "an earlier recording" {
		t.Errorf("the earlier recording has become one of %d bytes, %v", len(text), err)
	}
	if err != nil || len(left) != 2 || left[0].Name() != "before.zst" || left[1].Name() != filepath.Base(filler) {
		t.Errorf("on the disk are %v, %v", left, err)
	}
}
