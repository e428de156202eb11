package link_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// dialer makes a link's Dial fit a wire.Client.
func dialer(l *link.Link) func(context.Context, string, string) (net.Conn, error) {
	return func(_ context.Context, network, address string) (net.Conn, error) {
		return l.Dial(network, address, waitLimit)
	}
}

func TestBlockedRequestIsAnsweredLate(t *testing.T) {
	tests := []struct {
		name    string
		ways    []event.Direction
		dir     event.Direction // where the frame waits
		applied bool            // while the link is blocked
	}{
		{"both ways", nil, event.Out, false},
		{"to the server", []event.Direction{event.Out}, event.Out, false},
		{"to the client", []event.Direction{event.In}, event.In, true},
	}
	server := zktest.Start(t)
	other := server.Conn(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := server.Root(t) + "/a"
			c := connect(t, server.Address(), longSession)
			c.link.Block("test", tt.ways...)
			created := make(chan error, 1)
			go func() {
				_, err := c.Create(path, nil, zk.FlagEphemeral, open)
				created <- err
			}()
			held := c.await(t, "held", is(event.WireHeld, "create"))
			if held.Dir != tt.dir || held.Due != 0 {
				t.Errorf("held %+v, want direction %q without due", held, tt.dir)
			}
			if applied, _, err := other.Exists(path); err != nil || applied != tt.applied {
				t.Errorf("applied while blocked: %v, %v; want %v", applied, err, tt.applied)
			}
			select {
			case err := <-created:
				t.Errorf("answered through a blocked link: %v", err)
			default:
			}
			c.link.Unblock("test", tt.ways...)
			must(t, <-created)
		})
	}
}

// TestPartitionOutlastsTheSession keeps a client apart until its session is
// over, of which it learns only when the partition heals.
func TestPartitionOutlastsTheSession(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	other, root := server.Conn(t), server.Root(t)
	c := connect(t, server.Address(), shortSession)
	path := c.ephemeral(t, root+"/a")
	c.link.Block("test")
	gone(t, other, path)
	c.awaitState(t, zk.StateConnecting)
	if n := c.count(func(e event.Event) bool { return e.Kind == event.SessionRefused }); n != 0 {
		t.Error("the client was told through the partition")
	}
	c.link.Unblock("test")
	c.awaitState(t, zk.StateExpired)
	c.await(t, "refused", func(e event.Event) bool { return e.Kind == event.SessionRefused })
}

// TestSessionClosedInAPartition lets the library close its session while it is
// apart: what it said before it hung up arrives when that ends.
func TestSessionClosedInAPartition(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	other, root := server.Conn(t), server.Root(t)
	c := connect(t, server.Address(), longSession)
	path := c.ephemeral(t, root+"/a")
	c.link.Block("test")
	c.Close() // gives up after a second
	if exists, _, err := other.Exists(path); err != nil || !exists {
		t.Errorf("the close got through: %v, %v", exists, err)
	}
	released := time.Now()
	c.link.Unblock("test")
	gone(t, other, path)
	if took := time.Since(released); took > longSession/3 {
		t.Errorf("the session ended %v after the block, want at once, not when its time is over", took)
	}
}

// TestBlockedCloseStaysUnknown closes a client within a partition: the server
// must not learn of it before the block ends.
func TestBlockedCloseStaysUnknown(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	l := link.New(link.Config{})
	t.Cleanup(l.Close)
	c := rawSession(t, l, server.Address())
	id, _, _ := c.Session()
	l.Block("test")
	c.Close()
	if until(t, 200*time.Millisecond, func() bool { return !connected(t, server.Address(), id) }) {
		t.Error("the server knows that the client has closed")
	}
	l.Unblock("test")
	if !until(t, waitLimit, func() bool { return !connected(t, server.Address(), id) }) {
		t.Error("the server did not learn of it after the block")
	}
}

// until asks again and again, for at most d, whether something is so.
func until(t *testing.T, d time.Duration, so func() bool) bool {
	again, late := time.NewTicker(10*time.Millisecond), time.After(d)
	defer again.Stop()
	for !so() {
		select {
		case <-again.C:
		case <-late:
			return false
		case <-t.Context().Done():
			return false
		}
	}
	return true
}

// connected asks the server whether it has a connection of a session.
func connected(t *testing.T, address string, id int64) bool {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	must(t, err)
	defer conn.Close()
	_, err = fmt.Fprint(conn, "cons")
	must(t, err)
	for scan := bufio.NewScanner(conn); scan.Scan(); {
		if strings.Contains(scan.Text(), "sid="+wire.SessionHex(id)+",") {
			return true
		}
	}
	return false
}
