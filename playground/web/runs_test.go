package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

func TestStartTellsOfTheRun(t *testing.T) {
	s := open(t)
	run := s.start(`{"scenario": "herd-vs-predecessor", "clients": 2, "delay": "1ms", "seed": 42}`)
	if run.ID == "" || run.Room != "main" || run.Scenario != "herd-vs-predecessor" || run.State != event.Running ||
		run.Clients != 2 || run.Delay != "1ms" || run.Seed != 42 || len(run.Lanes) != 2 || run.ZooKeeper.Version != "3.8.0" {
		t.Errorf("run %+v", run)
	}
}

func TestStartKeepsWhatTheScenarioSays(t *testing.T) {
	s := open(t)
	run := s.start(`{"scenario": "read-write"}`)
	want, err := mustShip(t).Find("read-write")
	if err != nil {
		t.Fatal(err)
	}
	if run.Clients != want.Clients || run.Seed != want.Seed || run.Title != want.Title || run.Delay != "150ms" {
		t.Errorf("run %+v of scenario %+v", run, want)
	}
}

func mustShip(t *testing.T) scenario.Set {
	t.Helper()
	scenarios, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	return scenarios
}

func TestStopAnswersWithTheSummary(t *testing.T) {
	s := open(t)
	id := s.startQuick().ID
	s.await(s.run(), kind(event.LockReleased))
	var stopped struct {
		Run     event.Run
		Summary check.Summary
	}
	s.decode(s.ask(http.MethodDelete, runPath, ""), http.StatusOK, &stopped)
	if stopped.Run.ID != id || stopped.Run.State != event.Finished || stopped.Run.Events != s.run().Log().Len() {
		t.Errorf("stopped run %+v", stopped.Run)
	}
	var later check.Summary
	s.get("/api/rooms/main/summary", &later)
	for _, summary := range []check.Summary{stopped.Summary, later} {
		if summary.Scenario != "quick" || summary.Events != stopped.Run.Events || len(summary.Lanes) != 1 ||
			summary.Lanes[0].Acquisitions == 0 || len(summary.Lanes[0].Verdicts) == 0 {
			t.Errorf("summary %+v", summary)
		}
		for _, v := range summary.Lanes[0].Verdicts {
			if v.Verdict == event.Violated {
				t.Errorf("%s is violated: %s", v.Check, v.Why)
			}
		}
	}
}

func TestDelayCanBeChanged(t *testing.T) {
	s := open(t)
	s.startQuick()
	var changed struct{ Run event.Run }
	s.decode(s.ask(http.MethodPatch, runPath, `{"delay": "20ms"}`), http.StatusOK, &changed)
	if changed.Run.Delay != "20ms" {
		t.Errorf("run %+v", changed.Run)
	}
	s.await(s.run(), kind(event.WireHeld))
	s.decode(s.ask(http.MethodPatch, runPath, `{"delay": 0}`), http.StatusOK, &changed)
	if changed.Run.Delay != "0s" {
		t.Errorf("run %+v", changed.Run)
	}
}

func TestInjectionAndArmedFaults(t *testing.T) {
	s := open(t)
	s.startQuick()
	run := s.run()
	s.awaitAll(run, 3)
	var changed struct{ Inject map[string]string }
	s.decode(s.ask(http.MethodPatch, runPath, `{"inject": {"crash": "1h", "expire": "5m"}}`), http.StatusOK, &changed)
	s.decode(s.ask(http.MethodPatch, runPath, `{"inject": {"expire": 0}}`), http.StatusOK, &changed)
	if off := s.await(run, func(e event.Event) bool { return e.Kind == event.NoteInjection && e.Every == 0 }); off.Fault != "expire" {
		t.Errorf("off %+v", off)
	}
	if got := run.Scenario().Inject; len(got) != 1 || time.Duration(got["crash"]) != time.Hour {
		t.Errorf("on is %v", got)
	}
	var armed struct{ Fault, When string }
	s.decode(s.ask(http.MethodPost, faultPath, `{"fault": "crash", "client": 3, "when": "hold"}`), http.StatusOK, &armed)
	if armed.Fault != "crash" || armed.When != "hold" {
		t.Errorf("armed %+v", armed)
	}
	s.await(run, func(e event.Event) bool { return e.Kind == event.FaultInjected && e.Client == 3 && e.Fault == "crash" })
	s.decode(s.ask(http.MethodPost, faultPath, `{"fault": "start-again", "client": 3}`), http.StatusOK, &armed)
	s.await(run, func(e event.Event) bool {
		return e.Kind == event.FaultInjected && e.Client == 3 && e.Fault == "start-again"
	})
	var disarmed struct{ Disarmed int }
	s.decode(s.ask(http.MethodPost, faultPath, `{"fault": "crash", "client": 2, "when": "hold", "lane": "mutex"}`), http.StatusOK, &armed)
	a := s.ask(http.MethodDelete, faultPath, `{"client": 2}`)
	if a.status != http.StatusConflict { // unless it has come to hold meanwhile
		s.decode(a, http.StatusOK, &disarmed)
	}
}

func TestFaults(t *testing.T) {
	s := open(t)
	s.startQuick()
	run := s.run()
	s.awaitAll(run, 2) // a fault needs a session
	for client, fault := range map[int]string{1: "crash", 2: "expire"} {
		request := fmt.Sprintf(`{"client": %d, "fault": %q}`, client, fault)
		if a := s.ask(http.MethodPost, faultPath, request); a.status != http.StatusOK {
			t.Errorf("%s: %d %s", request, a.status, a.body)
		}
		s.await(run, func(e event.Event) bool {
			return e.Kind == event.FaultInjected && e.Client == client && e.Fault == fault
		})
	}
	s.await(run, func(e event.Event) bool { return e.Kind == event.SessionLost && e.Client == 2 })
	s.refuse(t, []refusal{
		{"crashed twice", "POST", faultPath, `{"client": 1, "fault": "crash"}`, 409, "impossible"},
		{"expired when dead", "POST", faultPath, `{"client": 1, "fault": "expire"}`, 409, "impossible"},
	})
}

// TestLastingFaults: each is told with its length, and is over in time or when
// it is healed.
func TestLastingFaults(t *testing.T) {
	s := open(t)
	s.startQuick()
	run := s.run()
	s.awaitAll(run, 2)
	for _, fault := range []string{"pause", "partition", "partition-out", "partition-in", "slow", "lose-reply"} {
		request := fmt.Sprintf(`{"client": 1, "fault": %q, "for": "50ms"%s}`, fault, slowness(fault))
		var answer struct{ Fault, For string }
		s.decode(s.ask(http.MethodPost, faultPath, request), http.StatusOK, &answer)
		if answer.Fault != fault || answer.For != "50ms" {
			t.Errorf("%s: %+v", request, answer)
		}
		injected := s.await(run, faulty(event.FaultInjected, fault))
		if injected.For != 50 || injected.Why == "" || injected.Client != 1 {
			t.Errorf("%s: %+v", request, injected)
		}
		s.await(run, faulty(event.FaultHealed, fault))
	}
	for _, body := range []string{`{"client": 2, "fault": "partition"}`, `{"client": 2, "fault": "pause"}`, `{"client": 2, "fault": "heal"}`} {
		if a := s.ask(http.MethodPost, faultPath, body); a.status != http.StatusOK {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	s.await(run, func(e event.Event) bool { return e.Kind == event.FaultHealed && e.Client == 2 && e.Fault == "pause" })
}

// slowness is what slow needs besides.
func slowness(fault string) string {
	if fault == "slow" {
		return `, "delay": "10ms", "jitter": "5ms"`
	}
	return ""
}

func faulty(kind event.Kind, fault string) func(event.Event) bool {
	return func(e event.Event) bool { return e.Kind == kind && e.Fault == fault }
}

func TestFaultRightAfterTheStart(t *testing.T) {
	s := open(t)
	s.startQuick()
	a := s.ask(http.MethodPost, faultPath, `{"client": 1, "fault": "crash"}`)
	if a.status != http.StatusOK && a.status != http.StatusConflict {
		t.Errorf("%d %s, want 200 or 409", a.status, a.body)
	}
	s.await(s.run(), kind(event.LockReleased)) // by somebody else
}

func TestEventsAreGapless(t *testing.T) {
	s := open(t)
	s.startQuick()
	run := s.run()
	if err := run.Log().Wait(s.within(), 300); err != nil {
		t.Fatal(err)
	}
	s.readEvents("", 1, 300)
	s.readEvents("?from=1", 1, 300)
	s.readEvents("?from=250", 250, 300)
	s.ask(http.MethodDelete, runPath, "")
	end := run.Log().Len()
	if last := s.readEvents("?from=17", 17, end); last != end {
		t.Errorf("the events end at %d, the log at %d", last, end)
	}
	beyond := s.ask(http.MethodGet, fmt.Sprintf("%s?from=%d", eventsPath, end+1), "")
	if beyond.status != http.StatusOK || len(beyond.body) != 0 {
		t.Errorf("beyond the end: %d %q, want 200 and nothing", beyond.status, beyond.body)
	}
}

// readEvents insists on consecutive events from first to at least enough, and
// returns the last.
func (s *site) readEvents(query string, first, enough int64) (last int64) {
	s.Helper()
	a := s.ask(http.MethodGet, eventsPath+query, "")
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "application/x-ndjson" {
		s.Fatalf("%d, %s", a.status, a.header.Get("Content-Type"))
	}
	last = first - 1
	for line := range bytes.Lines(a.body) {
		var e event.Event
		if err := json.Unmarshal(line, &e); err != nil || e.Seq != last+1 || e.Kind == "" {
			s.Fatalf("after event %d: %s (%v)", last, line, err)
		}
		last = e.Seq
	}
	if last < enough {
		s.Errorf("the events end at %d, there were %d", last, enough)
	}
	return last
}

func TestRoomsOfTheirOwn(t *testing.T) {
	s := open(t)
	var made struct{ Room string }
	s.decode(s.ask(http.MethodPost, "/api/rooms", ""), http.StatusCreated, &made)
	path := "/api/rooms/" + made.Room + "/run"
	if a := s.ask(http.MethodPost, path, `{"scenario": `+quick+`}`); a.status != http.StatusCreated {
		t.Errorf("start in room %s: %d %s", made.Room, a.status, a.body)
	}
	if s.run() != nil {
		t.Error("the run is in the room main")
	}
	if a := s.ask(http.MethodDelete, path, ""); a.status != http.StatusOK {
		t.Errorf("stop in room %s: %d %s", made.Room, a.status, a.body)
	}
}

func TestCatalogue(t *testing.T) {
	s := open(t, func(u *setup) { u.room.MaxClients = 12 })
	var catalogue struct {
		Scenarios             scenario.Set
		Catalogue             scenario.Catalogue
		Faults                []string
		ServerFaults, Lasting []string
		Limits                struct {
			Clients int
			Delay   string
		}
	}
	s.get("/api/scenarios", &catalogue)
	if got, want := catalogue.Scenarios.Names(), mustShip(t).Names(); !slices.Equal(got, want) {
		t.Errorf("scenarios %v, want %v", got, want)
	}
	if !reflect.DeepEqual(catalogue.Catalogue, run.Catalogue()) {
		t.Errorf("the catalogue is %+v", catalogue.Catalogue)
	}
	if !slices.Equal(catalogue.Faults, run.Catalogue().FaultNames(scenario.TargetClient)) || catalogue.Limits.Clients != 12 || catalogue.Limits.Delay != "5s" {
		t.Errorf("faults %v, limits %+v", catalogue.Faults, catalogue.Limits)
	}
	if catalogue.ServerFaults == nil || len(catalogue.ServerFaults) != 0 || !slices.Equal(catalogue.Lasting, run.Catalogue().Lasting()) {
		t.Errorf("faults of somebody else's servers %v, lasting %v", catalogue.ServerFaults, catalogue.Lasting)
	}
}
