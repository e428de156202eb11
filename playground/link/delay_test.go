package link_test

import (
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/zktest"
)

const (
	oneWay = 150 * time.Millisecond
	// slack is for a machine that does much else.
	slack = time.Second
)

func (c *client) get(path string) func() error {
	return func() error {
		_, _, err := c.Get(path)
		return err
	}
}

func TestDelayedRequestsTravelSideBySide(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), 10*time.Second)
	c.link.SetDelay(oneWay, oneWay)
	began := time.Now()
	var all errgroup.Group
	for range 20 {
		all.Go(c.get(root))
	}
	must(t, all.Wait())
	if took := time.Since(began); took < 2*oneWay || took > 2*oneWay+slack {
		t.Errorf("20 requests at once took %v, want about %v", took, 2*oneWay)
	}
}

func TestDelayIsTold(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), 10*time.Second)
	c.link.SetDelay(oneWay, oneWay/2)
	if out, in := c.link.Delay(); out != oneWay || in != oneWay/2 {
		t.Errorf("Delay() = %v, %v", out, in)
	}
	must(t, c.get(root)())
	sent := c.await(t, "sent", is(event.WireSent, "getData"))
	delivered := c.await(t, "delivered", is(event.WireDelivered, "getData"))
	held := c.await(t, "held", is(event.WireHeld, "getData"))
	received := c.await(t, "received", is(event.WireReceived, "getData"))
	if sent.Frame != delivered.Frame || held.Frame != received.Frame || held.Dir != event.In {
		t.Errorf("the stages do not join: %+v %+v %+v %+v", sent, delivered, held, received)
	}
	checkArrival(t, sent, delivered, oneWay)
	checkArrival(t, held, received, oneWay/2)
	if want := (oneWay * 3 / 2).Microseconds(); received.Latency < want || received.Latency > want+slack.Microseconds() {
		t.Errorf("latency %d µs, want about %d", received.Latency, want)
	}
}

// checkArrival wants a frame to be due after the delay and to arrive then.
func checkArrival(t *testing.T, from, to event.Event, delay time.Duration) {
	t.Helper()
	if d := from.Due - from.At; d < delay.Microseconds()-5000 || d > delay.Microseconds() {
		t.Errorf("%s: due %d µs later, want %v", from.Kind, d, delay)
	}
	if late := to.At - from.Due; late < 0 || late > slack.Microseconds() {
		t.Errorf("%s: %d µs after it was due", to.Kind, late)
	}
}

func TestNoDelayTellsNoStages(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c := connect(t, server.Address(), 10*time.Second)
	c.link.SetDelay(time.Millisecond, time.Millisecond)
	must(t, c.get(root)())
	c.link.SetDelay(-time.Second, 0)
	staged := func() int {
		return c.count(func(e event.Event) bool { return e.Kind == event.WireHeld || e.Kind == event.WireDelivered })
	}
	before := staged()
	for range 10 {
		must(t, c.get(root)())
	}
	if n := staged(); n != before || before != 2 {
		t.Errorf("%d frames staged with a delay, %d more without; want 2 and 0", before, n-before)
	}
}
