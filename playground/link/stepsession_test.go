package link_test

import (
	"context"
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var hold = flag.Duration("hold", shortSession*3/2, "how long frames are held in step mode")

// TestStepHoldsAllButHeartbeats keeps a request waiting each way for longer than
// the session's timeout, and wants the session to live, its lock to be kept, and
// both requests to go on.
func TestStepHoldsAllButHeartbeats(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root := server.Root(t)
	j, l := tappedLink(t)
	// Without syncs, as the recipes of the playground: they are requests, so they are held.
	session, err := zklock.Dial([]string{server.Address()}, shortSession, zklock.WithDialer(l.Dial), zklock.WithSync(false))
	must(t, err)
	t.Cleanup(func() { session.Close(context.Background()) })
	conn := session.Client().(*zk.Conn)
	lease, err := zklock.NewMutex(session, root+"/lock").Lock(t.Context())
	must(t, err)
	l.SetStepping(true)
	answers := make(chan error, 2)
	for range 2 {
		go func() { answers <- get(conn, root) }()
	}
	handOver(t, l, event.Out)
	answer := awaitWaiting(t, l, event.In)
	select {
	case err := <-answers:
		t.Fatalf("answered while its answer waits: %v", err)
	case <-time.After(*hold): // which is what is tested, not a wait for something
	}
	select {
	case <-lease.Lost():
		t.Error("the lock is lost")
	default:
	}
	if request := awaitWaiting(t, l, event.Out); !request.First || !answer.First {
		t.Errorf("waiting %+v and %+v, want both first", request, answer)
	}
	pings := j.count(is(event.WireReceived, "ping"))
	if ends := j.count(ofTheSession); ends != 1 || pings < int(*hold/shortSession) {
		t.Errorf("%d sessions and reconnects, %d heartbeats answered; want 1 and at least one a timeout", ends, pings)
	}
	handOver(t, l, event.In)
	must(t, <-answers)
	handOver(t, l, event.Out)
	handOver(t, l, event.In)
	must(t, <-answers)
	l.SetStepping(false)
	must(t, lease.Unlock(t.Context()))
}

// TestStepBreakLosesNoWatch drops a notification that heartbeats have overtaken.
// The client must be told of the change after it has come back.
func TestStepBreakLosesNoWatch(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root, other := server.Root(t), server.Conn(t)
	c := connect(t, server.Address(), shortSession)
	_, _, changed, err := c.ChildrenW(root)
	must(t, err)
	c.link.SetStepping(true)
	_, err = other.Create(root+"/a", nil, 0, open)
	must(t, err)
	notification := awaitWaiting(t, c.link, event.In)
	before := c.count(is(event.WireReceived, "ping"))
	if !until(t, waitLimit, func() bool { return c.count(is(event.WireReceived, "ping")) > before }) {
		t.Fatal("no heartbeat overtook the notification")
	}
	must(t, c.link.Break(event.In, notification.Frame))
	c.awaitState(t, zk.StateHasSession)
	handOver(t, c.link, event.Out) // setWatches
	c.link.SetStepping(false)
	select {
	case e := <-changed:
		if e.Type != zk.EventNodeChildrenChanged {
			t.Errorf("told %+v, want that the children changed", e)
		}
	case <-time.After(waitLimit):
		t.Error("the change was never told")
	}
}

func tappedLink(t *testing.T) (*eventLog, *link.Link) {
	t.Helper()
	j := newEventLog()
	l := link.New(link.Config{Observer: wire.NewTap("lane", 1, j.clock, j.emit), Clock: j.clock})
	t.Cleanup(l.Close)
	return j, l
}

func get(conn *zk.Conn, path string) error {
	_, _, err := conn.Get(path)
	return err
}

// ofTheSession matches what a session begins, goes on or ends with.
func ofTheSession(e event.Event) bool {
	return slices.Contains([]event.Kind{event.SessionGranted, event.SessionResumed, event.SessionRefused}, e.Kind)
}

// awaitWaiting waits for the first frame of a direction that waits.
func awaitWaiting(t *testing.T, l *link.Link, way event.Direction) link.Waiting {
	t.Helper()
	var all []link.Waiting
	ofWay := func(w link.Waiting) bool { return w.Dir == way }
	if !until(t, waitLimit, func() bool { all = l.Waiting(); return slices.ContainsFunc(all, ofWay) }) {
		t.Fatalf("nothing waits %s", way)
	}
	return all[slices.IndexFunc(all, ofWay)]
}

// handOver delivers the first frame of a direction when there is one.
func handOver(t *testing.T, l *link.Link, way event.Direction) {
	t.Helper()
	must(t, l.Deliver(way, awaitWaiting(t, l, way).Frame))
}
