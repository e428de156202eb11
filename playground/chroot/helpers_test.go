package chroot_test

import (
	"context"
	"errors"
	"net"
	"strings"
	stdsync "sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

const testTimeout = 30 * time.Second

// A guestHouse is a listener in front of a real server, and what has passed there.
type guestHouse struct {
	*testing.T
	server  *zktest.Server
	root    string
	address string

	mu        stdsync.Mutex
	refused   []chroot.Refusal
	ended     []error
	conns     []net.Conn // to the server
	undecoded []string
	outside   []string // paths outside of the root that were asked for
	frames    int
	changed   chan struct{} // closed at each end of a guest
}

// house lets guests in below root until the test ends.
func house(t *testing.T, server *zktest.Server, root string, change func(*chroot.Config)) *guestHouse {
	t.Helper()
	h := &guestHouse{T: t, server: server, root: root, changed: make(chan struct{})}
	config := chroot.Config{Root: root, Sessions: chroot.NewSessions(), Dial: h.dial, Version: "3.8.0"}
	config.Refused = func(_ chroot.Guest, r chroot.Refusal) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.refused = append(h.refused, r)
	}
	config.Ended = func(_ chroot.Guest, err error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.ended = append(h.ended, err)
		close(h.changed)
		h.changed = make(chan struct{})
	}
	if change != nil {
		change(&config)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.address = listener.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- chroot.Serve(ctx, listener, config) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		h.check()
	})
	return h
}

func (h *guestHouse) dial(ctx context.Context, _ chroot.Guest) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", h.server.Address())
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.conns = append(h.conns, conn)
	d := wire.NewDecoder()
	d.LocateFields = true
	return &overheard{Conn: conn, house: h, decoder: d, requests: wire.NewFramer(0), replies: wire.NewFramer(0)}, nil
}

// check fails the test for what has passed on the server's side.
func (h *guestHouse) check() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, why := range h.undecoded {
		h.Errorf("undecoded: %s", why)
	}
	for _, path := range h.outside {
		h.Errorf("outside of %s: %s", h.root, path)
	}
	h.Logf("%s: %d frames passed", h.root, h.frames)
}

// cut ends all connections to the server.
func (h *guestHouse) cut() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, conn := range h.conns {
		conn.Close()
	}
	h.conns = nil
}

// refusals returns what was refused, in words.
func (h *guestHouse) refusals() (all []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.refused {
		all = append(all, r.Op+" "+r.Path+" "+r.Code.String())
	}
	return all
}

// awaitEnd waits until a guest has ended with that error.
func (h *guestHouse) awaitEnd(want error) {
	h.Helper()
	for timeout := time.After(testTimeout); ; {
		h.mu.Lock()
		for _, err := range h.ended {
			if errors.Is(err, want) {
				h.mu.Unlock()
				return
			}
		}
		changed, ended := h.changed, h.ended
		h.mu.Unlock()
		select {
		case <-changed:
		case <-timeout:
			h.Fatalf("no guest has ended with %v: %v", want, ended)
		}
	}
}

// overheard decodes what passes on a connection to the server.
type overheard struct {
	net.Conn
	house             *guestHouse
	mu                stdsync.Mutex
	decoder           *wire.Decoder
	requests, replies *wire.Framer
}

func (o *overheard) Write(b []byte) (int, error) {
	o.mu.Lock()
	err := o.requests.Feed(b, func(frame []byte) { o.note(o.decoder.Request(frame[4:]), frame[4:]) })
	o.mu.Unlock()
	return must(err, o.Conn.Write, b)
}

func (o *overheard) Read(b []byte) (int, error) {
	n, err := o.Conn.Read(b)
	o.mu.Lock()
	defer o.mu.Unlock()
	if failure := o.replies.Feed(b[:n], func(frame []byte) { o.note(o.decoder.Reply(frame[4:]), frame[4:]) }); failure != nil {
		return n, failure
	}
	return n, err
}

func must(err error, do func([]byte) (int, error), b []byte) (int, error) {
	if err != nil {
		return 0, err
	}
	return do(b)
}

func (o *overheard) note(f *wire.Frame, payload []byte) {
	h := o.house
	h.mu.Lock()
	defer h.mu.Unlock()
	h.frames++
	if f.Kind == wire.Undecoded {
		h.undecoded = append(h.undecoded, f.Why)
	}
	for _, field := range f.Fields {
		path := string(payload[field.Start:field.End])
		if field.Kind != wire.PasswordField && path != h.root && !strings.HasPrefix(path, h.root+"/") {
			h.outside = append(h.outside, f.Op+" "+path)
		}
	}
}

// session opens a session of go-zookeeper at an address, which ends with the test.
func session(t *testing.T, address string) *zk.Conn {
	t.Helper()
	dial := func(network, address string, timeout time.Duration) (net.Conn, error) {
		conn, err := net.DialTimeout(network, address, timeout)
		if err != nil {
			return nil, err
		}
		return zktest.Unfailing(conn), nil
	}
	// The address twice, or the library waits a second before it comes back.
	conn, events, err := zk.Connect([]string{address, address}, testTimeout, zk.WithDialer(dial), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	for timeout := time.After(testTimeout); ; {
		select {
		case event := <-events:
			if event.State == zk.StateHasSession {
				return conn
			}
		case <-timeout:
			t.Fatal("no session at " + address)
		}
	}
}

// quiet is a logger that says nothing.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// room makes a znode for a room below the test's own.
func room(t *testing.T, server *zktest.Server, parent, name string) string {
	t.Helper()
	path := parent + "/" + name
	if _, err := server.Conn(t).Create(path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	return path
}
