package link_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// BenchmarkRoundTrip compares a request over a plain connection with one that
// a link carries, and one that a tap reports as well.
func BenchmarkRoundTrip(b *testing.B) {
	tappedLink := func() *link.Link {
		j := newEventLog()
		tap := wire.NewTap("lane", 1, j.clock, func(event.Event) {})
		return link.New(link.Config{Observer: tap, Clock: j.clock})
	}
	b.Run("plain", func(b *testing.B) { roundTrips(b, nil) })
	b.Run("link", func(b *testing.B) { roundTrips(b, link.New(link.Config{})) })
	b.Run("tap", func(b *testing.B) { roundTrips(b, tappedLink()) })
}

func roundTrips(b *testing.B, l *link.Link) {
	server := zktest.Start(b)
	o := wire.Options{Timeout: 30 * time.Second, DialContext: new(net.Dialer).DialContext}
	if l != nil {
		b.Cleanup(l.Close)
		o.DialContext = dialer(l)
	}
	c, err := wire.Dial(context.Background(), server.Address(), o)
	must(b, err)
	b.Cleanup(c.Close)
	b.ReportAllocs()
	for b.Loop() {
		_, err := c.Exists(context.Background(), "/")
		must(b, err)
	}
}
