package link_test

import (
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

const oneWay = 150 * time.Millisecond

func (c *client) get(path string) func() error {
	return func() error {
		_, _, err := c.Get(path)
		return err
	}
}

// TestDelayedRequestsTravelSideBySide sends requests at once, and again if they
// took long: a machine may stand still now and then, but one request after the
// other would be slow every time.
func TestDelayedRequestsTravelSideBySide(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), longSession)
	c.link.SetDelay(oneWay, oneWay)
	const most = 4 * oneWay // 20 in a row take 40
	took := 2 * most
	for tries := 0; took > most && tries < 10; tries++ {
		took = c.getAtOnce(t, root, 20)
	}
	if took < 2*oneWay || took > most {
		t.Errorf("20 requests at once took %v, want about %v", took, 2*oneWay)
	}
}

// getAtOnce makes n requests at once, and says how long they took.
func (c *client) getAtOnce(t *testing.T, path string, n int) time.Duration {
	t.Helper()
	began := time.Now()
	var all errgroup.Group
	for range n {
		all.Go(c.get(path))
	}
	must(t, all.Wait())
	return time.Since(began)
}

func TestDelayIsTold(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), longSession)
	c.link.SetDelay(oneWay, oneWay/2)
	began := c.clock()
	must(t, c.get(root)())
	sent := c.await(t, "sent", is(event.WireSent, "getData"))
	delivered := c.await(t, "delivered", is(event.WireDelivered, "getData"))
	held := c.await(t, "held", is(event.WireHeld, "getData"))
	received := c.await(t, "received", is(event.WireReceived, "getData"))
	if sent.Frame != delivered.Frame || held.Frame != received.Frame || held.Dir != event.In {
		t.Errorf("the stages do not join: %+v %+v %+v %+v", sent, delivered, held, received)
	}
	checkArrival(t, began, sent, delivered, oneWay)
	checkArrival(t, delivered.At, held, received, oneWay/2)
	least, most := (oneWay * 3 / 2).Microseconds(), received.At-began
	if received.Latency < least || received.Latency > most {
		t.Errorf("latency %d µs, want %d to %d", received.Latency, least, most)
	}
}

// checkArrival wants a frame to be due a delay after it set out, which was after
// a moment and before it was told of, and not to arrive before.
func checkArrival(t *testing.T, after int64, from, to event.Event, delay time.Duration) {
	t.Helper()
	if set := from.Due - delay.Microseconds(); set < after || set > from.At {
		t.Errorf("%s: due %v after %d µs, want after %d to %d", from.Kind, delay, set, after, from.At)
	}
	if to.At < from.Due {
		t.Errorf("%s: %d µs before it was due", to.Kind, from.Due-to.At)
	}
}

func TestNoDelayTellsNoStages(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), longSession)
	c.link.SetDelay(time.Millisecond, time.Millisecond)
	must(t, c.get(root)())
	c.link.SetDelay(-time.Second, 0)
	staged := func() int {
		return c.count(is(event.WireHeld, "getData")) + c.count(is(event.WireDelivered, "getData"))
	}
	before := staged()
	for range 10 {
		must(t, c.get(root)())
	}
	if n := staged(); n != before || before != 2 {
		t.Errorf("%d frames staged with a delay, %d more without; want 2 and 0", before, n-before)
	}
}
