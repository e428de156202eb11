package link_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
)

const (
	waitLimit = time.Minute // for what must happen
	// longSession is the timeout of a session that is to outlive its test.
	longSession = 30 * time.Second
	// shortSession is the timeout of one that is to end, or to live by its heartbeats:
	// a machine that stands still for a third of it does no harm.
	shortSession = 9 * time.Second
)

// An eventLog keeps a client's events, and lets tests wait for them.
type eventLog struct {
	began time.Time

	mu     sync.Mutex
	events []event.Event
	grown  chan struct{} // closed when the next event comes
}

func newEventLog() *eventLog {
	return &eventLog{began: time.Now(), grown: make(chan struct{})}
}

func (j *eventLog) clock() int64 { return time.Since(j.began).Microseconds() }

func (j *eventLog) emit(e event.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e.At = j.clock()
	j.events = append(j.events, e)
	close(j.grown)
	j.grown = make(chan struct{})
}

func (j *eventLog) all() ([]event.Event, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.events), j.grown
}

func (j *eventLog) count(match func(event.Event) bool) int {
	events, _ := j.all()
	n := 0
	for _, e := range events {
		if match(e) {
			n++
		}
	}
	return n
}

// requests lists operations and xids of the frames of a kind of event.
func (j *eventLog) requests(kind event.Kind) []string {
	events, _ := j.all()
	var all []string
	for _, e := range events {
		if e.Kind == kind {
			all = append(all, fmt.Sprintf("%s %d", e.Op, e.Xid))
		}
	}
	return all
}

// await waits for an event and returns it.
func (j *eventLog) await(t *testing.T, what string, match func(event.Event) bool) event.Event {
	t.Helper()
	late := time.After(waitLimit)
	for {
		events, grown := j.all()
		if i := slices.IndexFunc(events, match); i >= 0 {
			return events[i]
		}
		select {
		case <-grown:
		case <-late:
			t.Fatalf("no event: %s", what)
		}
	}
}

// is matches events by kind and operation.
func is(kind event.Kind, op string) func(event.Event) bool {
	return func(e event.Event) bool { return e.Kind == kind && e.Op == op }
}

// A client is go-zookeeper behind a link with a tap.
type client struct {
	*eventLog
	*zk.Conn
	link   *link.Link
	tap    *wire.Tap
	states chan zk.State
}

// connect opens a session through a link of its own.
func connect(t testing.TB, address string, timeout time.Duration) *client {
	t.Helper()
	c := &client{eventLog: newEventLog(), states: make(chan zk.State, 1000)}
	c.tap = wire.NewTap("lane", 1, c.clock, c.emit)
	c.link = link.New(link.Config{Observer: c.tap, Clock: c.clock})
	c.open(t, address, timeout)
	return c
}

func (c *client) open(t testing.TB, address string, timeout time.Duration) {
	t.Helper()
	conn, _, err := zk.Connect([]string{address}, timeout, zk.WithDialer(c.link.Dial),
		zk.WithHostProvider(new(host)), zk.WithLogger(quiet{}), zk.WithEventCallback(c.changed))
	if err != nil {
		t.Fatal(err)
	}
	c.Conn = conn
	t.Cleanup(func() {
		conn.Close()
		c.link.Close()
	})
	c.awaitState(t, zk.StateHasSession)
}

func (c *client) changed(e zk.Event) {
	if e.Type == zk.EventSession {
		c.states <- e.State
	}
}

// awaitState waits until the library says that it is in a state.
func (c *client) awaitState(t testing.TB, want zk.State) {
	t.Helper()
	late := time.After(waitLimit)
	for {
		select {
		case got := <-c.states:
			if got == want {
				return
			}
		case <-late:
			t.Fatalf("the library is not in %v", want)
		}
	}
}

// A host gives one address: at once after a connection that worked, after the
// library's pause when the last attempt failed.
type host struct {
	mu      sync.Mutex
	address string
	failing bool
}

func (h *host) Init(servers []string) error { h.address = servers[0]; return nil }
func (h *host) Len() int                    { return 1 }

func (h *host) Next() (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	failing := h.failing
	h.failing = true
	return h.address, failing
}

func (h *host) Connected() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failing = false
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ephemeral makes an ephemeral znode and returns its path.
func (c *client) ephemeral(t testing.TB, path string) string {
	t.Helper()
	made, err := c.Create(path, nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll))
	must(t, err)
	return made
}

// gone waits until a znode is deleted.
func gone(t *testing.T, conn *zk.Conn, path string) {
	t.Helper()
	exists, _, deleted, err := conn.ExistsW(path)
	must(t, err)
	if !exists {
		return
	}
	select {
	case <-deleted:
	case <-time.After(waitLimit):
		t.Fatalf("%s was not deleted", path)
	}
}

// rawSession is a session through the link without the library.
func rawSession(t *testing.T, l *link.Link, address string) *wire.Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	c, err := wire.Dial(ctx, address, wire.Options{Timeout: longSession, DialContext: dialer(l)})
	must(t, err)
	t.Cleanup(c.Close)
	return c
}
