package event

import (
	"testing"
	"testing/synctest"
)

// TestAppendDoesNotWaitForTheDisk: while a segment is being written appends go
// on, until there are twice as many in memory as there should be. Then they wait,
// so that memory is bounded.
func TestAppendDoesNotWaitForTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := NewLog(LogConfig{Dir: t.TempDir(), SegmentBytes: 400, MemorySegments: 3})
		log.busy = true // as if it were being written for long
		const events = 500
		appended := make(chan error, 1)
		go func() {
			for range events {
				if _, err := log.Append(Event{Kind: WireSent}); err != nil {
					appended <- err
					return
				}
			}
			appended <- nil
		}()
		synctest.Wait()
		if n := len(log.segments); n != 2*3+1 {
			t.Errorf("appends wait with %d segments in memory, want 7", n)
		}
		if n := log.Len(); n == 0 || n == events {
			t.Errorf("appends wait after %d events", n)
		}
		log.mu.Lock()
		log.busy = false
		log.startMoving() // the disk is there again
		log.mu.Unlock()
		if err := <-appended; err != nil {
			t.Fatal(err)
		}
		log.moving.Wait()
		if n := len(log.segments) - log.inMemory; n != 3 {
			t.Errorf("%d segments are in memory in the end, want 3", n)
		}
		next := int64(1)
		for e, err := range log.Events(1) {
			if err != nil || e.Seq != next {
				t.Fatalf("event %d where %d is due: %v", e.Seq, next, err)
			}
			next++
		}
		if next != events+1 {
			t.Errorf("read %d events, want %d", next-1, events)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
