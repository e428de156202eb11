package web_test

import (
	"bytes"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// TestUpgradeRecording: a recording of an older release comes back as one of this release,
// and what is none is refused with a reason.
func TestUpgradeRecording(t *testing.T) {
	s := open(t)
	old, err := os.ReadFile("../check/testdata/version1/lost-wakeup.ndjson.zst")
	if err != nil {
		t.Fatal(err)
	}
	a := s.ask(http.MethodPost, "/api/recordings/upgrade", string(old))
	if a.status != http.StatusOK {
		t.Fatalf("%d: %s", a.status, a.body)
	}
	unread := func(event.Run) func(event.Event) []event.Event {
		t.Error("the answer is of an older release")
		return func(event.Event) []event.Event { return nil }
	}
	recording, err := event.OpenRecording(bytes.NewReader(a.body), unread)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	costs := 0
	for e, err := range recording.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == event.CostChanged {
			costs++
		}
	}
	if costs == 0 {
		t.Error("it does not tell what its releases cost")
	}
	for name, body := range map[string]string{"nothing": "", "no recording": "{}", "cut off": string(old[:500])} {
		if a := s.ask(http.MethodPost, "/api/recordings/upgrade", body); a.status != http.StatusBadRequest || !strings.Contains(string(a.body), `"not_a_recording"`) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
}
