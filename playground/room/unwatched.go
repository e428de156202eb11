package room

import (
	"context"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
)

// EndUnwatched looks at every tick, until ctx ends, for runs that nobody has watched
// for Config.Unwatched, and ends them. To do or ask something in the room counts as
// watching, and so does a guest that takes part. The log of such a run tells why it ended.
func (rs *Rooms) EndUnwatched(ctx context.Context, ticks <-chan time.Time) {
	if rs.config.Unwatched == 0 {
		return
	}
	for {
		select {
		case <-ticks:
			rs.Each((*Room).endUnwatched)
		case <-ctx.Done():
			return
		}
	}
}

func (r *Room) endUnwatched() {
	run, _ := r.Current()
	length := r.config.Unwatched
	if run == nil || run.State() != event.Running || hasGuests(run) || !r.unwatchedFor(length) {
		return
	}
	run.StopBecause(unwatchedLong(length))
}

// hasGuests says whether a program takes part whose owner may look at its own output.
func hasGuests(current *run.Run) bool {
	return slices.ContainsFunc(current.Guests(), func(g *client.Guest) bool { return g.Kind() == event.Guest && g.Present() })
}

// unwatchedFor says whether nobody has watched or asked anything here for so long.
func (r *Room) unwatchedFor(length time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.config.Now().Add(-length)
	return r.viewers == 0 && !r.used.After(before) && !r.asked.After(before)
}

// ask notes that somebody asks for something here.
func (r *Room) ask() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = r.config.Now()
}

var (
	unwatched        = event.NewCode("unwatched", "nobody has watched this run for {span}, so it has ended; start it again")
	unwatchedMinutes = event.NewCode("unwatched-minutes", "nobody has watched this run for a minute, so it has ended; start it again|nobody has watched this run for {minutes} minutes, so it has ended; start it again")
)

// unwatchedLong says that nobody has watched for so long, in minutes where it is some.
func unwatchedLong(d time.Duration) *event.Reason {
	if d%time.Minute != 0 {
		return unwatched.With(d)
	}
	return unwatchedMinutes.With(int(d / time.Minute))
}
