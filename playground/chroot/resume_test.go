package chroot_test

import (
	"context"
	"errors"
	"testing"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A session is resumed only where it was opened, with the password that was given
// there. Whoever else asks does not disturb its owner.
func TestResume(t *testing.T) {
	server := zktest.Start(t)
	sessions := chroot.NewSessions()
	shared := func(c *chroot.Config) { c.Sessions = sessions }
	parent := server.Root(t)
	home := house(t, server, room(t, server, parent, "r1"), shared)
	next := house(t, server, room(t, server, parent, "r10"), shared)
	owner := speak(t, home.address)
	foreign := speak(t, server.Address()) // a session of the server's, opened elsewhere
	for _, test := range []struct {
		name, address string
		session       int64
		password      string
	}{
		{"in another room", next.address, owner.session, owner.password},
		{"with a wrong password", home.address, owner.session, noPassword},
		{"with the server's own password", home.address, owner.session, computed(owner.session)},
		{"not opened by a guest", home.address, foreign.session, foreign.password},
	} {
		if f := connect(t, test.address).open(0, test.session, test.password); f.Session != 0 || f.Timeout != 0 {
			t.Errorf("%s: session %#x is resumed", test.name, f.Session)
		}
	}
	for _, s := range []*speaker{owner, foreign} {
		if f := s.ask(exists, "/", false); f.Code != wire.OK {
			t.Errorf("the owner afterwards: %v", f.Code)
		}
	}
	if got := computed(foreign.session); got != foreign.password {
		t.Errorf("the computed password is %x, the server's %x: so this test shows nothing", got, foreign.password)
	}
	back := connect(t, home.address)
	if f := back.open(0, owner.session, owner.password); f.Session != owner.session || back.password != owner.password {
		t.Errorf("where it was opened: session %#x with %x, want %#x with %x", f.Session, back.password, owner.session, owner.password)
	}
	owner.expectEnd() // the server has moved the session
	if f := back.ask(closeSession); f.Code != wire.OK {
		t.Error(f.Code)
	}
	home.awaitEnd(nil)
	if f := connect(t, home.address).open(0, owner.session, owner.password); f.Session != 0 {
		t.Error("a closed session is resumed")
	}
	home.awaitEnd(chroot.ErrExpired)
}

// computed is the password that a server gives a session: the first bytes of a
// java.util.Random.
func computed(session int64) string {
	const multiplier, mask = 0x5DEECE66D, 1<<48 - 1
	seed := (session ^ 0xB3415C00 ^ multiplier) & mask
	password := make([]byte, 0, 16)
	for range 4 {
		seed = (seed*multiplier + 0xB) & mask
		bits := uint32(seed >> 16)
		password = append(password, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
	}
	return string(password)
}

// A client that has seen more than the server knows is told that its session has
// expired, as after a restart without data, instead of being cut off again and again.
func TestServerWithoutItsPast(t *testing.T) {
	server := zktest.Start(t)
	h := house(t, server, server.Root(t), func(c *chroot.Config) {
		c.NewestZxid = func(ctx context.Context) (int64, error) {
			stats, err := zkserver.Probe(ctx, server.Address())
			return stats.Zxid, err
		}
	})
	const future = int64(1) << 60
	known := speak(t, h.address)
	if f := connect(t, h.address).open(future, known.session, known.password); f.Session != 0 || f.Kind != wire.ConnectResponse {
		t.Errorf("it gets session %#x, %s", f.Session, f.Why)
	}
	seen := known.ask(exists, "/", false).Zxid
	if f := connect(t, h.address).open(seen, known.session, known.password); f.Session != known.session {
		t.Errorf("with a zxid of the server's past it gets session %#x, want %#x", f.Session, known.session)
	}
	// Without the question, this is what the server does.
	if _, err := plainly(t, server.Address(), future); err == nil {
		t.Error("the server itself answers, so that the question is not needed")
	}
}

func plainly(t *testing.T, address string, zxid int64) ([]byte, error) {
	s := connect(t, address)
	s.send(connectRequest(zxid, 0, noPassword))
	return s.frame()
}

// A server that cannot be asked, or reached, ends the connection, and the room hears
// of it.
func TestNoServer(t *testing.T) {
	server := zktest.Start(t)
	down := errors.New("down")
	h := house(t, server, server.Root(t), func(c *chroot.Config) {
		c.NewestZxid = func(context.Context) (int64, error) { return 0, down }
	})
	s := connect(t, h.address)
	s.send(connectRequest(9, 0, noPassword))
	s.expectEnd()
	h.awaitEnd(down)
}
