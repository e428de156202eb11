package chaos

import (
	"context"
	"time"
)

// tick is the server's unit of time, by which the end of a session is rounded up.
const tick = 100 * time.Millisecond

// Excused reports whether the client of an acquisition cannot have known that
// the server ended it: its session was closed by force, behind its back, or the
// process stood still when the lease should have ended.
func (r Record) Excused(a *Acquisition) bool { return r.expired(a) || r.stalled(a) }

// expired reports whether a session was closed by force under the acquisition.
func (r Record) expired(a *Acquisition) bool {
	for _, f := range r.Faults {
		if f.Kind == Expire && f.Client == a.Client && f.overlaps(Span{a.Called, a.Held}) {
			return true
		}
	}
	return false
}

// stalled reports whether the process stood still when the lease should have
// ended, which is at most a tick before the server ends the session, and caught
// up soon after.
func (r Record) stalled(a *Acquisition) bool {
	if a.Deleted == 0 || a.Ended == 0 {
		return false
	}
	due := Span{a.Deleted - tick, max(a.Deleted, a.Held)}
	for _, s := range r.Stalls {
		if s.overlaps(due) && a.Ended <= s.To+tick {
			return true
		}
	}
	return false
}

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
