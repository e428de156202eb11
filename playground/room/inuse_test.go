package room_test

import (
	"context"
	"testing"

	"github.com/zkplayground/zkplayground/playground/room"
)

// The znodes of a run are in use before it makes the first, and until it has finished.
func TestInUse(t *testing.T) {
	arrived, pass := make(chan struct{}, 1), make(chan struct{})
	h := open(t, func(c *room.Config) {
		c.RunPrefix = "name"
		c.Gate = func(ctx context.Context) error {
			select {
			case arrived <- struct{}{}:
			default: // it is not the first
			}
			select {
			case <-pass:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	})
	r := h.room(room.Main)
	check := func(when string, want bool) {
		t.Helper()
		if got := h.InUse(room.Main, "name-1"); got != want {
			t.Errorf("%s: InUse = %t, want %t", when, got, want)
		}
		if h.InUse(room.Main, "name-2") || h.InUse("another", "name-1") {
			t.Errorf("%s: another run or room is in use", when)
		}
	}
	check("before the start", false)
	started := make(chan error, 1)
	go func() { _, err := r.Start(within(t), quick(2)); started <- err }()
	<-arrived
	check("while it starts", true)
	close(pass)
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	check("under way", true)
	if err := r.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	check("finished", false)
}
