package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
)

// A refusal is a request with something wrong in it.
type refusal struct {
	name, method, path, body string
	status                   int
	code                     string
}

const (
	runPath    = "/api/rooms/main/run"
	faultPath  = "/api/rooms/main/faults"
	eventsPath = "/api/rooms/main/events"
	streamPath = "/api/rooms/main/stream"

	judgementPath = "/api/rooms/main/judgement"
)

// badStarts are wrong whether a run is under way or not.
var badStarts = []refusal{
	{"nothing", "POST", runPath, "", 400, "bad_scenario"},
	{"no scenario", "POST", runPath, `{"clients": 3}`, 400, "bad_scenario"},
	{"unknown scenario", "POST", runPath, `{"scenario": "stampede"}`, 404, "unknown_scenario"},
	{"null scenario", "POST", runPath, `{"scenario": null}`, 400, "bad_scenario"},
	{"source that is no lock", "POST", runPath, `{"source": "def acquire(read):\n    return x"}`, 400, "bad_source"},
	{"source for a scenario without a program", "POST", runPath, `{"scenario": {"name": "x", "title": "X", "clients": 1, "session": "4s", "lanes": [{"name": "a", "title": "A", "recipe": "mutex", "source": "def acquire(read): pass\ndef release(znode): pass"}]}}`, 400, "bad_scenario"},
	{"source with many clients", "POST", runPath, `{"clients": 9, "source": "def acquire(read): pass\ndef release(znode): pass"}`, 400, "bad_scenario"},
	{"number as scenario", "POST", runPath, `{"scenario": 3}`, 400, "bad_scenario"},
	{"empty scenario", "POST", runPath, `{"scenario": {}}`, 400, "bad_scenario"},
	{"unknown field in scenario", "POST", runPath, `{"scenario": {"name": "x", "sesion": "1s"}}`, 400, "bad_scenario"},
	{"not JSON", "POST", runPath, `scenario=herd`, 400, "bad_json"},
	{"half JSON", "POST", runPath, `{"scenario": "herd"`, 400, "bad_json"},
	{"array", "POST", runPath, `["herd"]`, 400, "bad_json"},
	{"unknown field", "POST", runPath, `{"scenario": "herd", "speed": 2}`, 400, "bad_json"},
	{"trailing garbage", "POST", runPath, `{"scenario": "herd"} x`, 400, "bad_json"},
	{"two requests", "POST", runPath, `{"scenario": "herd"}{"scenario": "herd"}`, 400, "bad_json"},
	{"no client", "POST", runPath, `{"scenario": "herd", "clients": 0}`, 400, "bad_scenario"},
	{"less than no client", "POST", runPath, `{"scenario": "herd", "clients": -1}`, 400, "bad_scenario"},
	{"more clients than allowed", "POST", runPath, `{"scenario": "herd", "clients": 51}`, 400, "bad_scenario"},
	{"very many clients", "POST", runPath, `{"scenario": "herd", "clients": 1000000000}`, 400, "bad_scenario"},
	{"clients in floating point", "POST", runPath, `{"scenario": "herd", "clients": 1e9}`, 400, "bad_json"},
	{"clients in words", "POST", runPath, `{"scenario": "herd", "clients": "x"}`, 400, "bad_json"},
	{"negative delay", "POST", runPath, `{"scenario": "herd", "delay": "-1ms"}`, 400, "bad_scenario"},
	{"negative milliseconds", "POST", runPath, `{"scenario": "herd", "delay": -1}`, 400, "bad_json"},
	{"very long delay", "POST", runPath, `{"scenario": "herd", "delay": "1h"}`, 400, "bad_scenario"},
	{"delay in words", "POST", runPath, `{"scenario": "herd", "delay": "slow"}`, 400, "bad_json"},
	{"delay as a list", "POST", runPath, `{"scenario": "herd", "delay": [1]}`, 400, "bad_json"},
	{"seed in words", "POST", runPath, `{"scenario": "herd", "seed": "seven"}`, 400, "bad_json"},
	{"seed beyond 64 bits", "POST", runPath, `{"scenario": "herd", "seed": 9223372036854775808}`, 400, "bad_json"},
	{"step in words", "POST", runPath, `{"scenario": "herd", "step": "yes"}`, 400, "bad_json"},
	{"step as a number", "POST", runPath, `{"scenario": "herd", "step": 1}`, 400, "bad_json"},
	{"too large", "POST", runPath, `{"scenario": "` + strings.Repeat("x", 64<<10) + `"}`, 413, "too_large"},
	{"unknown room", "POST", "/api/rooms/cellar/run", `{"scenario": "herd"}`, 404, "no_such_room"},
}

// badReads are about what does not exist, or not so.
var badReads = []refusal{
	{"unknown path", "GET", "/nowhere", "", 404, "not_found"},
	{"unknown path of the API", "GET", "/api/nowhere", "", 404, "not_found"},
	{"room without more", "GET", "/api/rooms/main", "", 404, "not_found"},
	{"unknown lesson", "GET", "/lessons/en/nothing", "", 404, "no_such_lesson"},
	{"wrong method", "PUT", runPath, "", 405, "method_not_allowed"},
	{"wrong method on rooms", "GET", "/api/rooms", "", 405, "method_not_allowed"},
	{"wrong method on the page", "POST", "/", "", 405, "method_not_allowed"},
	{"events of an unknown room", "GET", "/api/rooms/cellar/events", "", 404, "no_such_room"},
	{"summary of an unknown room", "GET", "/api/rooms/cellar/summary", "", 404, "no_such_room"},
	{"runs of an unknown room", "GET", "/api/rooms/cellar/runs", "", 404, "no_such_room"},
	{"recording of an unknown room", "GET", "/api/rooms/cellar/recording", "", 404, "no_such_room"},
	{"recording of an unknown run", "GET", "/api/rooms/main/recording?run=nothing", "", 404, "no_such_run"},
	{"stop in an unknown room", "DELETE", "/api/rooms/cellar/run", "", 404, "no_such_room"},
	{"fault in an unknown room", "POST", "/api/rooms/cellar/faults", `{"client": 1, "fault": "crash"}`, 404, "no_such_room"},
	{"stop of a judgement before the first", "DELETE", judgementPath, "", 404, "no_judgement"},
	{"judgement of nothing", "POST", judgementPath, "", 409, "nothing_to_judge"},
	{"judgement of a source that is no lock", "POST", judgementPath, `{"source": "x = 1"}`, 400, "bad_source"},
	{"judgement by an unknown trial", "POST", judgementPath, `{"trials": ["calm", "storm"]}`, 400, "unknown_trial"},
	{"judgement by an unknown challenge", "POST", judgementPath, `{"challenge": "nothing"}`, 404, "unknown_challenge"},
	{"stream of an unknown room", "GET", "/api/rooms/cellar/stream", "", 404, "no_such_room"},
	{"stream from event 0", "GET", streamPath + "?from=0", "", 400, "bad_from"},
	{"stream without a websocket", "GET", streamPath, "", 400, "bad_handshake"},
}

// badWithRun need a run to be wrong about.
var badWithRun = []refusal{
	{"event 0", "GET", eventsPath + "?from=0", "", 400, "bad_from"},
	{"event -1", "GET", eventsPath + "?from=-1", "", 400, "bad_from"},
	{"event abc", "GET", eventsPath + "?from=abc", "", 400, "bad_from"},
	{"event 9e99", "GET", eventsPath + "?from=9e99", "", 400, "bad_from"},
	{"events from the state before no instant", "GET", eventsPath + "?at=-1", "", 400, "bad_at"},
	{"events up to event 0", "GET", eventsPath + "?to=0", "", 400, "bad_to"},
	{"events of another run", "GET", eventsPath + "?run=nothing", "", 404, "no_such_run"},
	{"event beyond 64 bits", "GET", eventsPath + "?from=9223372036854775808", "", 400, "bad_from"},
	{"no change", "PATCH", runPath, `{}`, 400, "bad_json"},
	{"change of what cannot be changed", "PATCH", runPath, `{"clients": 3}`, 400, "bad_json"},
	{"change to a long delay", "PATCH", runPath, `{"delay": "1m"}`, 400, "bad_scenario"},
	{"change to a negative delay", "PATCH", runPath, `{"delay": "-1ms"}`, 400, "bad_scenario"},
	{"no fault", "POST", faultPath, ``, 400, "unknown_fault"},
	{"unknown fault", "POST", faultPath, `{"client": 1, "fault": "tickle"}`, 400, "unknown_fault"},
	{"unknown client", "POST", faultPath, `{"client": 99, "fault": "crash"}`, 404, "no_such_client"},
	{"client 0", "POST", faultPath, `{"fault": "crash"}`, 404, "no_such_client"},
	{"unknown lane", "POST", faultPath, `{"client": 1, "lane": "fast", "fault": "crash"}`, 404, "no_such_client"},
	{"fault with an end", "POST", faultPath, `{"client": 1, "fault": "crash", "for": "2s"}`, 400, "bad_fault"},
	{"close with an end", "POST", faultPath, `{"client": 1, "fault": "close", "for": "2s"}`, 400, "bad_fault"},
	{"heal with an end", "POST", faultPath, `{"client": 1, "fault": "heal", "for": "2s"}`, 400, "bad_fault"},
	{"restart with an end", "POST", faultPath, `{"fault": "restart", "for": "2s"}`, 400, "bad_fault"},
	{"very long fault", "POST", faultPath, `{"client": 1, "fault": "pause", "for": "2h"}`, 400, "bad_fault"},
	{"negative length", "POST", faultPath, `{"client": 1, "fault": "pause", "for": "-1s"}`, 400, "bad_fault"},
	{"length in milliseconds below 0", "POST", faultPath, `{"client": 1, "fault": "pause", "for": -1}`, 400, "bad_json"},
	{"length in words", "POST", faultPath, `{"client": 1, "fault": "pause", "for": "long"}`, 400, "bad_json"},
	{"endless length", "POST", faultPath, `{"client": 1, "fault": "pause", "for": 1e99}`, 400, "bad_json"},
	{"slow by nothing", "POST", faultPath, `{"client": 1, "fault": "slow"}`, 400, "bad_fault"},
	{"slower than a session bears", "POST", faultPath, `{"client": 1, "fault": "slow", "delay": "5s"}`, 400, "bad_fault"},
	{"jitter below 0", "POST", faultPath, `{"client": 1, "fault": "slow", "delay": "9ms", "jitter": "-1ms"}`, 400, "bad_fault"},
	{"delay where none is taken", "POST", faultPath, `{"client": 1, "fault": "partition", "delay": "9ms"}`, 400, "bad_fault"},
	{"op where none is taken", "POST", faultPath, `{"client": 1, "fault": "partition", "op": "create"}`, 400, "bad_fault"},
	{"reply to what is no change", "POST", faultPath, `{"client": 1, "fault": "lose-reply", "op": "getData"}`, 400, "bad_fault"},
	{"nothing to heal", "POST", faultPath, `{"client": 1, "fault": "heal"}`, 409, "impossible"},
	{"somebody else's server", "POST", faultPath, `{"fault": "restart"}`, 409, "not_ours"},
	{"somebody else's leader", "POST", faultPath, `{"fault": "kill-leader", "for": "2s"}`, 409, "not_ours"},
	{"a client's server", "POST", faultPath, `{"client": 1, "fault": "restart"}`, 400, "bad_fault"},
	{"fault with an unknown field", "POST", faultPath, `{"client": 1, "fault": "crash", "hard": true}`, 400, "bad_json"},
}

// badInjections need a run, too: about clients started again, armed faults and those
// that come again and again.
var badInjections = []refusal{
	{"injection of no fault", "PATCH", runPath, `{"inject": {"flood": "5s"}}`, 400, "bad_scenario"},
	{"injection of a fault that lasts", "PATCH", runPath, `{"inject": {"pause": "5s"}}`, 400, "bad_scenario"},
	{"injection too often", "PATCH", runPath, `{"inject": {"crash": "10ms"}}`, 400, "bad_scenario"},
	{"injection in words", "PATCH", runPath, `{"inject": {"crash": "often"}}`, 400, "bad_json"},
	{"injection as a list", "PATCH", runPath, `{"inject": ["crash"]}`, 400, "bad_json"},
	{"no injection", "PATCH", runPath, `{"inject": null}`, 400, "bad_json"},
	{"injection beside a bad delay", "PATCH", runPath, `{"inject": {"crash": "5s"}, "delay": "1m"}`, 400, "bad_scenario"},
	{"nothing to disarm", "DELETE", faultPath, ``, 409, "impossible"},
	{"disarm an unknown client", "DELETE", faultPath, `{"client": 99}`, 404, "no_such_client"},
	{"disarm a client below 0", "DELETE", faultPath, `{"client": -1}`, 404, "no_such_client"},
	{"disarm in an unknown lane", "DELETE", faultPath, `{"lane": "fast"}`, 404, "no_such_client"},
	{"disarm an unknown fault", "DELETE", faultPath, `{"fault": "tickle"}`, 400, "unknown_fault"},
	{"disarm with an unknown field", "DELETE", faultPath, `{"when": "hold"}`, 400, "bad_json"},
	{"armed for no moment", "POST", faultPath, `{"client": 1, "fault": "crash", "when": "noon"}`, 400, "bad_fault"},
	{"armed for an unknown client", "POST", faultPath, `{"client": 99, "fault": "crash", "when": "hold"}`, 404, "no_such_client"},
	{"armed in an unknown lane", "POST", faultPath, `{"lane": "fast", "fault": "crash", "when": "hold"}`, 404, "no_such_client"},
	{"armed server", "POST", faultPath, `{"fault": "restart", "when": "hold"}`, 400, "bad_fault"},
	{"moment as a number", "POST", faultPath, `{"client": 1, "fault": "crash", "when": 3}`, 400, "bad_json"},
	{"new start of the living", "POST", faultPath, `{"client": 1, "fault": "start-again"}`, 409, "impossible"},
}

// badWithoutRun need a run that is running, and there is none.
var badWithoutRun = []refusal{
	{"stop", "DELETE", runPath, "", 409, "not_running"},
	{"change", "PATCH", runPath, `{"delay": "1ms"}`, 409, "not_running"},
	{"fault", "POST", faultPath, `{"client": 1, "fault": "crash"}`, 409, "not_running"},
	{"disarm", "DELETE", faultPath, "", 409, "not_running"},
	{"summary", "GET", "/api/rooms/main/summary", "", 409, "not_running"},
	{"recording", "GET", "/api/rooms/main/recording", "", 404, "no_such_run"},
}

// refuse makes sure that the requests are refused as they should be.
func (s *site) refuse(t *testing.T, refusals []refusal) {
	for _, r := range refusals {
		t.Run(r.name, func(t *testing.T) {
			s := s.in(t)
			a := s.ask(r.method, r.path, r.body)
			code, message := s.failure(a)
			if a.status != r.status || code != r.code {
				t.Errorf("%s %s: %d %s %q, want %d %s", r.method, r.path, a.status, code, message, r.status, r.code)
			}
			if got := a.header.Get("Content-Type"); got != "application/json" {
				t.Errorf("Content-Type %q", got)
			}
		})
	}
}

func TestRefusalsWithoutARun(t *testing.T) {
	s := open(t)
	s.refuse(t, badWithoutRun)
	s.refuse(t, badReads)
	s.refuse(t, badStarts)
	if s.run() != nil {
		t.Error("one of them started a run")
	}
}

func TestRefusalsLeaveTheRunAlone(t *testing.T) {
	s := open(t)
	id := s.startQuick().ID
	s.refuse(t, badWithRun)
	s.refuse(t, badStarts)
	run := s.run()
	if got := run.Describe(); got.ID != id || got.State != event.Running {
		t.Errorf("run %s is %s, want %s, running", got.ID, got.State, id)
	}
	if err := run.Log().Wait(s.within(), run.Log().Len()+50); err != nil {
		t.Errorf("the run does not go on: %v", err)
	}
}

func TestRefusedInjectionsLeaveTheRunAlone(t *testing.T) {
	s := open(t)
	s.startQuick()
	s.refuse(t, badInjections)
	if on := s.run().Scenario().Inject; len(on) != 0 {
		t.Errorf("on is %v", on)
	}
}

func TestRefusalsOfAFinishedRun(t *testing.T) {
	s := open(t)
	s.startQuick()
	s.ask("DELETE", runPath, "")
	s.refuse(t, []refusal{
		{"change", "PATCH", runPath, `{"delay": "1ms"}`, 409, "not_running"},
		{"fault", "POST", faultPath, `{"client": 1, "fault": "crash"}`, 409, "not_running"},
		{"bad fault", "POST", faultPath, `{"client": 1, "fault": "tickle"}`, 400, "unknown_fault"},
		{"armed", "POST", faultPath, `{"fault": "crash", "when": "hold"}`, 409, "not_running"},
		{"disarm", "DELETE", faultPath, "", 409, "not_running"},
		{"injection", "PATCH", runPath, `{"inject": {"crash": "5s"}}`, 409, "not_running"},
	})
}

func TestLargeBodyInPieces(t *testing.T) {
	s := open(t)
	piecemeal := struct{ *strings.Reader }{strings.NewReader(strings.Repeat(" ", 80<<10))} // no known length
	request, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+s.address+runPath, piecemeal)
	if err != nil {
		t.Fatal(err)
	}
	a := s.send(request)
	if code, _ := s.failure(a); a.status != http.StatusRequestEntityTooLarge || code != "too_large" {
		t.Errorf("%d %s, want 413 too_large", a.status, code)
	}
}

func TestQuotasAnswer503(t *testing.T) {
	s := open(t, func(u *setup) { u.room.MaxRooms, u.room.MaxViewers = 2, 1 })
	if a := s.ask("POST", "/api/rooms", ""); a.status != http.StatusCreated {
		t.Errorf("first room: %d, want 201", a.status)
	}
	s.watch("")
	s.refuse(t, []refusal{
		{"second room", "POST", "/api/rooms", "", 503, "full"},
		{"second viewer", "GET", streamPath, "", 503, "full"},
	})
	if err := s.rooms.Close(s.within()); err != nil {
		t.Fatal(err)
	}
	s.refuse(t, []refusal{
		{"room after the end", "POST", "/api/rooms", "", 503, "shutting_down"},
		{"run after the end", "POST", "/api/rooms/" + room.Main + "/run", `{"scenario": "herd"}`, 503, "shutting_down"},
	})
}
