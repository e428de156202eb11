package sim

import (
	"context"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// keepSchedule injects one fault of the scenario into one lane when its time
// has come. A victim that is beyond the fault is noted in the log.
func (r *Run) keepSchedule(ctx context.Context, f FaultSpec, lane string) {
	if !sleep(ctx, time.Duration(f.At)-r.log.Now()) {
		return
	}
	victim := f.Client
	if victim == 0 {
		victim = r.settledHolder(ctx, lane)
	}
	err := r.Inject(ctx, Fault{Name: f.Fault, Client: victim, Lane: lane})
	if err != nil && ctx.Err() == nil {
		r.recorder.record(event.Event{Kind: event.NoteFault, Lane: lane, Client: victim,
			Fault: f.Fault, Why: "the scheduled fault did not happen: " + err.Error()})
	}
}

// sight is how long a holder should be seen to hold before a fault strikes it.
const sight = 400 * time.Millisecond

// settledHolder returns a holder who has held for a while, if there is such a
// one before long.
func (r *Run) settledHolder(ctx context.Context, lane string) int {
	first := r.awaitHolder(ctx, lane)
	sleep(ctx, sight)
	if holder, _ := r.recorder.holder(lane); holder == first {
		return first
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
