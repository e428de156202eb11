package run

import (
	"context"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
)

const (
	// stallBeat is how often the run looks at its clock, stallBound by how much that
	// must be late to be told. A session is confirmed several times within its timeout,
	// and the shortest is longer than the bound.
	stallBeat  = 100 * time.Millisecond
	stallBound = 500 * time.Millisecond
)

// watchStalls tells of each time for which this process stood still, as on a machine
// that is overloaded or was suspended: sessions end then for no reason in the run. It
// returns when ctx ends.
func (r *recorder) watchStalls(ctx context.Context) {
	watchStalls(r.log.Now, func(d time.Duration) bool { return clock.Sleep(ctx, d) }, r.Record)
}

// watchStalls measures by how much each sleep lasts longer than it should, until sleep
// says that it is over.
func watchStalls(now func() time.Duration, sleep func(time.Duration) bool, record func(event.Event)) {
	for last := now(); sleep(stallBeat); {
		if late := now() - last - stallBeat; late >= stallBound {
			record(event.Event{Kind: event.NoteStalled, For: late.Milliseconds()})
		}
		last = now()
	}
}
