package chaos

import (
	"context"
	"time"
)

const (
	// beat is how often the process shows that it runs.
	beat = time.Millisecond
	// stall is how late a beat must be to count: as late as that, the timer
	// that ends a lease may have been too.
	stall = 10 * time.Millisecond
)

// watchStalls takes down when this process stood still: on a busy machine it
// gets no processor, as if it was paused. It returns when ctx ends.
func watchStalls(ctx context.Context, h *History) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for last := h.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := h.Now()
		if now-last >= stall {
			h.Stalled(Span{last, now})
		}
		last = now
	}
}
