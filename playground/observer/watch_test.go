package observer

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestWatchState: whoever waits goes on once the watch is set, also after it was
// lost.
func TestWatchState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		watch := newWatchState()
		want := func(when string, d time.Duration) {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began := time.Now()
			watch.wait(ctx)
			if got := time.Since(began); got != d {
				t.Errorf("%s, one waits %v, want %v", when, got, d)
			}
		}
		want("before the watch is set", time.Second)
		watch.begin()
		want("while the watch is set", 0)
		watch.end()
		want("after it was lost", time.Second)
		time.AfterFunc(100*time.Millisecond, watch.begin)
		want("with a watch that is set soon", 100*time.Millisecond)
	})
}
