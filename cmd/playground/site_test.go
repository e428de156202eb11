package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// A site is a playground that serves.
type site struct {
	*child
	url string
}

// serve starts a playground that serves on a free port, and waits until it does.
func serve(t *testing.T, settings []string, args ...string) site {
	t.Helper()
	c := start(t, settings, append([]string{"serve", "-addr", "127.0.0.1:0"}, args...)...)
	return site{c, c.stdout.await(t, `(?m)^listening on (http://127\.0\.0\.1:[0-9]+)$`)}
}

// request sends body, if there is one, and returns the answer.
func (s site) request(t *testing.T, method, path, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: timeout}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func (s site) mustRequest(t *testing.T, want int, method, path, body string) string {
	t.Helper()
	status, answer := s.request(t, method, path, body)
	if status != want {
		t.Fatalf("%s %s = %d, want %d: %s", method, path, status, want, answer)
	}
	return answer
}

// zookeeper is the server that the site says it uses.
func (s site) zookeeper(t *testing.T) zkserver.Status {
	t.Helper()
	var health struct {
		Status    string
		ZooKeeper zkserver.Status
	}
	if err := json.Unmarshal([]byte(s.mustRequest(t, http.StatusOK, "GET", "/healthz", "")), &health); err != nil {
		t.Fatal(err)
	}
	if health.Status != "ok" {
		t.Errorf("healthz says %q, want ok", health.Status)
	}
	return health.ZooKeeper
}

// beBusy starts a run whose frames take their time, waits until its lock is
// contended, and crashes a client.
func (s site) beBusy(t *testing.T) {
	t.Helper()
	s.mustRequest(t, http.StatusCreated, "POST", "/api/rooms/main/run",
		`{"scenario": "herd-vs-predecessor", "clients": 6, "delay": "250ms"}`)
	s.awaitEvent(t, "lock.acquired")
	s.awaitEvent(t, "lock.waiting")
	s.mustRequest(t, http.StatusOK, "POST", "/api/rooms/main/faults", `{"fault": "crash", "client": 1}`)
	s.awaitEvent(t, "fault.injected")
}

// log is the run's, one event a line. Who asks too often waits.
func (s site) log(t *testing.T) (log string) {
	t.Helper()
	eventually(t, "the log is sent", func() bool {
		status, answer := s.request(t, http.MethodGet, "/api/rooms/main/events", "")
		if log = answer; status != http.StatusOK && status != http.StatusTooManyRequests {
			t.Fatalf("GET events = %d: %s", status, answer)
		}
		return status == http.StatusOK
	})
	return log
}

func (s site) awaitEvent(t *testing.T, kind string) {
	t.Helper()
	for deadline := time.Now().Add(timeout); ; {
		log := s.log(t)
		if strings.Contains(log, `"kind":"`+kind+`"`) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s in the log after %v:\n%s", kind, timeout, log)
		}
	}
}
