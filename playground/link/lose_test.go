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
	other, root := server.Conn(t), server.Root(t)
	c := connect(t, server.Address(), longSession)
	c.loseCreates(t, root, c.link.LoseReply, func(path string) {
		exists, stat, err := other.Exists(path)
		if err != nil || !exists || stat.EphemeralOwner != c.SessionID() {
			t.Errorf("%s: %v, %+v, %v; want it made by the client", path, exists, stat, err)
		}
	})
	replies := c.count(func(e event.Event) bool { return e.Kind == event.WireReceived && e.Op == "create" })
	lost := c.count(func(e event.Event) bool { return e.Kind == event.WireDropped && e.Dir == event.In && e.Op == "create" })
	if replies != 0 || lost != 20 {
		t.Errorf("%d replies got through and %d were dropped, want 0 and 20", replies, lost)
	}
}

// TestCancelledReplyLoss wants a loss that was cancelled to let replies through, and
// the next one in line to take its reply.
func TestCancelledReplyLoss(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), longSession)
	first, second := c.link.LoseReply(asks("getData")), c.link.LoseReply(asks("getData"))
	third := c.link.LoseReply(asks("getData"))
	first.Cancel()
	first.Cancel()
	if err := c.get(root)(); !errors.Is(err, zk.ErrConnectionClosed) {
		t.Errorf("get: %v, want ErrConnectionClosed", err)
	}
	awaitLoss(t, second)
	c.awaitState(t, zk.StateHasSession)
	third.Cancel()
	must(t, c.get(root)())
	if happened(first) || happened(third) {
		t.Error("a reply was lost that should not be")
	}
}

// TestLoseRequest has 20 creates lost of which the server never hears.
func TestLoseRequest(t *testing.T) {
	server := zktest.Start(t)
	other, root := server.Conn(t), server.Root(t)
	c := connect(t, server.Address(), longSession)
	c.loseCreates(t, root, c.link.LoseRequest, func(path string) {
		if exists, _, err := other.Exists(path); err != nil || exists {
			t.Errorf("%s: %v, %v; want that it was not made", path, exists, err)
		}
	})
	sent := c.count(func(e event.Event) bool { return e.Kind == event.WireSent && e.Op == "create" })
	lost := c.count(func(e event.Event) bool { return e.Kind == event.WireDropped && e.Dir == event.Out && e.Op == "create" })
	if sent != 20 || lost != 20 {
		t.Errorf("%d requests were sent and %d dropped, want 20", sent, lost)
	}
}

// loseCreates has 20 creates end with their connection, each after an operation that does
// not, and looks at what has become of each before the client goes on.
func (c *client) loseCreates(t *testing.T, root string, lose func(func(*wire.Frame) bool) *link.Loss, look func(path string)) {
	t.Helper()
	for i := range 20 {
		path := fmt.Sprintf("%s/%d", root, i)
		loss := lose(asks("create"))
		must(t, c.get(root)())
		if happened(loss) {
			t.Fatal("a getData was lost")
		}
		if _, err := c.Create(path, nil, zk.FlagEphemeral, open); !errors.Is(err, zk.ErrConnectionClosed) {
			t.Fatalf("create: %v, want ErrConnectionClosed", err)
		}
		awaitLoss(t, loss)
		look(path)
		c.awaitState(t, zk.StateHasSession)
	}
}

func happened(loss *link.Loss) bool {
	select {
	case <-loss.Done():
		return true
	default:
		return false
	}
}

func awaitLoss(t *testing.T, loss *link.Loss) {
	t.Helper()
	select {
	case <-loss.Done():
	case <-time.After(waitLimit):
		t.Fatal("no reply was lost")
	}
}
