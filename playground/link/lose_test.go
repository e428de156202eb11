package link_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func asks(op string) func(*wire.Frame) bool {
	return func(f *wire.Frame) bool { return f.Op == op }
}

// TestLoseReply has 20 creates done whose replies the client never gets.
func TestLoseReply(t *testing.T) {
	server := zktest.Start(t)
	truth, root := server.Conn(t), server.Root(t)
	c := connect(t, server.Address(), lasting)
	for i := range 20 {
		path := fmt.Sprintf("%s/%d", root, i)
		trap := c.link.LoseReply(asks("create"))
		must(t, c.get(root)()) // which another operation does not spring
		if sprung(trap) {
			t.Fatal("the trap sprang for a getData")
		}
		if _, err := c.Create(path, nil, zk.FlagEphemeral, open); !errors.Is(err, zk.ErrConnectionClosed) {
			t.Fatalf("create: %v, want ErrConnectionClosed", err)
		}
		waitSprung(t, trap)
		exists, stat, err := truth.Exists(path)
		if err != nil || !exists || stat.EphemeralOwner != c.SessionID() {
			t.Errorf("%s: %v, %+v, %v; want it made by the client", path, exists, stat, err)
		}
		c.awaitState(t, zk.StateHasSession)
	}
	replies := c.count(func(e event.Event) bool { return e.Kind == event.WireReceived && e.Op == "create" })
	lost := c.count(func(e event.Event) bool { return e.Kind == event.WireDropped && e.Dir == event.In && e.Op == "create" })
	if replies != 0 || lost != 20 {
		t.Errorf("%d replies got through and %d were dropped, want 0 and 20", replies, lost)
	}
}

// TestDisarmedTrap wants a trap that was removed to let replies through, and
// the next one in line to take its reply.
func TestDisarmedTrap(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), lasting)
	first, second := c.link.LoseReply(asks("getData")), c.link.LoseReply(asks("getData"))
	third := c.link.LoseReply(asks("getData"))
	first.Disarm()
	first.Disarm()
	if err := c.get(root)(); !errors.Is(err, zk.ErrConnectionClosed) {
		t.Errorf("get: %v, want ErrConnectionClosed", err)
	}
	waitSprung(t, second)
	c.awaitState(t, zk.StateHasSession)
	third.Disarm()
	must(t, c.get(root)())
	if sprung(first) || sprung(third) {
		t.Error("a trap sprang that should not")
	}
}

func sprung(trap *link.Trap) bool {
	select {
	case <-trap.Sprung():
		return true
	default:
		return false
	}
}

func waitSprung(t *testing.T, trap *link.Trap) {
	t.Helper()
	select {
	case <-trap.Sprung():
	case <-time.After(patience):
		t.Fatal("the trap did not spring")
	}
}
