package event_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// TestJournal: of a journal that is torn anywhere, all whole events of before are recovered.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	journal, name := filepath.Join(dir, "journal"), filepath.Join(dir, "recording")
	log := event.NewLog(event.LogConfig{})
	defer log.Close()
	const events = 1000
	for range events {
		if _, err := log.Append(event.Event{Kind: event.WireSent, Client: 1, Op: "create", Path: "/lock/lock-"}); err != nil {
			t.Fatal(err)
		}
	}
	log.Seal()
	if err := event.WriteJournal(t.Context(), journal, event.Run{ID: "a-1", State: event.Running}, log, 1<<20); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	lost := event.NewCode("lost-in-a-test", "its program was lost").With()
	for _, left := range []int{len(whole), len(whole) - 1, len(whole) / 2, len(whole) / 4} {
		if err := os.WriteFile(journal, whole[:left], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := event.RecoverRecording(t.Context(), journal, name, lost, 1<<20, nil); err != nil {
			t.Fatalf("%d of %d bytes: %v", left, len(whole), err)
		}
		recovered := read(t, name)
		n := len(recovered) - 2
		if n < 0 || n > events || left == len(whole) && n != events {
			t.Fatalf("%d of %d bytes have %d events of %d", left, len(whole), n, events)
		}
		for i, e := range recovered[:n] {
			if e.Seq != int64(i+1) || e.Kind != event.WireSent {
				t.Fatalf("event %d is %+v", i+1, e)
			}
		}
		if end := recovered[n+1]; recovered[n].Kind != event.NoteStopping || end.Kind != event.NoteFinished || !end.Reason.Has("lost-in-a-test") {
			t.Errorf("it ends with %+v", recovered[n:])
		}
	}
}

func TestJournalHasALimit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	log := event.NewLog(event.LogConfig{})
	defer log.Close()
	log.Seal()
	if err := event.WriteJournal(context.Background(), name, event.Run{}, log, 10); !errors.Is(err, event.ErrTooLarge) {
		t.Errorf("WriteJournal = %v, want %v", err, event.ErrTooLarge)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the journal that was given up is there: %v", err)
	}
}

func read(t *testing.T, name string) (events []event.Event) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	recording, err := event.OpenRecording(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	for e, err := range recording.Events() {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	if recording.Run.State != event.Finished {
		t.Errorf("the run is %s", recording.Run.State)
	}
	return events
}
