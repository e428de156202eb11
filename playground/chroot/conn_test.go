package chroot_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/wire/wiretest"
)

// refusedReconfig is how the reply to a reconfig ends.
var refusedReconfig = encode(int(wire.ReconfigDisabled))

// opOf returns the operation of a recorded request, 0 for what has none.
func opOf(l wiretest.Line) int {
	if !l.Request || len(l.Payload) == len(connectRequest(0, 0, noPassword))-1 {
		return 0
	}
	return int(int32(binary.BigEndian.Uint32(l.Payload[4:])))
}

// newConn returns a Conn below the root that has its session.
func newConn(t testing.TB, config chroot.ConnConfig) *chroot.Conn {
	t.Helper()
	if config.Sessions == nil {
		config.Sessions = chroot.NewSessions()
	}
	if config.Root == "" {
		config.Root = "/rooms/r1"
	}
	c, err := chroot.NewConn(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Request(prefixed(connectRequest(0, 0, noPassword))); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Reply(prefixed(encode(0, 30_000, int64(77), "0123456789abcdef", false))); err != nil {
		t.Fatal(err)
	}
	return c
}

// Every operation of the recorded conversation is rewritten in both directions, and
// nothing else of it: an oracle that knows of no layout has made what is expected.
func TestRewritesEveryOperation(t *testing.T) {
	c, err := chroot.NewConn(chroot.ConnConfig{Root: wiretest.Root, Sessions: chroot.NewSessions()})
	if err != nil {
		t.Fatal(err)
	}
	lines := wiretest.Recorded(t)
	for i, l := range lines {
		op := opOf(l)
		switch {
		case op == reconfig:
			_, client, err := c.Request(prefixed(l.Payload))
			if err != nil || !bytes.HasSuffix(client, refusedReconfig) {
				t.Errorf("reconfig is answered by %x, %v", client, err)
			}
		case l.Request:
			want := l.Payload
			if op == getEphemerals { // of all that begins with the root's path and a slash
				want = append(bytes.Clone(want[:8]), encode(wiretest.Root+"/")...)
			}
			server, client, err := c.Request(prefixed(stripped(l.Payload)))
			if err != nil || len(client) > 0 || !bytes.Equal(server, prefixed(want)) {
				t.Errorf("frame %d: %q to the server, %q to the client, %v; want %q", i, server, client, err, want)
			}
		case i == 1: // the session, whose password is made here
			if _, err := c.Reply(prefixed(l.Payload)); err != nil {
				t.Fatal(err)
			}
		case bytes.HasSuffix(l.Payload, refusedReconfig): // nobody has asked the server
		default:
			client, err := c.Reply(prefixed(l.Payload))
			if err != nil || !bytes.Equal(client, prefixed(stripped(l.Payload))) {
				t.Errorf("frame %d: %q to the client, %v; want %q", i, client, err, stripped(l.Payload))
			}
		}
	}
	if c.Pending() != 0 || !c.Ended() {
		t.Errorf("at the end %d requests are pending, ended is %v", c.Pending(), c.Ended())
	}
}

// What is answered here waits for the replies to what was asked before.
func TestAnswersInOrder(t *testing.T) {
	c := newConn(t, chroot.ConnConfig{})
	send := func(xid int, body []byte) []byte {
		t.Helper()
		_, client, err := c.Request(prefixed(append(encode(xid), body...)))
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
	const unknown = 4711
	none := [][]byte{
		send(1, encode(exists, "/a", false)),
		send(2, encode(unknown)),
		send(3, encode(getData, "/zookeeper/config", true)),
		send(4, encode(exists, "/b", false)),
		send(5, encode(unknown)),
	}
	for i, early := range none {
		if early != nil {
			t.Errorf("request %d is answered before the one ahead of it: %x", i+1, early)
		}
	}
	reply := func(xid int) []byte { return prefixed(encode(xid, int64(9), int(wire.NoNode))) }
	refusal := func(xid int) []byte { return prefixed(encode(xid, int64(0), int(wire.Unimplemented))) }
	empty := prefixed(append(encode(3, int64(0), 0, ""), make([]byte, 68)...))
	for _, step := range []struct {
		xid  int
		want [][]byte
	}{
		{1, [][]byte{reply(1), refusal(2), empty}},
		{4, [][]byte{reply(4), refusal(5)}},
	} {
		client, err := c.Reply(reply(step.xid))
		if want := bytes.Join(step.want, nil); err != nil || !bytes.Equal(client, want) {
			t.Errorf("after the reply to %d: %x, %v; want %x", step.xid, client, err, want)
		}
	}
	if early := send(6, encode(unknown)); !bytes.Equal(early, refusal(6)) {
		t.Errorf("with nothing ahead: %x, want %x at once", early, refusal(6))
	}
}

// A server answers an auth at once, ahead of what was asked before.
func TestOvertakingReply(t *testing.T) {
	const auth, xidOfAuth = 100, -4
	c := newConn(t, chroot.ConnConfig{})
	for _, payload := range [][]byte{
		encode(1, exists, "/a", false), encode(xidOfAuth, auth, 0, "digest", "user:secret"), encode(2, 4711),
	} {
		if _, _, err := c.Request(prefixed(payload)); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct{ xid, frames int }{{xidOfAuth, 1}, {1, 2}} {
		client, err := c.Reply(prefixed(encode(step.xid, int64(1), int(wire.NoNode))))
		if frames := len(client) / 20; err != nil || frames != step.frames {
			t.Errorf("the reply to %d makes %d frames, %v; want %d", step.xid, frames, err, step.frames)
		}
	}
}

// The number of a request that was refused may be used again, as Java does with the one
// for setWatches.
func TestSameNumber(t *testing.T) {
	c := newConn(t, chroot.ConnConfig{Limits: chroot.Limits{Bytes: 50}})
	for _, payload := range [][]byte{
		encode(-8, 4711), encode(-8, setData, "/a", string(make([]byte, 50)), -1), encode(-8, sync, "/a"),
	} {
		if _, _, err := c.Request(prefixed(payload)); err != nil {
			t.Fatal(err)
		}
	}
	client, err := c.Reply(prefixed(encode(-8, int64(1), 0, "/rooms/r1/a")))
	if want := prefixed(encode(-8, int64(1), 0, "/a")); err != nil || !bytes.Equal(client, want) {
		t.Errorf("the reply to the third is %q, %v; want %q", client, err, want)
	}
}

// What ends a connection, and that what is refused only does not.
func TestBadRequests(t *testing.T) {
	for _, test := range []struct {
		name    string
		payload []byte
		code    wire.Code
		ends    bool
	}{
		{"no header", encode(1), 0, true},
		{"the number of notifications", encode(-1, exists, "/a", true), 0, true},
		{"ping with another number", encode(1, ping), 0, true},
		{"unknown operation", encode(1, 4711, "/a"), wire.Unimplemented, false},
		{"another create of sessions", encode(1, -10, 30_000), wire.Unimplemented, false},
		{"deletion of a container", encode(1, 20, "/a"), wire.Unimplemented, false},
		{"body cut short", encode(1, exists, "/a"), wire.MarshallingError, false},
		{"too long a body", encode(1, exists, "/a", true, 0), wire.MarshallingError, false},
		{"multi within a multi", encodeMulti(part(multi)), wire.MarshallingError, false},
		{"unknown part of a multi", encodeMulti(part(4711)), wire.MarshallingError, false},
		{"reconfig", encode(1, reconfig, "", "", "", int64(-1)), wire.ReconfigDisabled, false},
		{"the root's ACL", encode(1, setACL, "/", openACL{}, -1), wire.NoAuth, false},
	} {
		var refused []chroot.Refusal
		c := newConn(t, chroot.ConnConfig{Refused: func(r chroot.Refusal) { refused = append(refused, r) }})
		server, client, err := c.Request(prefixed(test.payload))
		if server != nil || errors.Is(err, chroot.ErrProtocol) != test.ends {
			t.Errorf("%s: %x reaches the server, error %v", test.name, server, err)
		}
		if test.ends {
			continue
		}
		if want := prefixed(encode(1, int64(0), int(test.code))); !bytes.Equal(client, want) {
			t.Errorf("%s: answered by %x, want %v", test.name, client, test.code)
		}
		if len(refused) != 1 || refused[0].Code != test.code || refused[0].Why == "" {
			t.Errorf("%s: told %+v", test.name, refused)
		}
	}
}

func encodeMulti(all ...[]byte) []byte { return append(encode(1, multi), parts(all...)...) }

// A server that names a path outside is not passed on.
func TestNothingFromOutside(t *testing.T) {
	for _, path := range []string{"/rooms/r10/a", "/rooms/r10", "/rooms", "/", "", "/rooms/r1"[:8]} {
		c := newConn(t, chroot.ConnConfig{})
		client, err := c.Reply(prefixed(encode(-1, int64(-1), 0, 1, 3, path)))
		if !errors.Is(err, chroot.ErrOutside) || client != nil {
			t.Errorf("an event of %s: %q to the client, %v", path, client, err)
		}
	}
}

// A request that only the root's path makes too long is refused: the server would end
// the connection.
func TestTooLongWithTheRoot(t *testing.T) {
	c := newConn(t, chroot.ConnConfig{})
	paths := make([]string, 150_000)
	for i := range paths {
		paths[i] = "/a"
	}
	frame := prefixed(encode(-8, setWatches, int64(0), paths, []string{}, []string{}))
	server, client, err := c.Request(frame)
	if want := prefixed(encode(-8, int64(0), int(wire.QuotaExceeded))); err != nil || server != nil || !bytes.Equal(client, want) {
		t.Errorf("%d bytes: %d bytes to the server, %x to the client, %v", len(frame), len(server), client, err)
	}
}

func TestRoots(t *testing.T) {
	for _, bad := range []string{"", "/", "rooms", "/rooms/", "/rooms/\x00"} {
		if _, err := chroot.NewConn(chroot.ConnConfig{Root: bad, Sessions: chroot.NewSessions()}); !errors.Is(err, chroot.ErrRoot) {
			t.Errorf("root %q: %v", bad, err)
		}
	}
	config := chroot.ConnConfig{Root: "/r", Sessions: chroot.NewSessions(), Limits: chroot.Limits{Znodes: 5}, Now: time.Now}
	if _, err := chroot.NewConn(config); err == nil {
		t.Error("a limit of znodes without a count of them is taken")
	}
}
