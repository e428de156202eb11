package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
)

const (
	runsPath      = "/api/rooms/main/runs"
	recordingPath = "/api/rooms/main/recording"
)

// listed is an entry in the list of runs.
type listed struct {
	ID, Scenario, State string
	Seed                int64
	Clients             int
	Events, At, Bytes   int64
}

// listRuns are the runs whose recordings can be had.
func (s *site) listRuns() []listed {
	s.Helper()
	var body struct{ Runs []listed }
	s.get(runsPath, &body)
	if body.Runs == nil {
		s.Fatal("the list of runs is no list")
	}
	return body.Runs
}

// download reads a recording, which must be whole, and returns the answer and the
// recording's header.
func (s *site) download(path string) (answer, event.Run) {
	s.Helper()
	a := s.ask(http.MethodGet, path, "", "Accept-Encoding", "gzip")
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "application/zstd" || a.header.Get("Content-Encoding") != "" {
		s.Fatalf("%s: %d, %v: %.300q", path, a.status, a.header, a.body)
	}
	recording, err := event.OpenRecording(bytes.NewReader(a.body), check.Follow)
	if err != nil {
		s.Fatal(err)
	}
	defer recording.Close()
	n := int64(0)
	for _, err := range recording.Events() {
		if n++; err != nil {
			s.Fatalf("%s: event %d: %v", path, n, err)
		}
	}
	if n != recording.Run.Events {
		s.Errorf("%s has %d events, its header says %d", path, n, recording.Run.Events)
	}
	return a, recording.Run
}

func TestRecordingOfTheCurrentRun(t *testing.T) {
	s := open(t)
	if got := s.listRuns(); len(got) != 0 {
		t.Errorf("before the first run there are %v", got)
	}
	id := s.startQuick().ID
	s.await(s.run(), kind(event.LockReleased))
	a, run := s.download(recordingPath)
	if run.ID != id || run.State != event.Running {
		t.Errorf("the recording is of %+v", run)
	}
	want := fmt.Sprintf(`attachment; filename="quick-seed1-%s.ndjson.zst"`, id)
	if got := a.header.Get("Content-Disposition"); got != want {
		t.Errorf("Content-Disposition: %s, want %s", got, want)
	}
	s.ask(http.MethodDelete, runPath, "")
	if _, run := s.download(recordingPath + "?run=" + id); run.State != event.Finished || run.Events != s.run().Log().Len() {
		t.Errorf("the recording of the finished run is of %+v", run)
	}
}

func TestRecordingOfAKeptRun(t *testing.T) {
	s := open(t)
	first := s.startQuick().ID
	log := s.run().Log()
	s.await(s.run(), kind(event.LockReleased))
	second := s.startQuick().ID
	length, at := log.Last()
	a, run := s.download(recordingPath + "?run=" + first)
	if run.ID != first || run.State != event.Finished || run.Events != length {
		t.Errorf("the recording is of %+v, the run had %d events", run, length)
	}
	if got, want := a.header.Get("Content-Length"), fmt.Sprint(len(a.body)); got != want {
		t.Errorf("Content-Length: %s, want %s", got, want)
	}
	runs := s.listRuns()
	if len(runs) != 2 || runs[0].ID != second || runs[0].State != "running" || runs[0].Bytes != 0 {
		t.Fatalf("the runs are %+v", runs)
	}
	kept := listed{ID: first, Scenario: "quick", State: "finished", Seed: 1, Clients: 3, Events: length, At: at, Bytes: int64(len(a.body))}
	if runs[1] != kept {
		t.Errorf("the kept run is %+v, want %+v", runs[1], kept)
	}
}

// TestKeptRunsOutlastTheProgram: what is listed says so, and the run can be had from the
// next program.
func TestKeptRunsOutlastTheProgram(t *testing.T) {
	var body struct{ Keeps room.Keeps }
	open(t).get(runsPath, &body)
	if want := (room.Keeps{Runs: 30, Bytes: 64 << 20}); body.Keeps != want {
		t.Errorf("without a directory it keeps %+v, want %+v", body.Keeps, want)
	}
	dir := t.TempDir()
	keep := func(u *setup) { u.room.KeepDir, u.room.KeepRuns = dir, 3 }
	s := open(t, keep)
	if err := s.rooms.Restore(); err != nil {
		t.Fatal(err)
	}
	id := s.startQuick().ID
	s.await(s.run(), kind(event.LockReleased))
	if err := s.rooms.Close(s.within()); err != nil {
		t.Fatal(err)
	}
	s = open(t, keep)
	if err := s.rooms.Restore(); err != nil {
		t.Fatal(err)
	}
	s.get(runsPath, &body)
	if want := (room.Keeps{Runs: 3, Bytes: 64 << 20, Restart: true}); body.Keeps != want {
		t.Errorf("it keeps %+v, want %+v", body.Keeps, want)
	}
	if runs := s.listRuns(); len(runs) != 1 || runs[0].ID != id || runs[0].State != "finished" || runs[0].Bytes == 0 {
		t.Errorf("the runs are %+v", runs)
	}
	for _, path := range []string{recordingPath, recordingPath + "?run=" + id} {
		if _, run := s.download(path); run.ID != id || run.State != event.Finished {
			t.Errorf("%s is of %+v", path, run)
		}
	}
}
