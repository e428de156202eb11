package link_test

import (
	"errors"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var open = zk.WorldACL(zk.PermAll)

// TestLibraryIsUnderstood has go-zookeeper do all that it can, with a reconnect
// in the middle, and wants every frame of it decoded and accounted for.
func TestLibraryIsUnderstood(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), longSession)
	createAll(t, c, root)
	readAll(t, c, root)
	multiAll(t, c, root)
	c.link.Cut()
	c.awaitState(t, zk.StateHasSession)
	c.await(t, "the watches are set again", is(event.WireReceived, "setWatches"))
	must(t, c.Delete(root+"/watched", -1))
	c.await(t, "the watch fires", is(event.WireReceived, "notification"))
	c.Close()
	c.await(t, "the session is closed", is(event.WireReceived, "closeSession"))
	checkEvents(t, c)
}

func createAll(t *testing.T, c *client, root string) {
	t.Helper()
	_, err := c.Create(root+"/watched", []byte("x"), 0, open)
	must(t, err)
	_, err = c.CreateProtectedEphemeralSequential(root+"/p-", nil, open)
	must(t, err)
	_, err = c.CreateContainer(root+"/c", nil, zk.FlagContainer, open)
	must(t, err)
	_, err = c.CreateTTL(root+"/t", nil, zk.FlagTTL, open, time.Minute)
	must(t, err)
	if _, err = c.Create(root+"/watched", nil, 0, open); !errors.Is(err, zk.ErrNodeExists) {
		t.Errorf("create again: %v", err)
	}
}

func readAll(t *testing.T, c *client, root string) {
	t.Helper()
	must(t, c.AddAuth("digest", []byte("user:secret")))
	_, _, err := c.GetACL(root)
	must(t, err)
	_, err = c.SetACL(root+"/c", open, -1)
	must(t, err)
	_, err = c.Set(root+"/watched", []byte("y"), -1)
	must(t, err)
	_, _, _, err = c.GetW(root + "/watched")
	must(t, err)
	_, _, _, err = c.ChildrenW(root)
	must(t, err)
	_, _, _, err = c.ExistsW(root + "/none")
	must(t, err)
	_, err = c.Sync(root)
	must(t, err)
}

func multiAll(t *testing.T, c *client, root string) {
	t.Helper()
	_, err := c.Multi(&zk.CreateRequest{Path: root + "/m", Acl: open}, &zk.SetDataRequest{Path: root + "/m", Version: -1},
		&zk.CheckVersionRequest{Path: root, Version: -1}, &zk.DeleteRequest{Path: root + "/m", Version: -1})
	must(t, err)
	_, err = c.Multi(&zk.CheckVersionRequest{Path: root, Version: -1}, &zk.DeleteRequest{Path: root + "/none", Version: -1})
	if err == nil {
		t.Error("a multi with a failing part succeeded")
	}
	failed := c.await(t, "a failed multi", func(e event.Event) bool { return e.Op == "multi" && e.Err != "" })
	if failed.Err != "NoNode" || len(failed.Ops) != 2 {
		t.Errorf("the failed multi is told as %+v", failed)
	}
}

// checkEvents wants every frame decoded, numbered without a gap, and every
// request answered, and the watches that the server was left with.
func checkEvents(t *testing.T, c *client) {
	t.Helper()
	events, _ := c.all()
	next, open := map[event.Kind]int64{}, 0
	for _, e := range events {
		switch e.Kind {
		case event.WireSent, event.WireReceived:
			if next[e.Kind]++; e.Frame != next[e.Kind] {
				t.Errorf("%s: frame %d, want %d", e.Kind, e.Frame, next[e.Kind])
			}
			open += outstanding(e)
		case event.SessionGranted, event.SessionResumed:
		default:
			t.Errorf("unexpected event: %+v", e)
		}
	}
	if open != 0 {
		t.Errorf("%d requests are not answered", open)
	}
	if n := c.count(func(e event.Event) bool { return e.Kind == event.WireReceived && e.Watch }); n != 3 {
		t.Errorf("%d watches set, want 3", n)
	}
}

func outstanding(e event.Event) int {
	switch {
	case e.Kind == event.WireSent:
		return 1
	case e.Op == "notification":
		return 0
	}
	return -1
}

func TestSessionIsTold(t *testing.T) {
	server := zktest.Start(t)
	c := connect(t, server.Address(), longSession)
	granted := c.await(t, "granted", func(e event.Event) bool { return e.Kind == event.SessionGranted })
	c.link.Cut()
	c.awaitState(t, zk.StateHasSession)
	resumed := c.await(t, "resumed", func(e event.Event) bool { return e.Kind == event.SessionResumed })
	id, password, timeout := c.tap.Session()
	if granted.Session != resumed.Session || granted.Timeout != longSession.Milliseconds() {
		t.Errorf("granted %+v, resumed %+v", granted, resumed)
	}
	if id != c.SessionID() || len(password) != 16 || timeout != longSession {
		t.Errorf("Session() = %#x, %d bytes, %v; the library's is %#x", id, len(password), timeout, c.SessionID())
	}
}
