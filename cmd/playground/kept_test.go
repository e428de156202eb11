package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// runIDs are the runs of the room main that have a recording, newest first.
func (s site) runIDs(t *testing.T) []string {
	t.Helper()
	var body struct{ Runs []struct{ ID string } }
	if err := json.Unmarshal([]byte(s.mustRequest(t, http.StatusOK, http.MethodGet, "/api/rooms/main/runs", "")), &body); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, run := range body.Runs {
		ids = append(ids, run.ID)
	}
	return ids
}

// TestRunsOutlastTheProgram: the run under way when it is told to stop, and after a
// kill those that had ended before.
func TestRunsOutlastTheProgram(t *testing.T) {
	t.Parallel()
	data, zookeeper := t.TempDir(), zktest.StartOwn(t, zkserver.Config{}).Address()
	const run, start = "/api/rooms/main/run", `{"scenario": "predecessor", "delay": "0s"}`

	s := serve(t, nil, "-zookeeper", zookeeper, "-data", data)
	s.mustRequest(t, http.StatusCreated, http.MethodPost, run, start)
	s.awaitEvent(t, "lock.released")
	first := s.runIDs(t)[0]
	mustRefuse(t, "another playground keeps its rooms there", "serve", "-addr", "127.0.0.1:0", "-zookeeper", zookeeper, "-data", data)
	s.mustStop(t, os.Interrupt)

	s = serve(t, nil, "-zookeeper", zookeeper, "-data", data)
	s.mustRequest(t, http.StatusCreated, http.MethodPost, run, start)
	s.awaitEvent(t, "lock.released")
	second := s.runIDs(t)[0]
	s.mustRequest(t, http.StatusOK, http.MethodDelete, run, "")
	eventually(t, "the run that has ended is kept", func() bool {
		info, err := os.Stat(filepath.Join(data, "rooms", "main", second+".ndjson.zst"))
		return err == nil && info.Size() > 0
	})
	s.signal(t, os.Kill)
	<-s.exited

	s = serve(t, nil, "-zookeeper", zookeeper, "-data", data)
	if got := s.runIDs(t); len(got) != 2 || got[0] != second || got[1] != first {
		t.Errorf("there are %v, want %s and %s", got, second, first)
	}
	for _, id := range []string{first, second} {
		s.mustRequest(t, http.StatusOK, http.MethodGet, "/api/rooms/main/recording?run="+id, "")
	}
	s.mustStop(t, os.Interrupt)
}
