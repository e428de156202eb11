package sim

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestDialWaitsForTheWatch: a connection is opened once the observer's watch
// stands, and after half a second, with a short session, whether it stands or not.
func TestDialWaitsForTheWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		watch := newStanding()
		limit := newDialLimit().after(watch.wait, watchPatience(time.Second))
		took := func() time.Duration {
			began := time.Now()
			limit.waitFirst(t.Context())
			return time.Since(began)
		}
		want := func(when string, d time.Duration) {
			t.Helper()
			if got := took(); got != d {
				t.Errorf("%s, a client waits %v, want %v", when, got, d)
			}
		}
		want("before the watch stands", minWatchPatience)
		watch.begin()
		want("while the watch stands", 0)
		watch.end()
		want("after it fell", minWatchPatience)
		time.AfterFunc(100*time.Millisecond, watch.begin)
		want("with a watch that stands soon", 100*time.Millisecond)
	})
}

// TestDialStopsWaitingWithItsContext: a client that is stopped waits no longer.
func TestDialStopsWaitingWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		began := time.Now()
		if _, err := newDialLimit().after(newStanding().wait, time.Minute).dial(ctx, "tcp", "127.0.0.1:1"); err == nil {
			t.Error("connected to nobody")
		}
		if waited := time.Since(began); waited != 10*time.Millisecond {
			t.Errorf("waited %v", waited)
		}
	})
}
