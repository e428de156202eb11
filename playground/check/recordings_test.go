package check_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	_ "github.com/zkplayground/zkplayground/playground/observer" // its reasons are in recordings
)

const fixtures = "../../static/test/fixtures/"

// TestSummariesOfRecordings: the summaries that the page's tests compare with are
// still those of the recordings.
func TestSummariesOfRecordings(t *testing.T) {
	files, err := filepath.Glob(fixtures + "*.summary.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d summaries: %v", len(files), err)
	}
	for _, file := range files {
		if updating() {
			writeSummary(t, file, replayed(t, recordingOf(file)))
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want check.Summary
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if diff := cmp.Diff(want, replayed(t, recordingOf(file))); diff != "" {
			t.Errorf("%s: (-file +replay)\n%s", file, diff)
		}
	}
}

// updating says whether -update is given, of which recorded_test.go has more.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

func recordingOf(summary string) string {
	return strings.Replace(summary, ".summary.json", ".ndjson.zst", 1)
}

func writeSummary(t *testing.T, file string, s check.Summary) {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(s); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// opened is the recording in a file, until the test ends.
func opened(t *testing.T, name string) *event.Recording {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	recording, err := event.OpenRecording(file, check.Follow)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Cleanup(func() { recording.Close() })
	return recording
}

func replayed(t *testing.T, name string) check.Summary {
	t.Helper()
	recording := opened(t, name)
	checker := check.New(recording.Run)
	for e, err := range recording.Events() {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checker.Apply(e)
	}
	return checker.Summary()
}

// TestOldRecordings: recordings that were made before the log had what follows from its
// events come to what they came to then.
func TestOldRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/version1/*.ndjson.zst")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ndjson.zst")
		text, err := os.ReadFile(fixtures + name + ".summary.json")
		if err != nil {
			t.Fatal(err)
		}
		var want check.Summary
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, replayed(t, file)); diff != "" {
			t.Errorf("%s: (-today +upgraded)\n%s", name, diff)
		}
	}
}

// TestUpgradeRecording: without what follows from its events, each recording is made whole
// again, to the byte. With -update the file becomes what it is then.
func TestUpgradeRecording(t *testing.T) {
	files, err := filepath.Glob(fixtures + "*.ndjson.zst")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	for _, file := range files {
		want, observed := textOf(t, file)
		var upgraded bytes.Buffer
		if err := event.UpgradeRecording(&upgraded, strings.NewReader(observed), 1<<30, check.Follow); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		compressed := slices.Clone(upgraded.Bytes())
		recording, err := event.OpenRecording(&upgraded, check.Follow)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		var got strings.Builder
		if err := recording.WriteText(&got); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		recording.Close()
		switch {
		case want == got.String():
		case updating():
			if err := os.WriteFile(file, compressed, 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s: (-recorded +upgraded)\n%s", file, cmp.Diff(strings.Split(want, "\n"), strings.Split(got.String(), "\n")))
		}
	}
}

// textOf returns the text of a recording, and that of version 1 with those of its events
// that were observed.
func textOf(t *testing.T, name string) (whole, observed string) {
	t.Helper()
	recording := opened(t, name)
	var text strings.Builder
	if err := recording.WriteText(&text); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	var kept []string
	for _, line := range lines[1:] {
		var e event.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if e.Kind.Follows() {
			continue
		}
		prefix := fmt.Sprintf(`{"seq":%d,`, e.Seq)
		kept = append(kept, fmt.Sprintf(`{"seq":%d,`, len(kept)+1)+strings.TrimPrefix(line, prefix))
	}
	run := recording.Run
	run.Events = int64(len(kept))
	header, err := json.Marshal(map[string]any{"format": event.RecordingFormat, "version": 1, "run": run})
	if err != nil {
		t.Fatal(err)
	}
	return text.String(), string(header) + "\n" + strings.Join(kept, "\n") + "\n"
}

// TestUpgradeIsBounded: no more of a text is read than is allowed.
func TestUpgradeIsBounded(t *testing.T) {
	_, observed := textOf(t, fixtures+"lost-wakeup.ndjson.zst")
	for _, limit := range []int64{10, 5000} {
		if err := event.UpgradeRecording(&bytes.Buffer{}, strings.NewReader(observed), limit, check.Follow); !errors.Is(err, event.ErrNotRecording) {
			t.Errorf("of %d bytes: %v", limit, err)
		}
	}
}
