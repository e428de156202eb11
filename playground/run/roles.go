package run

import (
	"slices"

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
	accounts map[string]bool // the lanes whose lock protects an account
	byLane   map[string]map[int]role
	reading  map[reader]bool // who hold, and have yet to read the account
	// changed is closed and replaced whenever somebody acquires, has read, or has got a session.
	changed chan struct{}
}

// A reader is a client of a lane.
type reader struct {
	lane   string
	client int
}

func newRoles(lanes []event.Lane) *roles {
	r := &roles{accounts: make(map[string]bool), byLane: make(map[string]map[int]role),
		reading: make(map[reader]bool), changed: make(chan struct{})}
	for _, lane := range lanes {
		r.accounts[lane.Name] = lane.Account != ""
	}
	return r
}

func (r *roles) apply(e event.Event) {
	if e.Client == 0 {
		return
	}
	switch e.Kind {
	case event.LockAcquired:
		r.set(e, holds)
		r.reading[reader{e.Lane, e.Client}] = r.accounts[e.Lane] && e.Mode != "read" // who shares the lock does not write
		r.wake()
	case event.ResourceRead:
		delete(r.reading, reader{e.Lane, e.Client})
		r.wake()
	case event.LockWaiting:
		r.set(e, waits)
	case event.LockReleased, event.LockLost, event.LockGaveUp, event.ProgramSilent:
		r.set(e, busy)
	case event.SessionClosed:
		r.set(e, gone)
	case event.SessionGranted: // to one that begins again, too
		delete(r.byLane[e.Lane], e.Client)
		r.wake()
	case event.FaultInjected:
		if e.Injects(event.EndsProcess) {
			r.set(e, gone)
		}
	}
}

func (r *roles) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *roles) set(e event.Event, to role) {
	if r.byLane[e.Lane] == nil {
		r.byLane[e.Lane] = make(map[int]role)
	}
	if r.byLane[e.Lane][e.Client] != gone { // what is told late changes nothing
		r.byLane[e.Lane][e.Client] = to
	}
}

// changed returns a channel that is closed when a client of any lane has got a session, and
// perhaps earlier.
func (r *recorder) changed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.roles.changed
}

// holder returns a holder of the lane that is at its work, the lowest-numbered when
// readers share it, or 0 and a channel that is closed when somebody comes to that. Who
// has yet to read the account has nothing to write: what befalls it would do no harm.
func (r *recorder) holder(lane string) (int, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := 0
	for client, role := range r.roles.byLane[lane] {
		if role == holds && !r.roles.reading[reader{lane, client}] && (first == 0 || client < first) {
			first = client
		}
	}
	return first, r.roles.changed
}

// choose returns the first client of a lane that fits, of the numbers from a place on and
// then round to that; 0 if there is none. Alive is how many are not gone.
func (r *recorder) choose(lane string, from float64, numbers []int, fits func(role) bool) (chosen, alive int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := int(from * float64(len(numbers)))
	for _, number := range slices.Concat(numbers[first:], numbers[:first]) {
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
