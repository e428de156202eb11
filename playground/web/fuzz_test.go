package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
)

// FuzzStartRequest posts arbitrary bodies. None may be answered with a 5xx but
// one that made its way to ZooKeeper, which here takes nothing.
func FuzzStartRequest(f *testing.F) {
	for _, r := range badStarts {
		f.Add(r.body)
	}
	f.Add(`{"scenario": "herd", "clients": 3, "delay": 250, "seed": -1}`)
	f.Add(`{"scenario": ` + quick + `}`)
	var asked atomic.Bool
	s := open(f, func(u *setup) {
		u.room.Gate = func(context.Context) error { asked.Store(true); return errors.New("no dials here") }
	})
	var posts atomic.Int64
	f.Fuzz(func(t *testing.T, body string) {
		asked.Store(false)
		a := s.serveDirectly(runPath, body, posts.Add(1))
		if a.status < 400 || a.status >= 500 && !asked.Load() {
			t.Errorf("%.200q: %d %s", body, a.status, a.body)
		}
		if asked.Load() != (a.status == http.StatusServiceUnavailable) {
			t.Errorf("%.200q: %d %s, and ZooKeeper was asked: %v", body, a.status, a.body, asked.Load())
		}
		s.in(t).failure(a)
	})
}

// FuzzFaultRequest posts arbitrary bodies about a run that is running.
func FuzzFaultRequest(f *testing.F) {
	for _, r := range slices.Concat(badWithRun, badInjections) {
		if r.path == faultPath && r.method == http.MethodPost {
			f.Add(r.body)
		}
	}
	for _, name := range run.Catalogue().FaultNames("") {
		for client := range 4 { // one is nobody; some will be gone when it is their turn
			f.Add(fmt.Sprintf(`{"client": %d, "fault": %q}`, client, name))
			f.Add(fmt.Sprintf(`{"client": %d, "fault": %q, "for": "%dms", "delay": "1ms", "op": "delete"}`, client, name, client*50))
		}
		f.Add(fmt.Sprintf(`{"fault": %q, "for": 9223372036854775807}`, name))
		f.Add(fmt.Sprintf(`{"client": 3, "lane": "mutex", "fault": %q, "for": "1ns", "jitter": "500ms"}`, name))
	}
	for _, when := range []string{"now", "hold", "wait", "create", "Hold", ""} {
		f.Add(fmt.Sprintf(`{"fault": "delete", "when": %q}`, when))
		f.Add(fmt.Sprintf(`{"client": 3, "fault": "pause", "for": "20ms", "when": %q}`, when))
	}
	f.Add(`{"client": 2, "fault": "expire", "lane": "mutex"}`)
	f.Add(`{"client": -1, "fault": "Crash", "for": 0}`)
	s := open(f)
	s.startQuick()
	run := s.run()
	s.awaitAll(run, 3)
	var posts atomic.Int64
	f.Fuzz(func(t *testing.T, body string) {
		a := s.serveDirectly(faultPath, body, posts.Add(1))
		if a.status >= 500 {
			t.Errorf("%.200q: %d %s", body, a.status, a.body)
		}
		if a.status != http.StatusOK {
			s.in(t).failure(a)
		}
		if run.State() != event.Running {
			t.Errorf("%.200q: the run is %s", body, run.State())
		}
	})
}

// FuzzFrom asks for the events from anywhere.
func FuzzFrom(f *testing.F) {
	for _, from := range []string{"", "1", "0", "-1", "+1", "1e3", "9223372036854775807", "9223372036854775808", "0x1", "1 ", "１"} {
		f.Add(from)
	}
	s := open(f)
	s.startQuick()
	s.ask("DELETE", runPath, "")
	f.Fuzz(func(t *testing.T, from string) {
		a := s.in(t).ask(http.MethodGet, eventsPath+"?from="+url.QueryEscape(from), "")
		if a.status != http.StatusOK && a.status != http.StatusBadRequest {
			t.Errorf("from=%q: %d %.200s", from, a.status, a.body)
		}
	})
}

// serveDirectly posts body without a network, each time from another address:
// a fuzzer is too fast for one.
func (s *site) serveDirectly(path, body string, number int64) answer {
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	request.Host = s.address
	request.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", byte(number>>16), byte(number>>8), byte(number))
	recorder := httptest.NewRecorder()
	s.server.ServeHTTP(recorder, request)
	return answer{recorder.Code, recorder.Header(), recorder.Body.Bytes()}
}
