package client

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestDialWaitsForTheWatch: a connection is opened once the observer's watch is
// set, and after half a second, with a short session, whether it is set or not.
func TestDialWaitsForTheWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := make(chan struct{})
		wait := func(ctx context.Context) {
			select {
			case <-set:
			case <-ctx.Done():
			}
		}
		limit := NewDialLimit(wait, time.Second)
		want := func(when string, d time.Duration) {
			t.Helper()
			began := time.Now()
			limit.waitFirst(t.Context())
			if got := time.Since(began); got != d {
				t.Errorf("%s, a client waits %v, want %v", when, got, d)
			}
		}
		want("before the watch is set", minWatchTimeout)
		time.AfterFunc(100*time.Millisecond, func() { close(set) })
		want("with a watch that is set soon", 100*time.Millisecond)
		want("while the watch is set", 0)
	})
}

// TestDialStopsWaitingWithItsContext: a client that is stopped waits no longer.
func TestDialStopsWaitingWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		began := time.Now()
		limit := NewDialLimit(func(ctx context.Context) { <-ctx.Done() }, time.Minute)
		if _, err := limit.DialContext(ctx, "tcp", "127.0.0.1:1"); err == nil {
			t.Error("connected to nobody")
		}
		if waited := time.Since(began); waited != 10*time.Millisecond {
			t.Errorf("waited %v", waited)
		}
	})
}
