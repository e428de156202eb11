package run

import (
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// SetDelay changes, from now on, how long the links carry each frame each way.
func (r *Run) SetDelay(d time.Duration) error {
	if err := scenario.Within("delay", scenario.Duration(d), 0, r.config.Scenario.MaxDelay()); err != nil {
		return err
	}
	r.slowing.Lock()
	defer r.slowing.Unlock()
	if !r.slow(d) {
		return client.ErrNotRunning
	}
	r.noteDelay(d, "")
	r.changed(event.Running)
	return nil
}

// noteDelay writes down how long the links carry each frame from now on.
func (r *Run) noteDelay(d time.Duration, why string) {
	r.recorder.Record(event.Event{Kind: event.NoteDelay, Delay: d.Microseconds(), Why: why})
}

// slow sets the delay unless the run is ending, which lifts it for good.
func (r *Run) slow(d time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state != event.Running {
		return false
	}
	r.delay = d
	for _, c := range r.clients {
		c.SetDelay(d)
	}
	r.guests.setDelay(d)
	return true
}

func (r *Run) delayNow() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.delay
}
