package room_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// timeout bounds every wait of a test: long for a busy machine, and never
// waited for when all is well.
const timeout = time.Minute

// A house is what most tests need: rooms on a real ZooKeeper, and a bystander
// who sees what is on it.
type house struct {
	testing.TB
	*room.Rooms
	conn *zk.Conn
	base string
}

// open returns rooms under a base of their own, closed when the test ends.
func open(tb testing.TB, change ...func(*room.Config)) *house {
	tb.Helper()
	server := zktest.Start(tb)
	config := room.Config{Backend: run.Backend{Servers: []string{server.Address()}, ZooKeeper: func() event.Server { return event.Server{Version: "3.8.0", Managed: true} }},
		Base: server.Root(tb), EndTimeout: timeout}
	for _, c := range change {
		c(&config)
	}
	h := &house{TB: tb, Rooms: room.New(config), conn: server.Conn(tb), base: config.Base}
	tb.Cleanup(func() {
		if err := h.Close(within(tb)); err != nil {
			tb.Error(err)
		}
	})
	return h
}

// within bounds a step of the test, also of its clean-up.
func within(tb testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), timeout)
	tb.Cleanup(cancel)
	return ctx
}

// quick is a scenario that is busy at once.
func quick(clients int) scenario.Scenario {
	pause := scenario.Range{Min: scenario.Duration(2 * time.Millisecond), Max: scenario.Duration(5 * time.Millisecond)}
	return scenario.Scenario{Name: "quick", Title: "Quick", Clients: clients, Session: scenario.Duration(30 * time.Second),
		Lanes: []scenario.Lane{{Name: "mutex", Title: "Mutex", Recipe: "mutex"}}, Hold: pause, Think: pause, Seed: 1}
}

// room returns the room called name.
func (h *house) room(name string) *room.Room {
	h.Helper()
	r, err := h.Get(name)
	if err != nil {
		h.Fatal(err)
	}
	return r
}

// create makes a room that must be had.
func (h *house) create() *room.Room {
	h.Helper()
	return h.createFor(room.Person{})
}

// createFor makes a room of a person's own.
func (h *house) createFor(p room.Person) *room.Room {
	h.Helper()
	r, err := h.Create(within(h), p)
	if err != nil {
		h.Fatal(err)
	}
	return r
}

// count is how many rooms there are.
func (h *house) count() int {
	n := 0
	h.Each(func(*room.Room) { n++ })
	return n
}

// start starts a run that must start.
func (h *house) start(r *room.Room, clients int) *run.Run {
	h.Helper()
	run, err := r.Start(within(h), quick(clients))
	if err != nil {
		h.Fatal(err)
	}
	return run
}

// awaitKind waits until the run's log has an event of the kind.
func awaitKind(tb testing.TB, run *run.Run, kind event.Kind) {
	tb.Helper()
	await(tb, run, func(e event.Event) bool { return e.Kind == kind })
}

// await waits until the run's log has an event that pleases.
func await(tb testing.TB, run *run.Run, pleases func(event.Event) bool) {
	tb.Helper()
	for e, err := range run.Log().Follow(within(tb), 1) {
		if err != nil {
			tb.Fatalf("wait in %d events: %v", run.Log().Len(), err)
		}
		if pleases(e) {
			return
		}
	}
}

// eventually waits for a condition that nothing tells.
func (h *house) eventually(what string, met func() bool) {
	h.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for deadline := within(h); !met(); {
		select {
		case <-ticker.C:
		case <-deadline.Done():
			h.Fatalf("never: %s", what)
		}
	}
}

// nodes returns every znode at and below path.
func (h *house) nodes(path string) []string {
	h.Helper()
	children, _, err := h.conn.Children(path)
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	if err != nil {
		h.Fatal(err)
	}
	all := []string{path}
	for _, child := range children {
		all = append(all, h.nodes(path+"/"+child)...)
	}
	return all
}

// finished says whether the run has finished.
func finished(run *run.Run) bool {
	select {
	case <-run.Done():
		return run.State() == event.Finished
	default:
		return false
	}
}

// A clock goes when it is told to.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Unix(1e9, 0)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
