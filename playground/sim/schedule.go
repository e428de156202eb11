package sim

import (
	"context"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// lanesOf returns the lanes in which a fault is injected; one of the servers is
// injected once, in no lane.
func (r *Run) lanesOf(f FaultSpec) []string {
	if ofServers(f.Fault) {
		return []string{""}
	}
	var lanes []string
	for _, lane := range r.lanes {
		if f.Lane == "" || f.Lane == lane.Name {
			lanes = append(lanes, lane.Name)
		}
	}
	return lanes
}

// on is the fault as it hits a client.
func (f FaultSpec) on(client int, lane string) Fault {
	return Fault{Name: f.Fault, Client: client, Lane: lane, For: time.Duration(f.For),
		Delay: time.Duration(f.Delay), Jitter: time.Duration(f.Jitter), Op: f.Op}
}

// startSchedule has the scenario's faults injected by goroutines of the group.
// What is to happen to a client at 0 has happened when it returns, so that the
// client has not arrived before that.
func (r *Run) startSchedule(ctx context.Context, schedule *sync.WaitGroup) {
	for _, fault := range planFaults(r.config.Scenario) {
		for _, lane := range r.lanesOf(fault) {
			if fault.At == 0 && fault.Client > 0 {
				r.keepSchedule(ctx, fault, lane)
			} else {
				schedule.Go(func() { r.keepSchedule(ctx, fault, lane) })
			}
		}
	}
}

// keepSchedule injects one fault of the scenario into one lane when its time
// has come. A victim that is beyond the fault is noted in the log.
func (r *Run) keepSchedule(ctx context.Context, f FaultSpec, lane string) {
	if !sleep(ctx, time.Duration(f.At)-r.log.Now()) {
		return
	}
	victim := f.Client
	if victim == 0 && !ofServers(f.Fault) {
		victim = r.settledHolder(ctx, lane)
	}
	err := r.inject(ctx, f.on(victim, lane))
	if err != nil && ctx.Err() == nil {
		r.recorder.record(event.Event{Kind: event.NoteFault, Lane: lane, Client: victim,
			Fault: f.Fault, Why: "the scheduled fault did not happen: " + err.Error()})
	}
}

// sight is how long a holder should be seen to hold before a fault strikes it.
const sight = 400 * time.Millisecond

// settledHolder returns a holder who has held for a while, if there is such a
// one before long: when one goes meanwhile, the next is waited for once.
func (r *Run) settledHolder(ctx context.Context, lane string) int {
	for range 2 {
		first := r.awaitHolder(ctx, lane)
		sleep(ctx, sight)
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
