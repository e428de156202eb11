package run

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// TestRecorderEndsALogThatCannotBeKept: the run is asked to end, the log says why
// in its last events, no verdict holds, and a replay comes to the same.
func TestRecorderEndsALogThatCannotBeKept(t *testing.T) {
	log := event.NewLog(event.LogConfig{Dir: filepath.Join(t.TempDir(), "gone"), SegmentBytes: 4000, MemorySegments: 2})
	defer log.Close()
	described := event.Run{Scenario: "told", Lanes: []event.Lane{{Name: "lane", Path: "/lock", Clients: 2, Account: "token"}}}
	r := newRecorder(log, described, Limits{})
	for number, client := 0, 1; r.err() == nil; number, client = number+1, 3-client {
		for _, kind := range []event.Kind{event.LockAcquired, event.LockReleased} {
			r.Record(event.Event{Kind: kind, Lane: "lane", Client: client, Path: fmt.Sprintf("/lock/lock-%010d", number)})
		}
	}
	<-r.full
	length := log.Len()
	r.Record(event.Event{Kind: event.NoteFinished})
	if err := r.err(); !errors.Is(err, event.ErrNotKept) || !log.Sealed() || log.Len() != length {
		t.Errorf("err = %v, sealed %v, and %d events have become %d", err, log.Sealed(), length, log.Len())
	}

	var last []event.Event // from the note on
	for e, err := range log.Events(1) {
		if err != nil {
			t.Fatal(err)
		}
		if len(last) > 0 || e.Kind == event.NoteTruncated {
			last = append(last, e)
		}
	}
	if len(last) != 1+len(check.All()) || last[0].Err != r.err().Error() || last[0].Why == "" {
		t.Fatalf("the log ends with %+v", last)
	}
	summary := r.summary()
	for i, v := range summary.Lanes[0].Verdicts {
		told := last[1+i]
		if v.Verdict != event.Undecided || told.Kind != event.CheckChanged || told.Check != v.Check || told.Verdict != v.Verdict || told.Why != v.Why {
			t.Errorf("%s is %s: %s; told as %+v", v.Check, v.Verdict, v.Why, told)
		}
	}
	if diff := cmp.Diff(summary, replayed(t, described, log)); diff != "" {
		t.Errorf("the summary and that of the replay differ: %s", diff)
	}
}

// replayed is the summary of the log's recording.
func replayed(t *testing.T, described event.Run, log *event.Log) check.Summary {
	t.Helper()
	var file bytes.Buffer
	if err := event.WriteRecording(&file, described, log); err != nil {
		t.Fatal(err)
	}
	recording, err := event.OpenRecording(&file, check.Follow)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	checker := check.New(recording.Run)
	for e, err := range recording.Events() {
		if err != nil {
			t.Fatal(err)
		}
		checker.Apply(e)
	}
	return checker.Summary()
}
