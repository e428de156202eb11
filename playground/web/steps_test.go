package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/step"
)

const stepsPath = "/api/rooms/main/steps"

// startStepped starts the quick scenario in step mode.
func (s *site) startStepped() event.Run {
	s.Helper()
	return s.start(`{"scenario": ` + stepped + `}`)
}

// stepped is quick with frames that wait from the beginning.
var stepped = strings.Replace(quick, `"seed": 1`, `"seed": 1, "step": true`, 1)

// awaitWaiting waits until as many frames wait, and returns them.
func (s *site) awaitWaiting(n int) step.State {
	s.Helper()
	var steps step.State
	s.eventually(fmt.Sprintf("%d frames wait", n), func() bool {
		steps = step.State{}
		s.get(stepsPath, &steps)
		return len(steps.Waiting) >= n
	})
	return steps
}

// command posts a command and decodes the answer.
func (s *site) command(body string) step.Result {
	s.Helper()
	var result step.Result
	s.decode(s.ask("POST", stepsPath, body), http.StatusOK, &result)
	return result
}

func TestSteps(t *testing.T) {
	s := open(t)
	if run := s.startStepped(); !run.Step || run.Steps != 0 {
		t.Errorf("the run began with step %v, %d steps", run.Step, run.Steps)
	}
	waiting := s.awaitWaiting(3)
	first := waiting.Waiting[0]
	if !waiting.Step || first.Op == "" || first.Frame < 1 || !first.First || first.Dir != event.Out {
		t.Errorf("steps %+v", waiting)
	}
	body, err := json.Marshal(step.Command{Do: "deliver", Lane: first.Lane, Client: first.Client, Dir: first.Dir, Frame: first.Frame})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.command(string(body)); len(r.Done) != 1 || r.Done[0].Deliver != first.Op || !r.Step || r.Steps != 1 {
		t.Errorf("deliver: %+v", r)
	}
	s.refuse(t, []refusal{{"the same again", "POST", stepsPath, string(body), 404, "no_such_frame"}})
	s.awaitWaiting(3)
	if r := s.command(`{"do": "all"}`); len(r.Done) < 3 || r.Steps != 1+len(r.Done) {
		t.Errorf("all: %+v", r)
	}
	var undone struct{ Run event.Run }
	s.decode(s.ask("POST", stepsPath, `{"do": "undo"}`), http.StatusCreated, &undone)
	if !undone.Run.Step {
		t.Errorf("undo: %+v", undone.Run)
	}
	s.eventually("the step is repeated", func() bool { return s.run().Describe().Steps == 1 })
	if r := s.command(`{"do": "off"}`); r.Step || r.Done == nil {
		t.Errorf("off: %+v", r)
	}
	s.awaitAll(s.run(), 3)
}

// TestStepsAreStreamed: who watches is told each step once, and the run only when
// something else of it changes; who comes later is told all steps at once.
func TestStepsAreStreamed(t *testing.T) {
	s := open(t)
	s.startStepped()
	early := s.watch("")
	early.until("told of the run", func() bool { return early.run != nil && early.run.Step })
	runs := early.count("run")
	for range 5 {
		s.awaitWaiting(3)
		s.command(`{"do": "next"}`)
	}
	early.until("told of 5 steps", func() bool { return len(early.script) == 5 })
	if n := early.count("run"); n != runs {
		t.Errorf("the run was described %d times more", n-runs)
	}
	late := s.watch("")
	late.until("told of 5 steps", func() bool { return len(late.script) == 5 })
	if n := late.count("steps"); n != 1 {
		t.Errorf("all steps came in %d frames", n)
	}
	var state step.State
	s.get(stepsPath, &state)
	for _, w := range []*watcher{early, late} {
		if !reflect.DeepEqual(w.script, state.Script) || w.run.Steps != 5 {
			t.Errorf("a viewer knows of %v, %d steps; done is %v", w.script, w.run.Steps, state.Script)
		}
	}
	s.command(`{"do": "off"}`)
	early.until("told that the network flows", func() bool { return !early.run.Step })
}

// TestStepAnswer keeps the names that the page reads.
func TestStepAnswer(t *testing.T) {
	s := open(t)
	s.startStepped()
	s.awaitWaiting(1)
	text := string(s.ask("GET", stepsPath, "").body)
	for _, want := range []string{`{"step":true,"waiting":[{"lane":"mutex","client":`, `"dir":"out","frame":`, `"op":"`, `"path":"`, `"at":`, `"first":true}`, `"script":[]}`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
	text = string(s.ask("POST", stepsPath, `{"do":"next"}`).body)
	if want := `{"done":[{"client":`; !strings.HasPrefix(text, want) || !strings.Contains(text, `"step":true,"steps":1}`) {
		t.Errorf("%s does not begin with %s", text, want)
	}
}

// badSteps are wrong whether the network is held or not.
var badSteps = []refusal{
	{"nothing", "POST", stepsPath, "", 400, "bad_step"},
	{"unknown command", "POST", stepsPath, `{"do": "jump"}`, 400, "bad_step"},
	{"not JSON", "POST", stepsPath, `do=next`, 400, "bad_json"},
	{"unknown field", "POST", stepsPath, `{"do": "next", "twice": true}`, 400, "bad_json"},
	{"frame in words", "POST", stepsPath, `{"do": "deliver", "frame": "x"}`, 400, "bad_json"},
	{"no lane", "POST", stepsPath, `{"do": "deliver", "client": 1, "dir": "out", "frame": 2}`, 400, "bad_step"},
	{"unknown lane", "POST", stepsPath, `{"do": "next", "lane": "fast"}`, 400, "bad_step"},
	{"no client", "POST", stepsPath, `{"do": "deliver", "lane": "mutex", "dir": "out", "frame": 2}`, 404, "no_such_client"},
	{"unknown client", "POST", stepsPath, `{"do": "drop", "lane": "mutex", "client": 99, "dir": "out", "frame": 2}`, 404, "no_such_client"},
	{"unknown direction", "POST", stepsPath, `{"do": "drop", "lane": "mutex", "client": 1, "dir": "up", "frame": 2}`, 400, "bad_step"},
	{"no frame", "POST", stepsPath, `{"do": "deliver", "lane": "mutex", "client": 1, "dir": "in"}`, 400, "bad_step"},
	{"undo of a frame", "POST", stepsPath, `{"do": "undo", "frame": 2}`, 400, "bad_step"},
	{"unknown room", "POST", "/api/rooms/cellar/steps", `{"do": "next"}`, 404, "no_such_room"},
	{"steps of an unknown room", "GET", "/api/rooms/cellar/steps", "", 404, "no_such_room"},
	{"wrong method", "DELETE", stepsPath, "", 405, "method_not_allowed"},
}

func TestRefusedSteps(t *testing.T) {
	s := open(t)
	before := []refusal{
		{"step before a run", "POST", stepsPath, `{"do": "on"}`, 409, "not_running"},
		{"steps before a run", "GET", stepsPath, "", 409, "not_running"},
		{"undo before a run", "POST", stepsPath, `{"do": "undo"}`, 409, "not_running"},
	}
	s.refuse(t, before)
	s.startQuick()
	s.refuse(t, badSteps)
	s.refuse(t, []refusal{
		{"deliver while it flows", "POST", stepsPath, `{"do": "deliver", "lane": "mutex", "client": 1, "dir": "out", "frame": 2}`, 409, "not_stepping"},
		{"next while it flows", "POST", stepsPath, `{"do": "next"}`, 409, "not_stepping"},
		{"undo while it flows", "POST", stepsPath, `{"do": "undo"}`, 409, "nothing_to_undo"},
	})
	s.startStepped()
	s.awaitWaiting(3)
	s.refuse(t, badSteps)
	s.refuse(t, []refusal{
		{"frame to come", "POST", stepsPath, `{"do": "deliver", "lane": "mutex", "client": 1, "dir": "out", "frame": 999}`, 404, "no_such_frame"},
		{"frame gone", "POST", stepsPath, `{"do": "drop", "lane": "mutex", "client": 1, "dir": "out", "frame": 1}`, 404, "no_such_frame"},
		{"undo of nothing", "POST", stepsPath, `{"do": "undo"}`, 409, "nothing_to_undo"},
	})
	if run := s.run(); run.State() != event.Running || run.Describe().Steps != 0 {
		t.Errorf("the run is %s, with %d steps", run.State(), run.Describe().Steps)
	}
	s.ask("DELETE", runPath, "")
	s.refuse(t, []refusal{
		{"next after the end", "POST", stepsPath, `{"do": "next"}`, 409, "not_running"},
		{"undo after the end", "POST", stepsPath, `{"do": "undo"}`, 409, "not_running"},
	})
}
