package guests_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/guests"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// timeout bounds every wait of a test: long for a busy machine, and never waited for
// when all is well.
const timeout = 2 * time.Minute

// A house is rooms that take guests, on a real ZooKeeper.
type house struct {
	testing.TB
	*room.Rooms
	guests *guests.Server
	conn   *zk.Conn // of a bystander
	base   string
}

// open returns a house that is closed when the test ends; then nothing of it is left.
func open(tb testing.TB, server *zktest.Server, change func(*guests.Config, *room.Config)) *house {
	tb.Helper()
	config := guests.Config{Address: "127.0.0.1:0", Limits: room.DefaultLimits().Guest, Log: slog.New(slog.DiscardHandler)}
	stats, err := zkserver.Probe(tb.Context(), server.Address())
	if err != nil {
		tb.Fatal(err)
	}
	rooms := room.Config{Backend: run.Backend{Servers: []string{server.Address()}, ZooKeeper: func() event.Server { return event.Server{Version: stats.Version, Build: stats.Build} }},
		Base: server.Root(tb) + "/playground", EndTimeout: timeout}
	if change != nil {
		change(&config, &rooms)
	}
	main, err := net.Listen("tcp", config.Address)
	if err != nil {
		tb.Fatal(err)
	}
	s := guests.New(main, config)
	zookeeper := wire.Ensemble{Addresses: rooms.Servers}
	s.Use(rooms.ZooKeeper, func(ctx context.Context) (zxid int64, err error) {
		err = zookeeper.Do(ctx, timeout, func(c *wire.Client) error { err := c.Sync(ctx, "/"); zxid = c.Zxid(); return err })
		return zxid, err
	})
	rooms.Opened = func(r *room.Room) { s.Open(r) }
	h := &house{TB: tb, Rooms: room.New(rooms), guests: s, conn: server.Conn(tb), base: rooms.Base}
	tb.Cleanup(func() {
		s.Close()
		if err := h.Close(h.within()); err != nil {
			tb.Error(err)
		}
		if there, _, err := h.conn.Exists(h.base); err != nil || there {
			tb.Errorf("znodes are left below %s: %v", h.base, err)
		}
	})
	return h
}

// within bounds a step of the test, also of its clean-up.
func (h *house) within() context.Context {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(h.Context()), timeout)
	h.Cleanup(cancel)
	return ctx
}

func (h *house) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// room is the room of that name.
func (h *house) room(name string) *room.Room {
	h.Helper()
	r, err := h.Get(name)
	h.must(err)
	return r
}

func milliseconds(n int) scenario.Duration {
	return scenario.Duration(time.Duration(n) * time.Millisecond)
}

// start starts a run of some clients in a hurry.
func (h *house) start(r *room.Room, clients int) *log {
	h.Helper()
	started, err := r.Start(h.within(), scenario.Scenario{
		Name: "fast", Lanes: []scenario.Lane{{Name: "lane", Recipe: "mutex"}}, Clients: clients, Session: milliseconds(30_000), Seed: 7,
		Hold: scenario.Range{Min: milliseconds(5), Max: milliseconds(15)}, Think: scenario.Range{Max: milliseconds(10)}})
	h.must(err)
	return &log{Run: started, TB: h, next: 1}
}

// address is where guests of a room connect.
func (h *house) address(name string) string {
	h.Helper()
	status, open := h.guests.Status(name)
	if !open {
		h.Fatalf("room %s takes no guests", name)
	}
	return status.Address
}

// join connects a guest.
func (h *house) join(name string, o wire.Options) *wire.Client {
	h.Helper()
	c, err := wire.Dial(h.within(), h.address(name), o)
	h.must(err)
	h.Cleanup(c.Close)
	return c
}

// create creates a znode, and returns the path by which the guest knows it.
func (h *house) create(c *wire.Client, path string, mode wire.CreateMode) string {
	h.Helper()
	node, err := c.CreateNode(h.within(), wire.NewNode{Path: path, ACL: wire.OpenACL(), Mode: mode})
	h.must(err)
	return node
}

// A log is a run, with the position up to which its log has been read.
type log struct {
	*run.Run
	testing.TB
	next int64
}

// until reads on to the first event that fits, and returns it.
func (l *log) until(what string, fits func(event.Event) bool) event.Event {
	l.Helper()
	ctx, cancel := context.WithTimeout(l.Context(), timeout)
	defer cancel()
	for e, err := range l.Run.Log().Follow(ctx, l.next) {
		if err != nil {
			l.Fatalf("%s did not happen in %d events: %v", what, l.next-1, err)
		}
		l.next = e.Seq + 1
		if fits(e) {
			return e
		}
	}
	return event.Event{}
}

func (l *log) untilKind(kind event.Kind, client int) event.Event {
	l.Helper()
	return l.until(fmt.Sprintf("%s of client %d", kind, client), func(e event.Event) bool {
		return e.Kind == kind && (client == 0 || e.Client == client)
	})
}

// finish ends the run, and fails the test if it does not end well.
func (l *log) finish() {
	l.Helper()
	l.Stop()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.Context()), timeout)
	defer cancel()
	if err := l.Wait(ctx); err != nil {
		l.Errorf("the run did not end well: %v", err)
	}
}

// root is the lane's root.
func (l *log) root() string { return l.Describe().Lanes[0].Root }

// gone says whether nothing is left of a run on the server.
func (h *house) gone(l *log) bool {
	h.Helper()
	there, _, err := h.conn.Exists(path.Dir(l.root()))
	h.must(err)
	return !there
}

var errAny = errors.New("an error of any kind")

func failsWith(got, want error) bool {
	return want == nil && got == nil || want == errAny && got != nil || want != nil && errors.Is(got, want)
}
