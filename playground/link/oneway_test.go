package link_test

import (
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/zktest"
)

// TestOneWayLoss partitions a client in one direction until its session is over.
// Where nothing gets out, that is a session timeout from the last frame on.
// Where only nothing gets in, the client's heartbeats keep the session until
// the client gives up, after two thirds of the timeout.
func TestOneWayLoss(t *testing.T) {
	const timeout, tick, busy = time.Second, 100 * time.Millisecond, 300 * time.Millisecond
	tests := []struct {
		lost        event.Direction
		least, most time.Duration // from the partition on
	}{
		{event.Out, timeout * 2 / 3, timeout + 2*tick},
		{event.In, timeout * 4 / 3, timeout*5/3 + 2*tick},
	}
	server := zktest.Start(t)
	for _, tt := range tests {
		t.Run(string(tt.lost), func(t *testing.T) {
			t.Parallel()
			truth, root := server.Conn(t), server.Root(t)
			c := connect(t, server.Address(), timeout)
			path := c.ephemeral(t, root+"/a")
			began := c.clock()
			c.link.Hold(tt.lost)
			gone(t, truth, path)
			now := c.clock()
			whole, silent := micros(now-began), micros(now-c.lastHeard())
			t.Logf("gone %v after the partition, %v after the last frame", whole, silent)
			if whole < tt.least || whole > tt.most+busy {
				t.Errorf("gone %v after the partition began, want %v to %v", whole, tt.least, tt.most)
			}
			if silent < timeout || silent > timeout+2*tick+busy {
				t.Errorf("gone %v after the last frame, want %v to %v", silent, timeout, timeout+2*tick)
			}
		})
	}
}

// lastHeard is when the last frame left for the server.
func (c *client) lastHeard() int64 {
	events, _ := c.all()
	stuck, last := map[int64]bool{}, int64(0)
	for _, e := range events {
		if e.Kind == event.WireHeld && e.Dir == event.Out {
			stuck[e.Frame] = true
		}
	}
	for _, e := range events {
		if e.Kind == event.WireSent && !stuck[e.Frame] {
			last = e.At
		}
	}
	return last
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
