package run

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/zkplayground/zkplayground/playground/event"
)

// Limits are what a run may take; zero means as much as it likes. What happens at a
// limit is told in the log by note.limited.
type Limits struct {
	// EventsPerSecond: a run that has more than these in a second is slowed, each of
	// its clients by what it would tell.
	EventsPerSecond int
	// Duration: a run that has lasted this long ends.
	Duration time.Duration
	// Znodes: a run ends when there are more of these below its own, whoever has made
	// them.
	Znodes int
}

var (
	slowedDown = event.NewCode("limit-events", "the run has more than {events} events a second, so it is slowed from here on whenever it has; -max-events-per-second sets how many a run may have")
	tooLong    = event.NewCode("limit-duration", "the run has lasted {span}, so it ends; -max-run sets how long a run may last")
	tooMany    = event.NewCode("limit-znodes", "there are more than {znodes} znodes below the run's own, so it ends; -max-znodes sets how many there may be")
)

func limited(by *event.Reason) event.Event {
	return event.Event{Kind: event.NoteLimited, Reason: by}
}

// A pace makes those wait who would record more than so many events a second. Its
// methods are safe for concurrent use; nil makes nobody wait.
type pace struct {
	limiter *rate.Limiter
	lifted  chan struct{} // closed when nobody waits any more
	told    sync.Once
}

func newPace(eventsPerSecond int) *pace {
	if eventsPerSecond == 0 {
		return nil
	}
	return &pace{limiter: rate.NewLimiter(rate.Limit(eventsPerSecond), eventsPerSecond), lifted: make(chan struct{})}
}

// leastWait is the shortest wait: what is owed below that is paid with the next.
const leastWait = time.Millisecond

// wait waits until an event may be recorded, and the first time returns what the log
// should have of that.
func (p *pace) wait() (note event.Event, tell bool) {
	if p == nil {
		return note, false
	}
	owed := p.limiter.Reserve().Delay()
	if owed < leastWait {
		return note, false
	}
	timer := time.NewTimer(owed)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.lifted:
		return note, false
	}
	p.told.Do(func() {
		note, tell = limited(slowedDown.With(p.limiter.Burst())), true
	})
	return note, tell
}

// lift ends all waits, also those to come. It is called once.
func (p *pace) lift() {
	if p != nil {
		close(p.lifted)
	}
}

// A census counts the znodes below the run's own.
type census struct{ most, now int }

// apply says whether there are too many since e.
func (c *census) apply(e event.Event) bool {
	switch e.Kind {
	case event.TreeCreated:
		c.now++
	case event.TreeDeleted:
		c.now--
	}
	return c.most > 0 && c.now > c.most
}

// timeIsUp tells when the run has lasted as long as it may; nil means never.
func (l Limits) timeIsUp() (up <-chan time.Time, stop func() bool) {
	if l.Duration == 0 {
		return nil, func() bool { return true }
	}
	timer := time.NewTimer(l.Duration)
	return timer.C, timer.Stop
}
