package web_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/teacher"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judging"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/web"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/static"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// timeout bounds every wait of a test: long for a busy machine, and never
// waited for when all is well.
const timeout = 2 * time.Minute

// quick is a scenario that is busy at once, with a lane to contend for. Its
// sessions outlive a machine that stands still for some seconds.
const quick = `{"name": "quick", "title": "Quick", "lanes": [{"name": "mutex", "title": "Mutex", "recipe": "mutex"}],
	"clients": 3, "session": "10s", "hold": {"min": "5ms", "max": "10ms"}, "think": {"min": "1ms", "max": "5ms"}, "seed": 1}`

// A site is a playground that serves on a port of its own.
type site struct {
	testing.TB
	address string // host:port
	rooms   *room.Rooms
	server  *web.Server
	client  *http.Client
}

// A setup is what a test may change before its site opens.
type setup struct {
	room room.Config
	web  web.Config
	// judging is how locks are judged.
	judging judging.Config
	wrap    func(net.Listener) net.Listener
}

// open returns a site on the ZooKeeper that all tests share, which is shut down
// when the test ends.
func open(tb testing.TB, change ...func(*setup)) *site {
	tb.Helper()
	zookeeper := zktest.Start(tb)
	live := zkserver.Status{Address: zookeeper.Address(), State: zkserver.Live, Version: "3.8.0", Managed: true}
	u := setup{wrap: func(l net.Listener) net.Listener { return l }}
	// A run may take as long as the test to end: a busy machine is no failure of a page.
	u.room = room.Config{Backend: run.Backend{Servers: []string{live.Address}, ZooKeeper: func() event.Server { return event.Server{Version: "3.8.0", Managed: true} }},
		Base: zookeeper.Root(tb), EndTimeout: timeout}
	u.web = webConfig(tb)
	u.web.ZooKeeper = func() []zkserver.Status { return []zkserver.Status{live} }
	u.room.Goals = u.web.Lessons.Goals()
	for _, c := range change {
		c(&u)
	}
	u.web.Rooms, u.web.Judgements = room.New(u.room), judging.New(u.judging)
	return serve(tb, u)
}

// shippedLessons are those of the program, read once: that takes a second with the race
// detector, and they never change.
var shippedLessons = sync.OnceValues(lessons.Shipped)

// shippedGuide is the teacher's part of them, read once.
var shippedGuide = sync.OnceValues(func() (*teacher.Guide, error) {
	library, err := shippedLessons()
	if err != nil {
		return nil, err
	}
	return teacher.Shipped(library, nil)
})

// webConfig is all of a configuration but rooms and ZooKeeper.
func webConfig(tb testing.TB) web.Config {
	tb.Helper()
	scenarios, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		tb.Fatal(err)
	}
	library, err := shippedLessons()
	if err != nil {
		tb.Fatal(err)
	}
	guide, err := shippedGuide()
	if err != nil {
		tb.Fatal(err)
	}
	return web.Config{Scenarios: scenarios, Lessons: library, Teacher: guide, Static: static.Files, Page: "index.html", Version: "test",
		Log: slog.New(slog.DiscardHandler)}
}

func serve(tb testing.TB, u setup) *site {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s := &site{TB: tb, address: listener.Addr().String(), rooms: u.web.Rooms, server: web.New(u.web),
		client: &http.Client{Transport: &http.Transport{}}}
	served := make(chan error, 1)
	go func() { served <- s.server.Serve(u.wrap(listener)) }()
	tb.Cleanup(func() {
		s.client.CloseIdleConnections()
		if err := errors.Join(s.rooms.Close(s.within()), s.server.Shutdown(s.within()), <-served); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// in is the site for a part of the test.
func (s *site) in(tb testing.TB) *site {
	part := *s
	part.TB = tb
	return &part
}

// within bounds a step of the test, also of its clean-up.
func (s *site) within() context.Context {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.Context()), timeout)
	s.Cleanup(cancel)
	return ctx
}

// start starts a run in the room main, which must start.
func (s *site) start(request string) event.Run {
	s.Helper()
	var body struct{ Run event.Run }
	s.decode(s.ask(http.MethodPost, "/api/rooms/main/run", request), http.StatusCreated, &body)
	return body.Run
}

// startQuick starts the quick scenario.
func (s *site) startQuick() event.Run {
	s.Helper()
	return s.start(`{"scenario": ` + quick + `}`)
}

// run is the present run of the room main.
func (s *site) run() *run.Run {
	s.Helper()
	r, err := s.rooms.Get(room.Main)
	if err != nil {
		s.Fatal(err)
	}
	run, _ := r.Current()
	return run
}

// await waits until the run's log has an event that pleases.
func (s *site) await(run *run.Run, pleases func(event.Event) bool) event.Event {
	s.Helper()
	for e, err := range run.Log().Follow(s.within(), 1) {
		if err != nil {
			s.Fatalf("wait in %d events: %v", run.Log().Len(), err)
		}
		if pleases(e) {
			return e
		}
	}
	return event.Event{}
}

// awaitAll waits until each of the first clients has had the lock.
func (s *site) awaitAll(run *run.Run, clients int) {
	s.Helper()
	for client := 1; client <= clients; client++ {
		s.await(run, func(e event.Event) bool { return e.Kind == event.LockAcquired && e.Client == client })
	}
}

// kind pleases events of a kind.
func kind(k event.Kind) func(event.Event) bool {
	return func(e event.Event) bool { return e.Kind == k }
}

// eventually waits for a condition that nothing tells.
func (s *site) eventually(what string, met func() bool) {
	s.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	deadline := s.within()
	for !met() {
		select {
		case <-ticker.C:
		case <-deadline.Done():
			s.Fatalf("never: %s", what)
		}
	}
}
