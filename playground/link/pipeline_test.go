package link_test

import (
	"io"
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestSeveralRequestsInOneWrite sends what zklock does: requests with xids of its
// own, below those that ZooKeeper gives a meaning, several in one Write and one
// in several.
func TestSeveralRequestsInOneWrite(t *testing.T) {
	server := zktest.Start(t)
	j, l := tappedLink(t)
	c, err := l.Dial("tcp", server.Address(), waitLimit)
	must(t, err)
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(io.Discard, c)
	}()
	last := exists(-1 << 30)
	write(t, c, greeting(), exists(-1000), ping(), exists(-1001), last[:6])
	write(t, c, last[6:9])
	write(t, c, last[9:])
	j.await(t, "the last answer", func(e event.Event) bool { return e.Kind == event.WireReceived && e.Xid == -1<<30 })
	must(t, c.Close())
	<-read
	want := []string{"connect 0", "exists -1000", "ping -2", "exists -1001", "exists -1073741824"}
	for _, kind := range []event.Kind{event.WireSent, event.WireReceived} {
		if got := j.requests(kind); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	}
}
