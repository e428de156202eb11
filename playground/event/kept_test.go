package event_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// TestKeepRecording: what is kept is the recording, for as long as it is.
func TestKeepRecording(t *testing.T) {
	log := small(t)
	fill(t, log, 300)
	kept, err := event.KeepRecording(t.Context(), t.TempDir(), event.Run{ID: "r1"}, log, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if n, err := kept.WriteTo(&file); err != nil || n != kept.Size() || int64(file.Len()) != n {
		t.Fatalf("%d bytes of %d, %v", n, kept.Size(), err)
	}
	recording, err := event.OpenRecording(&file, check.Follow)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	if run := recording.Run; run.ID != "r1" || run.Events != 300 || kept.Run().Events != 300 || run.At != kept.Run().At {
		t.Errorf("its header has %+v, it is said to be of %+v", run, kept.Run())
	}
	n := int64(0)
	for e, err := range recording.Events() {
		if n++; err != nil || e.Seq != n {
			t.Fatalf("event %d: %+v, %v", n, e, err)
		}
	}
	if err := kept.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := kept.WriteTo(io.Discard); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after its removal: %v, want %v", err, os.ErrClosed)
	}
}

// TestRecordingNotKept: nothing is left of a recording that is too large, or whose
// writing is broken off.
func TestRecordingNotKept(t *testing.T) {
	log, dir := small(t), t.TempDir()
	fill(t, log, 300)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name  string
		ctx   context.Context
		limit int64
		want  error
	}{
		{"too large", t.Context(), 100, event.ErrTooLarge},
		{"broken off", over, math.MaxInt64, context.Canceled},
	}
	for _, test := range tests {
		if _, err := event.KeepRecording(test.ctx, dir, event.Run{ID: "r1"}, log, test.limit); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("there are %v, %v", left, err)
	}
}

// TestSavedRecording: it is found again by its name, by another program as well, until
// it is removed; and what is wrong with the file is noticed.
func TestSavedRecording(t *testing.T) {
	log, dir := small(t), t.TempDir()
	fill(t, log, 3000)
	name := filepath.Join(dir, "r1.ndjson.zst")
	saved, err := event.SaveRecording(t.Context(), name, event.Run{ID: "r1"}, log, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	again, err := event.OpenSaved(name, true, check.Follow)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := again.Run(), saved.Run(); got.ID != "r1" || got.Events != 3000 || got.At != want.At || again.Size() != saved.Size() {
		t.Errorf("found again: %+v in %d bytes, saved was %+v in %d", got, again.Size(), want, saved.Size())
	}
	var one, other bytes.Buffer
	if _, err := saved.WriteTo(&one); err != nil {
		t.Error(err)
	}
	if _, err := again.WriteTo(&other); err != nil || !bytes.Equal(one.Bytes(), other.Bytes()) {
		t.Errorf("found again it has other bytes, %v", err)
	}
	damage := map[string][]byte{"empty": nil, "foreign": []byte("a letter"), "cut": one.Bytes()[:one.Len()/2]}
	for what, text := range damage {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := event.OpenSaved(name, true, check.Follow); !errors.Is(err, event.ErrNotRecording) {
			t.Errorf("%s: %v, want %v", what, err, event.ErrNotRecording)
		}
	}
	if err := again.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := saved.WriteTo(io.Discard); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after its removal: %v, want %v", err, os.ErrNotExist)
	}
}

// TestSavingBrokenOff leaves no file.
func TestSavingBrokenOff(t *testing.T) {
	log, dir := small(t), t.TempDir()
	fill(t, log, 300)
	if _, err := event.SaveRecording(t.Context(), filepath.Join(dir, "r1"), event.Run{ID: "r1"}, log, 100); !errors.Is(err, event.ErrTooLarge) {
		t.Errorf("%v, want %v", err, event.ErrTooLarge)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("there are %v, %v", left, err)
	}
}
