package run

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// lanesOf returns the lanes in which a fault is injected. A fault of the servers is
// injected once, in no lane.
func (r *Run) lanesOf(f scenario.ScheduledFault) []string {
	if ofServers(f.Name) {
		return []string{""}
	}
	var lanes []string
	for _, lane := range r.lanes {
		if lane.Missing == "" && (f.Lane == "" || f.Lane == lane.Name) {
			lanes = append(lanes, lane.Name)
		}
	}
	return lanes
}

// startSchedule starts a goroutine of the group for each of the scenario's faults.
// A fault that is to be injected into a client at time 0 is injected before it
// returns, so that the client has not arrived yet.
func (r *Run) startSchedule(ctx context.Context, schedule *sync.WaitGroup) {
	for _, fault := range scenario.PlanFaults(r.config.Scenario) {
		for _, lane := range r.lanesOf(fault) {
			if fault.At == 0 && fault.Client > 0 && !r.ofGuest(fault.Fault) {
				r.injectOnSchedule(ctx, fault, lane)
			} else {
				schedule.Go(func() { r.injectOnSchedule(ctx, fault, lane) })
			}
		}
	}
}

var (
	scheduledMissed = event.NewCode("scheduled-missed", "the scheduled fault did not happen: {reason}")
	guestNotJoined  = event.NewCode("guest-not-joined", "guest {number} has not joined")
)

// injectOnSchedule injects one fault of the scenario in one lane when its time has
// come, or the guest that it is about has a session. If that is not possible then, the
// log says so.
func (r *Run) injectOnSchedule(ctx context.Context, f scenario.ScheduledFault, lane string) {
	if !clock.Sleep(ctx, time.Duration(f.At)-r.log.Now()) {
		return
	}
	fault := f.Fault
	fault.Lane = lane
	missed := func(why *event.Reason) {
		r.recorder.Record(event.Event{Kind: event.NoteFault, Lane: lane, Client: fault.Client,
			Fault: fault.Name, Reason: scheduledMissed.With(why)})
	}
	if r.ofGuest(fault) && !r.awaitGuest(ctx, lane, fault.Client) {
		if !r.has(f.Lane, fault.Client) { // nor in another lane
			missed(guestNotJoined.With(fault.Client))
		}
		return
	}
	if fault.Client == 0 && !ofServers(fault.Name) && !fault.Armed() {
		fault.Client = r.settledHolder(ctx, lane)
	}
	do := r.inject
	if fault.Armed() {
		do = func(_ context.Context, f scenario.Fault) error { return r.arm(f) }
	}
	err := do(ctx, fault)
	if err != nil && ctx.Err() == nil {
		missed(client.Because(err))
	}
}

// ofGuest says whether a fault is injected into a guest, which joins when it likes.
func (r *Run) ofGuest(f scenario.Fault) bool { return f.Client > r.config.Scenario.Clients }

// awaitGuest waits for a lane's guest of that number, and for its session. It returns false
// if ctx ends first.
func (r *Run) awaitGuest(ctx context.Context, lane string, number int) bool {
	for {
		changed := r.recorder.changed()
		if slices.ContainsFunc(r.guests.list(), func(g *client.Guest) bool {
			return g.Lane() == lane && g.Number() == number && g.HasSession()
		}) {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// settleTime is how long a holder should hold before a fault is injected into it,
// so that people have seen it hold.
const settleTime = 400 * time.Millisecond

// settledHolder returns a holder who has held for a while, if there is such a
// one before long: when one goes meanwhile, the next is waited for once.
func (r *Run) settledHolder(ctx context.Context, lane string) int {
	for range 2 {
		first := r.awaitHolder(ctx, lane)
		clock.Sleep(ctx, settleTime)
		if holder, _ := r.recorder.holder(lane); holder == first {
			return first
		}
	}
	return r.awaitHolder(ctx, lane)
}

// awaitHolder returns who believes to hold the lane's lock, now or next; 0 when
// ctx ends first.
func (r *Run) awaitHolder(ctx context.Context, lane string) int {
	for {
		holder, changed := r.recorder.holder(lane)
		if holder != 0 {
			return holder
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0
		}
	}
}
