package link_test

import (
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestOneWayLoss partitions a client in one direction until its session is over,
// a session timeout from the last frame on. Where nothing gets out, that one left
// before the partition. Where only nothing gets in, the client's heartbeats keep
// the session until the client gives up, after two thirds of the timeout.
func TestOneWayLoss(t *testing.T) {
	t.Parallel()
	tests := []struct {
		lost  event.Direction
		beats bool // that reach the server in the partition
	}{
		{event.Out, false},
		{event.In, true},
	}
	server := zktest.Start(t)
	for _, tt := range tests {
		t.Run(string(tt.lost), func(t *testing.T) {
			t.Parallel()
			other, root := server.Conn(t), server.Root(t)
			c := connect(t, server.Address(), shortSession)
			path := c.ephemeral(t, root+"/a")
			c.link.Block("test", tt.lost)
			began := c.clock()
			gone(t, other, path)
			now, last := c.clock(), c.lastHeard()
			silent := micros(now - last)
			t.Logf("gone %v after the partition, %v after the last frame", micros(now-began), silent)
			if beats := last > began; beats != tt.beats {
				t.Errorf("the last frame left %v after the partition began", micros(last-began))
			}
			if silent < shortSession || silent > 2*shortSession {
				t.Errorf("gone %v after the last frame, want about %v", silent, shortSession)
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
