package link_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestCutLosesTheReply cuts the connection of a client whose create has been
// done but not yet answered.
func TestCutLosesTheReply(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), longSession)
	session := c.SessionID()
	c.link.Block("test", event.In)
	created := make(chan error, 1)
	go func() {
		_, err := c.Create(root+"/a", nil, zk.FlagEphemeral, open)
		created <- err
	}()
	held := c.await(t, "the reply is held", is(event.WireHeld, "create"))
	c.link.Cut()
	if err := <-created; !errors.Is(err, zk.ErrConnectionClosed) {
		t.Errorf("the create: %v, want ErrConnectionClosed", err)
	}
	dropped := c.await(t, "the reply is dropped", is(event.WireDropped, "create"))
	if dropped.Dir != event.In || dropped.Frame != held.Frame || dropped.Path != root+"/a" {
		t.Errorf("dropped %+v, held was %+v", dropped, held)
	}
	c.link.Unblock("test")
	c.awaitState(t, zk.StateHasSession)
	exists, stat, err := c.Exists(root + "/a")
	if err != nil || !exists || stat.EphemeralOwner != session || c.SessionID() != session {
		t.Errorf("after the cut: %v, %+v, %v; want the znode, and session %#x still", exists, stat, err, session)
	}
}

// TestCutLosesTheRequest cuts a request that has not left yet.
func TestCutLosesTheRequest(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), longSession)
	c.link.Block("test", event.Out)
	deleted := make(chan error, 1)
	go func() { deleted <- c.Delete(root, -1) }()
	c.await(t, "held", is(event.WireHeld, "delete"))
	c.link.Cut()
	c.link.Unblock("test")
	if err := <-deleted; err == nil {
		t.Error("a request that was cut succeeded")
	}
	c.await(t, "dropped", is(event.WireDropped, "delete"))
	c.awaitState(t, zk.StateHasSession)
	if exists, _, err := c.Exists(root); err != nil || !exists {
		t.Errorf("the request took effect: %v, %v", exists, err)
	}
}

// TestKillIsACrash wants the server to end the session of a client that was
// killed by itself, which it does when the timeout is over and no sooner.
func TestKillIsACrash(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	other, root := server.Conn(t), server.Root(t)
	c := connect(t, server.Address(), shortSession)
	began := time.Now() // the server hears of the client once more
	path := c.ephemeral(t, root+"/a")
	c.link.Kill()
	gone(t, other, path)
	if took := time.Since(began); took < shortSession || took > 2*shortSession {
		t.Errorf("the ephemeral was gone after %v, want about %v", took, shortSession)
	}
	if _, err := c.link.Dial("tcp", server.Address(), time.Second); !errors.Is(err, link.ErrKilled) {
		t.Errorf("dial after the kill: %v, want ErrKilled", err)
	}
	c.link.Close()
	if _, err := c.link.Dial("tcp", server.Address(), time.Second); !errors.Is(err, link.ErrKilled) {
		t.Errorf("dial after kill and close: %v, want ErrKilled", err)
	}
}

// TestForcedExpiry ends sessions at once while their clients cannot come back
// in between. Every one must work, and most of them fast: the sessions have half
// a minute.
func TestForcedExpiry(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	other, root := server.Conn(t), server.Root(t)
	var took []time.Duration
	for i := range 20 {
		c := connect(t, server.Address(), longSession)
		path := c.ephemeral(t, fmt.Sprintf("%s/%d", root, i))
		took = append(took, expire(t, c, server.Address(), other, path))
		c.link.Unblock("test")
		c.awaitState(t, zk.StateExpired)
		c.Close()
		c.link.Close()
	}
	slices.Sort(took)
	t.Logf("gone after %v, median %v, at most %v", took[0], took[10], took[19])
	if took[10] > time.Second || took[19] > longSession/3 {
		t.Errorf("the ephemerals were gone after %v", took)
	}
}

// expire ends the client's session behind its back, and says how long it took
// until its ephemeral was gone.
func expire(t *testing.T, c *client, address string, other *zk.Conn, path string) time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	id, password, _ := c.tap.Session()
	c.link.Block("test")
	began := time.Now()
	if !until(t, waitLimit, func() bool {
		err := wire.Expire(ctx, address, id, password)
		return err == nil || errors.Is(err, wire.SessionExpired) // by an attempt whose answer was late
	}) {
		t.Fatal("the session cannot be ended")
	}
	gone(t, other, path)
	return time.Since(began)
}

// TestCloseEndsEverything closes a link with frames and a dial that wait.
func TestCloseEndsEverything(t *testing.T) {
	server := zktest.Start(t)
	l := link.New(link.Config{})
	c := rawSession(t, l, server.Address())
	l.Block("test")
	dialled := make(chan error, 1)
	go func() {
		_, err := l.Dial("tcp", server.Address(), 0)
		dialled <- err
	}()
	l.Close()
	l.Close()
	if err := <-dialled; !errors.Is(err, link.ErrClosed) {
		t.Errorf("a dial that waited: %v, want ErrClosed", err)
	}
	select {
	case <-c.Done():
	case <-time.After(waitLimit):
		t.Error("the connection lives on")
	}
	if !errors.Is(c.Err(), link.ErrClosed) {
		t.Errorf("the connection ended with %v, want ErrClosed", c.Err())
	}
}

// TestBlocksByName: a direction is open again when the last block of it ends.
func TestBlocksByName(t *testing.T) {
	server := zktest.Start(t)
	l := link.New(link.Config{})
	t.Cleanup(l.Close)
	l.Block("one")
	l.Block("one", event.Out)
	l.Block("other", event.In)
	if !l.Blocked("one") || !l.Blocked("other") || !l.Blocked("") {
		t.Error("a block is not seen beside another")
	}
	l.Unblock("other", event.Out) // it is not there
	l.Unblock("one")
	if l.Blocked("other") || !l.Blocked("one") {
		t.Error("the block that is left is not the other one")
	}
	dialled := make(chan error, 1)
	go func() {
		conn, err := l.Dial("tcp", server.Address(), waitLimit)
		if err == nil {
			err = conn.Close()
		}
		dialled <- err
	}()
	select {
	case err := <-dialled:
		t.Errorf("a dial through a blocked link: %v", err)
	default:
	}
	l.Unblock("other")
	must(t, <-dialled)
}
