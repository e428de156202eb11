package web_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"go.uber.org/goleak"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var (
	// fuzzRoutes is how long TestFuzzRoutes sends requests; `make fuzz-routes` 10 minutes.
	fuzzRoutes = flag.Duration("fuzz-routes", 3*time.Second, "how long TestFuzzRoutes sends requests")
	fuzzSeed   = flag.Uint64("fuzz-seed", 1, "`seed` of the requests of TestFuzzRoutes")
)

const (
	// fuzzers send requests at once.
	fuzzers = 4
	// clockSpeed is how much faster the clock of the limits goes, so that most requests
	// come to what they are for.
	clockSpeed = 200
	// worldRounds is how often one of the fuzzers asks every route before the classes end
	// and others begin.
	worldRounds = 2
	// leastRounds is how often each of the fuzzers asks every route at least.
	leastRounds = 4
	// mostReasons for which requests are refused are counted: those that the server
	// knows, whatever is sent.
	mostReasons = 20
)

// noPlace are the codes of the only answers with a 5xx that may come: the fuzz asks for
// more rooms, viewers and downloads than there may be, and API.md says how that is
// answered. ZooKeeper is there all the time.
var noPlace = []string{"full", "busy"}

// TestFuzzRoutes sends whatever it can think of to every route that the router knows, as
// everybody, while classes and runs begin and end. Nothing is answered with a 5xx, nothing
// panics, no goroutine is left, and a run of somebody else notices nothing.
func TestFuzzRoutes(t *testing.T) {
	zktest.Start(t).Root(t) // the server and a connection to it are there before, and after
	before := goleak.IgnoreCurrent()
	t.Run("requests", fuzzAllRoutes)
	goleak.VerifyNone(t, before, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

func fuzzAllRoutes(t *testing.T) {
	complaints, began := &complaints{}, time.Now()
	s := open(t, guarded, func(u *setup) {
		u.room.MaxRooms, u.room.MaxViewers, u.room.MaxClients, u.room.MaxEventsPerSecond = 40, 20, 6, 1000
		u.room.FreshTime, u.room.IdleTime = time.Second, 3*time.Second
		u.web.Log = slog.New(complaints)
		u.web.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} // anybody may come from anywhere
		u.web.Now = func() time.Time { return began.Add(clockSpeed * time.Since(began)) }
	})
	s.client.Transport = elsewhere{s.client.Transport.(*http.Transport)}
	other := s.bystander()
	f := &fuzz{site: s, routes: s.server.Routes(), names: s.names(), bystander: other.room, seen: make(map[string]map[int]int)}
	f.renew()
	if f.world.Load() == nil {
		t.Fatal("there is no place for the classes")
	}

	ctx, cancel := context.WithTimeout(t.Context(), *fuzzRoutes)
	defer cancel()
	var sending sync.WaitGroup
	for number := range fuzzers {
		sending.Go(func() { f.send(ctx, number) })
	}
	sending.Wait()

	f.report()
	f.mustHaveSeen(http.StatusOK, http.StatusCreated, http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed)
	if *fuzzRoutes >= time.Minute { // sooner it may come to none of these
		f.mustHaveSeen(http.StatusSwitchingProtocols, http.StatusNoContent, http.StatusConflict, http.StatusRequestEntityTooLarge)
	}
	s.want(http.StatusOK, http.MethodGet, "/healthz", "")
	other.mustBeUndisturbed()
	if reasons := s.refused(); len(reasons) == 0 || len(reasons) > mostReasons {
		t.Errorf("refused were %v, want at most %d reasons", reasons, mostReasons)
	}
	for _, c := range complaints.all() {
		t.Errorf("the server logs: %s", c)
	}
}

// A fuzz sends requests and counts the answers.
type fuzz struct {
	*site
	routes    []*echo.Route
	names     map[string][]string // what a part of a path may be, and "" for what it is not known of
	bystander string              // the room of who is not to be disturbed
	world     atomic.Pointer[world]

	mu   sync.Mutex
	seen map[string]map[int]int // by route and status; 0 means that the connection was closed
}

// A world is whom and what the requests are about.
type world struct {
	teacher person
	others  []person // who are no teachers
	rooms   []string
	codes   []string // of the classes
	queries []string // that some route takes
}

// A person sends its cookies, half the time to the room where it may do something.
type person struct{ cookies, room string }

// renew opens two classes, with members, runs and rooms of their own, and ends those
// before. When the fuzz has taken all places, the world stays as it is.
func (f *fuzz) renew() {
	teacher, driver, student, foreign, stranger := f.teacher(), f.visitor(), f.visitor(), f.visitor(), f.visitor()
	if old := f.world.Load(); old != nil {
		for _, room := range old.rooms {
			teacher.ask(http.MethodDelete, "/api/rooms/"+room+"/class", "")
		}
	}
	class, code, ok := teacher.class()
	if !ok {
		return
	}
	second, secondCode, ok := teacher.class()
	if !ok {
		return
	}
	driver.ask(http.MethodPost, "/api/classes/join", fmt.Sprintf(`{"code": %q}`, code)) // the class may have gone by now
	student.ask(http.MethodPost, "/api/classes/join", fmt.Sprintf(`{"code": %q}`, code))
	foreign.ask(http.MethodPost, "/api/classes/join", fmt.Sprintf(`{"code": %q}`, secondCode))
	teacher.ask(http.MethodPatch, "/api/rooms/"+class+"/class", `{"seat": "offer"}`)
	driver.ask(http.MethodPatch, "/api/rooms/"+class+"/class", `{"seat": "take"}`)
	rooms := []string{"main", class, second}
	queries := []string{"from=1", "from=50", "teacher=" + token, "code=" + code, "address=http://192.0.2.7:8080"}
	for _, room := range rooms {
		var started struct{ Run event.Run } // if the room has not gone by now
		_ = json.Unmarshal(teacher.ask(http.MethodPost, "/api/rooms/"+room+"/run", `{"scenario": `+quick+`}`).body, &started)
		queries = append(queries, "run="+started.Run.ID)
	}
	sandbox, _, _ := student.made("/api/rooms")
	own, _, _ := stranger.made("/api/rooms")
	forged := strings.ReplaceAll(teacher.cookies(), "=", "=0")
	f.world.Store(&world{teacher: person{teacher.cookies(), class}, rooms: append(rooms, sandbox, own), codes: []string{code, secondCode}, queries: queries,
		others: []person{{driver.cookies(), class}, {student.cookies(), class}, {student.cookies(), sandbox}, {foreign.cookies(), second},
			{stranger.cookies(), own}, {forged, class}, {"", "main"}}})
}

// class opens a class, if there is a place.
func (s *site) class() (room, code string, ok bool) {
	s.Helper()
	return s.made("/api/classes")
}

// made makes a room or a class, if there is a place.
func (s *site) made(path string) (room, code string, ok bool) {
	s.Helper()
	a := s.ask(http.MethodPost, path, "")
	if a.status == http.StatusServiceUnavailable {
		return "", "", false
	}
	var made struct{ Room, Code string }
	s.decode(a, http.StatusCreated, &made)
	return made.Room, made.Code, true
}

// send asks every route, in another order each time, until ctx ends; but some rounds at
// least, however slow the machine is.
func (f *fuzz) send(ctx context.Context, number int) {
	w := &fuzzer{fuzz: f, Rand: rand.New(rand.NewPCG(*fuzzSeed, uint64(number)))}
	defer w.hangUp()
	for round := 0; round < leastRounds || ctx.Err() == nil; round++ {
		if number == 0 && round%worldRounds == worldRounds-1 {
			f.renew()
		}
		for _, i := range w.Perm(len(f.routes)) {
			if round >= leastRounds && ctx.Err() != nil {
				return
			}
			w.ask(f.routes[i])
		}
	}
}

func (f *fuzz) count(route *echo.Route, status int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	name := route.Method + " " + route.Path
	if f.seen[name] == nil {
		f.seen[name] = make(map[int]int)
	}
	f.seen[name][status]++
}

// report prints how often each route was answered with each status.
func (f *fuzz) report() {
	var table strings.Builder
	requests := 0
	for _, name := range slices.Sorted(maps.Keys(f.seen)) {
		fmt.Fprintf(&table, "\n%-45s", name)
		for _, status := range slices.Sorted(maps.Keys(f.seen[name])) {
			fmt.Fprintf(&table, " %d:%d", status, f.seen[name][status])
			requests += f.seen[name][status]
		}
	}
	f.Logf("%d requests in %v, seed %d; by route, how many had which status, 0 being a closed connection:%s",
		requests, *fuzzRoutes, *fuzzSeed, table.String())
}

// mustHaveSeen insists that every route was asked, and that each of the statuses came:
// else the fuzz does not do what it is for.
func (f *fuzz) mustHaveSeen(statuses ...int) {
	total := make(map[int]int)
	for _, route := range f.routes {
		counts := f.seen[route.Method+" "+route.Path]
		if len(counts) == 0 {
			f.Errorf("%s %s was not asked", route.Method, route.Path)
		}
		for status, n := range counts {
			total[status] += n
		}
	}
	for _, status := range statuses {
		if total[status] == 0 {
			f.Errorf("no answer was %d", status)
		}
	}
}

// complaints are what the server logs of errors and panics.
type complaints struct {
	slog.Handler
	mu   sync.Mutex
	list []string
}

func (c *complaints) Enabled(context.Context, slog.Level) bool { return true }

func (c *complaints) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool { text += " " + a.String(); return true })
	if r.Level >= slog.LevelError || strings.Contains(text, "panic") {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.list = append(c.list, text)
	}
	return nil
}

func (c *complaints) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list
}
