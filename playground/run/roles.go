package run

import (
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
)

// A role is what a client does, as far as it has told.
type role int

const (
	busy  role = iota // with anything else
	waits             // for its turn
	holds             // as it believes
	gone              // crashed, or closed
)

// roles follows what the clients of each lane do, so that a fault can be injected
// into "the holder" or "a waiter". The recorder guards it.
type roles struct {
	byLane map[string]map[int]role
	// changed is closed and replaced whenever somebody acquires.
	changed chan struct{}
}

func newRoles() *roles {
	return &roles{byLane: make(map[string]map[int]role), changed: make(chan struct{})}
}

func (r *roles) apply(e event.Event) {
	if e.Client == 0 {
		return
	}
	switch e.Kind {
	case event.LockAcquired:
		r.set(e, holds)
		close(r.changed)
		r.changed = make(chan struct{})
	case event.LockWaiting:
		r.set(e, waits)
	case event.LockReleased, event.LockLost, event.LockGaveUp:
		r.set(e, busy)
	case event.SessionClosed:
		r.set(e, gone)
	case event.FaultInjected:
		r.injected(e)
	}
}

func (r *roles) injected(e event.Event) {
	switch e.Fault {
	case client.Crash:
		r.set(e, gone)
	case client.StartAgain:
		r.forget(e)
	}
}

func (r *roles) set(e event.Event, to role) {
	if r.byLane[e.Lane] == nil {
		r.byLane[e.Lane] = make(map[int]role)
	}
	if r.byLane[e.Lane][e.Client] != gone { // what is told late changes nothing
		r.byLane[e.Lane][e.Client] = to
	}
}

// forget is the beginning of a new process.
func (r *roles) forget(e event.Event) { delete(r.byLane[e.Lane], e.Client) }

// holder returns a holder of the lane, the lowest-numbered when readers share
// it, or 0 and a channel that is closed when somebody acquires.
func (r *recorder) holder(lane string) (int, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := 0
	for client, role := range r.roles.byLane[lane] {
		if role == holds && (first == 0 || client < first) {
			first = client
		}
	}
	return first, r.roles.changed
}

// choose returns the first client of a lane that fits, of the numbers from one on and
// then round to that, up to the number of clients; 0 if there is none. Alive is how many
// are not gone.
func (r *recorder) choose(lane string, from, clients int, fits func(role) bool) (chosen, alive int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range clients {
		number := (from-1+i)%clients + 1
		does := r.roles.byLane[lane][number]
		if does != gone {
			alive++
		}
		if chosen == 0 && fits(does) {
			chosen = number
		}
	}
	return chosen, alive
}
