package chroot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// Watches are counted as the server has them: what fires or is removed makes room.
func TestWatchLimit(t *testing.T) {
	server := zktest.Start(t)
	h := house(t, server, server.Root(t), func(c *chroot.Config) { c.Limits.Watches = 3 })
	s := speak(t, h.address)
	do := func(want wire.Code, op int, body ...any) {
		t.Helper()
		if f := s.ask(op, body...); f.Code != want {
			t.Errorf("operation %d %v: %v, want %v", op, body, f.Code, want)
		}
	}
	do(wire.OK, create, "/a", "", openACL{}, 0)
	do(wire.OK, exists, "/a", true)
	do(wire.OK, getData, "/a", true)        // the same
	do(wire.OK, getChildren, "/a", true)    // the second
	do(wire.NoNode, getData, "/none", true) // leaves none
	do(wire.NoNode, exists, "/none", true)  // the third
	do(wire.QuotaExceeded, exists, "/b", true)
	do(wire.QuotaExceeded, addWatch, "/b", 1)
	do(wire.QuotaExceeded, setWatches, int64(1)<<60, []string{}, []string{"/b"}, []string{})
	do(wire.OK, setWatches, int64(1)<<60, []string{"/a"}, []string{"/none"}, []string{"/a"})
	do(wire.NoNode, exists, "/b", false)
	do(wire.OK, setData, "/a", "x", -1) // fires the first
	do(wire.OK, addWatch, "/b", 1)
	do(wire.QuotaExceeded, exists, "/c", true)
	do(wire.OK, create, "/b", "", openACL{}, 0) // fires it, and it stays
	do(wire.QuotaExceeded, exists, "/c", true)
	do(wire.OK, removeWatches, "/b", 3)
	do(wire.NoNode, exists, "/c", true)
	do(wire.OK, remove, "/a", -1) // the children's, too
	do(wire.OK, addWatch, "/d", 1)
	do(wire.QuotaExceeded, addWatch, "/e", 0) // needs two
	if got := strings.Join(h.refusals(), "; "); strings.Count(got, "QuotaExceeded") != 6 || !strings.Contains(got, "addWatch /b QuotaExceeded") {
		t.Errorf("told: %s", got)
	}
}

func TestZnodeLimit(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	conn := server.Conn(t)
	h := house(t, server, root, func(c *chroot.Config) {
		c.Limits.Znodes = 3
		c.Limits.CountZnodes = func() int {
			children, _, err := conn.Children(root)
			if err != nil {
				t.Error(err)
			}
			return len(children)
		}
	})
	s := speak(t, h.address)
	for _, test := range []struct {
		op   int
		body []byte
		want wire.Code
	}{
		{create, encode("/a", "", openACL{}, 0), wire.OK},
		{create, encode("/a", "", openACL{}, 0), wire.NodeExists},
		{create, encode("/b", "", openACL{}, 0), wire.OK},
		{multi, parts(part(create, "/c", "", openACL{}, 0), part(create, "/d", "", openACL{}, 0)), wire.QuotaExceeded},
		{create, encode("/c", "", openACL{}, 0), wire.OK},
		{create, encode("/d", "", openACL{}, 0), wire.QuotaExceeded},
		{getData, encode("/c", false), wire.OK},
		{remove, encode("/c", -1), wire.OK},
		{create, encode("/d", "", openACL{}, 0), wire.OK},
	} {
		if f := s.askRaw(test.op, test.body); f.Code != test.want {
			t.Errorf("operation %d %q: %v, want %v", test.op, test.body, f.Code, test.want)
		}
	}
	want := "multi  QuotaExceeded; create /d QuotaExceeded"
	if got := strings.Join(h.refusals(), "; "); got != want {
		t.Errorf("told: %s, want %s", got, want)
	}
}

// What is under way counts, or many creates at once would pass.
func TestZnodesUnderWay(t *testing.T) {
	limits := chroot.Limits{Znodes: 5, CountZnodes: func() int { return 2 }}
	c := newConn(t, chroot.ConnConfig{Limits: limits})
	passed := 0
	for i := range 10 {
		server, _, err := c.Request(prefixed(encode(i+1, create, fmt.Sprintf("/%d", i), "", openACL{}, 0)))
		if err != nil {
			t.Fatal(err)
		}
		if server != nil {
			passed++
		}
	}
	if passed != 3 {
		t.Errorf("%d creates pass, want 3", passed)
	}
}

// The rate is by the clock; pings and the end of the session are free of it.
func TestRateLimit(t *testing.T) {
	now := time.Now()
	c := newConn(t, chroot.ConnConfig{Limits: chroot.Limits{Requests: 4}, Now: func() time.Time { return now }})
	look := encode("/a", false)
	three := parts(part(check, "/a", -1), part(check, "/a", -1), part(check, "/a", -1))
	for i, test := range []struct {
		passes time.Duration // since the turn of the request before
		op     int
		body   []byte
		want   time.Duration // until its turn
	}{
		{0, multi, three, 0},
		{0, exists, look, 0},
		{0, exists, look, 250 * time.Millisecond},
		{0, multi, three, 750 * time.Millisecond},
		{0, ping, nil, 0},
		{250 * time.Millisecond, exists, look, 0},
		{0, exists, look, 250 * time.Millisecond},
		{time.Hour, multi, three, 0},
		{0, exists, look, 0},
		{0, exists, look, 250 * time.Millisecond},
		{0, closeSession, nil, 0},
	} {
		now = now.Add(test.passes)
		header := encode(i+1, test.op)
		if test.op == ping {
			header = encode(-2, test.op)
		}
		server, _, err := c.Request(prefixed(append(header, test.body...)))
		if err != nil || server == nil {
			t.Fatalf("request %d: %d bytes for the server, %v", i+1, len(server), err)
		}
		if got := c.Wait().Round(time.Millisecond); got != test.want {
			t.Errorf("request %d waits for %v, want %v", i+1, got, test.want)
		}
		now = now.Add(c.Wait())
	}
}

// A request may be too long, or of too many parts.
func TestSizeLimits(t *testing.T) {
	set := func(data string) []byte { return encode(1, setData, "/a", data, -1) }
	for _, test := range []struct {
		name    string
		request []byte
		want    bool
	}{
		{"60 bytes", set(strings.Repeat("x", 60)), true},
		{"100 bytes", set(strings.Repeat("x", 100)), false},
		{"two parts", append(encode(1, multi), parts(part(check, "/a", 1), part(check, "/b", 1))...), true},
		{"three watches", encode(1, setWatches, int64(0), []string{"/a"}, []string{"/b", "/c"}, []string{}), false},
	} {
		c := newConn(t, chroot.ConnConfig{Limits: chroot.Limits{Bytes: 100, Parts: 2}})
		server, _, err := c.Request(prefixed(test.request))
		if err != nil || (server != nil) != test.want {
			t.Errorf("%s: %d bytes to the server, %v", test.name, len(server), err)
		}
	}
}

func TestConnectionLimit(t *testing.T) {
	server := zktest.Start(t)
	h := house(t, server, server.Root(t), func(c *chroot.Config) { c.Limits.Connections = 2 })
	first := speak(t, h.address)
	speak(t, h.address)
	connect(t, h.address).expectEnd()
	h.awaitEnd(chroot.ErrTooMany)
	if f := first.ask(closeSession); f.Code != wire.OK {
		t.Fatal(f.Code)
	}
	first.expectEnd()
	h.awaitEnd(nil)
	for deadline := time.Now().Add(testTimeout); ; { // until its place is free, a moment after
		s := connect(t, h.address)
		s.send(connectRequest(0, 0, noPassword))
		if _, err := s.frame(); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the place of who has left is not given away")
		}
	}
}
