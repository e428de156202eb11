package main

import (
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A run that nobody looks at ends, and its log says why. The metrics tell how many runs
// there are, and to ask for them is not to watch one.
func TestServeEndsAnUnwatchedRun(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	s := serve(t, nil, "-zookeeper", server.Address(), "-unwatched", "1s")
	s.mustRequest(t, http.StatusCreated, "POST", "/api/rooms/main/run", `{"scenario": "predecessor", "delay": "0s"}`)
	eventually(t, "no run is under way", func() bool {
		return strings.Contains(s.mustRequest(t, http.StatusOK, "GET", "/metrics", ""), "\nplayground_runs 0\n")
	})
	const told = "nobody has watched this run for 1s, so it has ended"
	if log := s.mustRequest(t, http.StatusOK, "GET", "/api/rooms/main/events", ""); !strings.Contains(log, told) {
		t.Errorf("the log does not say %q: %s", told, log)
	}
	s.mustStop(t, syscall.SIGTERM)
}
