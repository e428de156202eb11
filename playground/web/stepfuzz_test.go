package web_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// FuzzStepRequest posts arbitrary commands to a run in step mode. None does harm.
func FuzzStepRequest(f *testing.F) {
	for _, r := range badSteps {
		if r.path == stepsPath {
			f.Add(r.body)
		}
	}
	for _, body := range []string{
		`{"do": "next"}`, `{"do": "next", "lane": "mutex"}`, `{"do": "all"}`, `{"do": "off"}`, `{"do": "on"}`, `{"do": "undo"}`,
		`{"do": "deliver", "lane": "mutex", "client": 1, "dir": "out", "frame": 2}`,
		`{"do": "drop", "lane": "mutex", "client": 2, "dir": "in", "frame": 3}`,
	} {
		f.Add(body)
	}
	s := open(f)
	s.startStepped()
	s.awaitWaiting(3)
	var posts atomic.Int64
	f.Fuzz(func(t *testing.T, body string) {
		a := s.serveDirectly(stepsPath, body, posts.Add(1))
		if a.status >= 500 {
			t.Errorf("%.200q: %d %s", body, a.status, a.body)
		}
		if a.status >= 300 {
			s.in(t).failure(a)
		}
		if state := s.in(t).run().State(); state != event.Running {
			t.Errorf("%.200q: the run is %s", body, state)
		}
		if a := s.in(t).ask(http.MethodGet, stepsPath, ""); a.status != http.StatusOK {
			t.Errorf("%.200q: then the steps are %d %s", body, a.status, a.body)
		}
	})
}
