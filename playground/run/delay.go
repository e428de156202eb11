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
	r.noteDelay(d, nil)
	r.changed(event.Running)
	return nil
}

// noteDelay writes down how long the links carry each frame from now on.
func (r *Run) noteDelay(d time.Duration, why *event.Reason) {
	r.recorder.Record(event.Event{Kind: event.NoteDelay, Delay: d.Microseconds(), Reason: why})
}

// slow sets the delay unless the run is ending, which lifts it for good. The links are
// set without the run's mutex: each waits for its client, who may be slowed to the run's
// limit.
func (r *Run) slow(d time.Duration) bool {
	r.mu.Lock()
	if r.state != event.Running {
		r.mu.Unlock()
		return false
	}
	r.delay = d
	guests := r.guests.list() // who joins from here on has the new delay
	r.mu.Unlock()
	for _, c := range r.clients {
		c.SetDelay(d)
	}
	for _, g := range guests {
		g.SetDelay(d)
	}
	return true
}

func (r *Run) delayNow() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.delay
}
