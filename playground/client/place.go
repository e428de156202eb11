package client

import (
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
)

// A place is a number in a lane. One process has it at a time; another may begin when that
// has crashed or closed its session. Its methods are safe for concurrent use.
type place[P placed] struct {
	lane   event.Lane
	number int

	mu       sync.Mutex
	process  P            // the last that began
	before   []P          // those before it that have not ended yet
	left     leftSessions // of those that have
	delay    time.Duration
	stepping bool
}

// A placed is what a place can have: a participant.
type placed interface {
	comparable
	Link() *link.Link
	HasSession() bool
	SetDelay(time.Duration)
}

// Lane is the name of its lane.
func (l *place[P]) Lane() string { return l.lane.Name }

// Number is its number in the lane, from 1.
func (l *place[P]) Number() int { return l.number }

// current is the process that has the place.
func (l *place[P]) current() P {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.process
}

// processes are those that have not ended yet.
func (l *place[P]) processes() []P {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(slices.Clone(l.before), l.process)
}

// Link is the connection of the process.
func (l *place[P]) Link() *link.Link { return l.current().Link() }

// HasSession says whether the server has granted the process a session.
func (l *place[P]) HasSession() bool { return l.current().HasSession() }

// SetDelay makes the link carry each frame for that long from now on.
func (l *place[P]) SetDelay(d time.Duration) {
	l.mu.Lock()
	l.delay = d
	p := l.process
	l.mu.Unlock()
	p.SetDelay(d)
}

// SetStepping is that of [link.Link], of each process.
func (l *place[P]) SetStepping(on bool) {
	l.mu.Lock()
	l.stepping = on
	p := l.process
	l.mu.Unlock()
	p.Link().SetStepping(on)
}

// give gives the place to a process; the one that had it stays among those that have not
// ended. The caller holds the mutex.
func (l *place[P]) give(next P) {
	var nobody P
	if last := l.process; last != nobody {
		l.before = append(l.before, last)
		next.Link().NumberAfter(last.Link())
	}
	next.SetDelay(l.delay)
	next.Link().SetStepping(l.stepping)
	l.process = next
}

// forget forgets a process that has ended. The caller holds the mutex.
func (l *place[P]) forget(ended P) {
	l.before = slices.DeleteFunc(l.before, func(p P) bool { return p == ended })
}
